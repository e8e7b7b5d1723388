// Opens and closes moments, and lets ranks arrive and share their CPUs.

#include "engine/smpi/rule.hpp"

#include <algorithm>
#include <cmath>
#include <simgrid/kernel/Timer.hpp>
#include <simgrid/kernel/resource/Action.hpp>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/s4u.hpp>
#include <utility>

#include "base/ids.hpp"

namespace rondo {

namespace {

namespace s4u = simgrid::s4u;
namespace resource = simgrid::kernel::resource;

/// The length of a moment at time 0, where no time is rounded. It is not 0, because SimGrid ignores timers at 0.
constexpr double first_moment_length = 1e-30;

}  // namespace

SmpiRule::SmpiRule(int ranks, std::vector<std::int32_t> rank_of_part)
    : rank_of_part_(std::move(rank_of_part)), ends_(at(ranks)) {
  // The parameter `action` has a derived type. Its address is that of the Action base, by which actions are known here.
  s4u::Link::on_communication_state_change_cb([this](resource::NetworkAction const& action, resource::Action::State) {
    weighted_.erase(&action);
    auto const self_message = self_messages_.find(&action);
    if (self_message == self_messages_.end()) return release(&action);
    ++ends_[at(self_message->second)];
    self_messages_.erase(self_message);
  });
}

Instant SmpiRule::now() const { return open_ ? moment_ : Instant(s4u::Engine::get_clock()); }

/// Opens a moment, if none is open. SimGrid ends everything that is due in the moment at its first time
/// (precision.hpp). It then lets ranks go on, until it advances to the timer that is set here and closes the moment.
void SmpiRule::open_moment(Instant time) {
  if (std::exchange(open_, true)) {
    moment_ = std::min(moment_, time);
    return;
  }
  moment_ = time;
  double const clock = s4u::Engine::get_clock();
  double const close = clock > 0 ? std::nextafter(clock, without_end) : first_moment_length;
  simgrid::kernel::timer::Timer::set(close, [this] {
    open_ = false;
    if (let_arrive()) return open_moment(moment_);
    close_moment();
  });
}

/// The part waits at a semaphore until a moment opens at its arrival time.
void SmpiRule::arrive(int part, Seconds later) {
  Instant const time = now() + later;
  auto const gate = s4u::Semaphore::create(0);
  late_.emplace(time, Late{part, gate});
  begin_absence(rank_of(part));
  simgrid::kernel::timer::Timer::set(std::max(time.value, s4u::Engine::get_clock()), [this, time] {
    if (!late_.empty() && !(late_.begin()->first > time)) open_moment(time);
  });
  gate->acquire();
}

/// Lets the ranks that arrive in this moment go on within it. Returns whether there are any.
bool SmpiRule::let_arrive() {
  bool const any = !late_.empty() && late_.begin()->first.value <= moment_end(moment_);
  while (!late_.empty() && late_.begin()->first.value <= moment_end(moment_)) {
    Late const late = late_.begin()->second;
    late_.erase(late_.begin());
    end_absence(rank_of(late.part));
    late.gate->release();
  }
  return any;
}

std::int64_t SmpiRule::number_of_send(int part, std::int64_t in_order) {
  auto const number = next_send_.extract(part);
  return number.empty() ? in_order : number.mapped();
}

Seconds SmpiRule::startup_noise(int part, std::int64_t send) const {
  return noise_ == nullptr ? Seconds(0) : noise_->startup(at(part), at(send));
}

/// Waits until the part has the CPU of its rank. Requests of a moment are served together when it closes.
void SmpiRule::take_cpu(int part) {
  if (turns_[rank_of(part)].holder == part) return;
  auto const gate = s4u::Semaphore::create(0);
  turn_requests_.push_back({part, gate});
  open_moment(now());
  gate->acquire();
}

void SmpiRule::release_cpu(int part) {
  auto const found = turns_.find(rank_of(part));
  if (found == turns_.end() || found->second.holder != part) return;
  found->second.holder = -1;
  open_moment(now());
}

/// Gives the turn of free CPUs to the parts that asked for it. Returns whether any part got it.
bool SmpiRule::grant_turns() {
  std::sort(turn_requests_.begin(), turn_requests_.end(),
            [](TurnRequest const& a, TurnRequest const& b) { return a.part < b.part; });
  for (TurnRequest const& each : turn_requests_) turns_[rank_of(each.part)].queue.push_back(each);
  turn_requests_.clear();
  bool any = false;
  for (auto& [rank, turns] : turns_) {
    if (turns.holder >= 0 || turns.queue.empty()) continue;
    TurnRequest const next = turns.queue.front();
    turns.queue.pop_front();
    turns.holder = next.part;
    next.gate->release();
    any = true;
  }
  return any;
}

void SmpiRule::started(void const* action, Instant time) const {
  if (started_) started_(action, time.value);
}

void SmpiRule::note(MessageTimes const& times) {
  ++outside_smpi_.messages;
  outside_smpi_.bytes += times.bytes;
  if (started_) outside_smpi_.message_times.push_back(times);
}

void SmpiRule::count_end(int from, int to) {
  ++ends_[at(from)];
  ++ends_[at(to)];
}

/// Keeps a finished transfer alive until SimGrid's clock has advanced, because SimGrid still uses it until then.
void SmpiRule::end_transfer(s4u::CommPtr transfer) {
  double const clock = s4u::Engine::get_clock();
  if (finished_at_ < clock) finished_transfers_.clear();
  finished_at_ = clock;
  finished_transfers_.push_back(std::move(transfer));
}

/// The action ends at `date`, or now if that is past.
void SmpiRule::end_action(Action& action, Instant date) {
  action.get_model()->get_action_heap().update(&action, std::max(date.value, s4u::Engine::get_clock()),
                                               resource::ActionHeap::Type::normal);
}

/// Lets the bytes of a message flow from `begin` on. SimGrid recomputes rates from the first link of a flow that
/// begins. If another flow over this link began at the same time before, SimGrid has already visited the link and
/// overlooks the other links of this flow. Setting the bandwidth of a link to its own value makes SimGrid visit it
/// again, so a timer does this just after `begin`. Only then can flows be given equal weights: SimGrid sets the weight
/// to 1 / latency of the route when the flow begins, and offers no way to change it before.
void SmpiRule::begin_flow(Action& action, TransferCost const& transfer, Instant begin) {
  double const date = std::max(begin.value, s4u::Engine::get_clock());
  action.set_bound(transfer.bandwidth);
  action.get_model()->get_action_heap().update(&action, date, resource::ActionHeap::Type::latency);
  if (transfer.weighted) weighted_[&action] = date;
  auto const [found, is_new] = starting_flows_.try_emplace(date);
  StartingFlows& now = found->second;
  now.links.insert(now.links.end(), transfer.links.begin(), transfer.links.end());
  if (transfer.weighted) now.weighted.push_back(&action);
  if (!is_new) return;
  simgrid::kernel::timer::Timer::set(std::nextafter(date, without_end), [this, date] {
    StartingFlows const began = starting_flows_.extract(date).mapped();
    for (s4u::Link* link : began.links) link->set_bandwidth(link->get_bandwidth());
    for (Action* each : began.weighted) {
      auto const found = weighted_.find(each);
      if (found == weighted_.end() || found->second != date) continue;  // it has ended, and another may have its place
      weighted_.erase(found);
      each->set_sharing_penalty(1);
    }
  });
}

}  // namespace rondo
