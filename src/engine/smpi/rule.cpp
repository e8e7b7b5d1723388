#include "engine/smpi/rule.hpp"

#include <algorithm>
#include <cmath>
#include <simgrid/kernel/Timer.hpp>
#include <simgrid/kernel/resource/Action.hpp>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/s4u.hpp>
#include <utility>

#include "base/index.hpp"

namespace rondo {

namespace {

namespace s4u = simgrid::s4u;
namespace resource = simgrid::kernel::resource;

/// At time 0, where nothing is rounded; SimGrid takes a timer at 0 for none.
constexpr double first_moment_length = 1e-30;

}  // namespace

SmpiRule::SmpiRule(int ranks, std::vector<std::int32_t> rank_of_part)
    : rank_of_part_(std::move(rank_of_part)), ends_(at(ranks)) {
  // The type of `action` is SimGrid's own; its address is that of the Action it derives from.
  s4u::Link::on_communication_state_change_cb([this](resource::NetworkAction const& action, resource::Action::State) {
    weighted_.erase(&action);
    auto const passing = passing_.find(&action);
    if (passing == passing_.end()) return release(&action);
    ++ends_[at(passing->second)];
    passing_.erase(passing);
  });
}

Instant SmpiRule::now() const { return open_ ? moment_ : Instant(s4u::Engine::get_clock()); }

/// What is due in the moment SimGrid ends at its first time (precision.hpp). Then it lets ranks go on, until it
/// advances to the timer.
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

void SmpiRule::arrive(int rank, Seconds later) {
  Instant const time = now() + later;
  auto const gate = s4u::Semaphore::create(0);
  late_.emplace(time, Late{rank, gate});
  leave(seat(rank));
  simgrid::kernel::timer::Timer::set(std::max(time.value, s4u::Engine::get_clock()), [this, time] {
    if (!late_.empty() && !(late_.begin()->first > time)) open_moment(time);
  });
  gate->acquire();
}

/// Ranks that come in this moment begin within it. Whether there are any.
bool SmpiRule::let_arrive() {
  bool const any = !late_.empty() && late_.begin()->first.value <= moment_end(moment_);
  while (!late_.empty() && late_.begin()->first.value <= moment_end(moment_)) {
    Late const late = late_.begin()->second;
    late_.erase(late_.begin());
    come(seat(late.rank));
    late.gate->release();
  }
  return any;
}

std::int64_t SmpiRule::number_of_send(int part, std::int64_t in_order) {
  auto const told = next_send_.extract(part);
  return told.empty() ? in_order : told.mapped();
}

Seconds SmpiRule::startup_noise(int part, std::int64_t send) const {
  return noise_ == nullptr ? Seconds(0) : noise_->startup(at(part), at(send));
}

void SmpiRule::take_turn(int part) {
  if (turns_[seat(part)].holder == part) return;
  auto const gate = s4u::Semaphore::create(0);
  asking_.push_back({part, gate});
  open_moment(now());
  gate->acquire();
}

void SmpiRule::end_turn(int part) {
  auto const found = turns_.find(seat(part));
  if (found == turns_.end() || found->second.holder != part) return;
  found->second.holder = -1;
  open_moment(now());
}

/// Whether any part has the turn now that did not have it.
bool SmpiRule::grant_turns() {
  std::sort(asking_.begin(), asking_.end(), [](Asking const& a, Asking const& b) { return a.part < b.part; });
  for (Asking const& each : asking_) turns_[seat(each.part)].queue.push_back(each);
  asking_.clear();
  bool any = false;
  for (auto& [rank, turns] : turns_) {
    if (turns.holder >= 0 || turns.queue.empty()) continue;
    Asking const next = turns.queue.front();
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

void SmpiRule::note(Passage const& passage) {
  ++apart_.messages;
  apart_.bytes += passage.bytes;
  if (started_) apart_.passages.push_back(passage);
}

void SmpiRule::count_end(int from, int to) {
  ++ends_[at(from)];
  ++ends_[at(to)];
}

void SmpiRule::land(s4u::CommPtr transfer) {
  double const clock = s4u::Engine::get_clock();
  if (landed_at_ < clock) landed_.clear();
  landed_at_ = clock;
  landed_.push_back(std::move(transfer));
}

void SmpiRule::end_action(Action& action, Instant date) {
  action.get_model()->get_action_heap().update(&action, std::max(date.value, s4u::Engine::get_clock()),
                                               resource::ActionHeap::Type::normal);
}

/// SimGrid solves again for what it reaches from the first link of a flow that begins. Where another flow over that
/// link began before at the same time, it has been there, and misses the other links of this one. A link whose
/// bandwidth is set, to what it is, is not missed. Only then can flows be given equal weights: the weight of a flow is
/// 1 / latency of its route when it begins, which no interface of SimGrid changes before.
void SmpiRule::begin_flow(Action& action, Holding const& holding, Instant begin) {
  double const date = std::max(begin.value, s4u::Engine::get_clock());
  action.set_bound(holding.bandwidth);
  action.get_model()->get_action_heap().update(&action, date, resource::ActionHeap::Type::latency);
  if (holding.weighted) weighted_[&action] = date;
  auto const [found, is_new] = beginning_.try_emplace(date);
  Beginning& now = found->second;
  now.links.insert(now.links.end(), holding.links.begin(), holding.links.end());
  if (holding.weighted) now.weighted.push_back(&action);
  if (!is_new) return;
  simgrid::kernel::timer::Timer::set(std::nextafter(date, without_end), [this, date] {
    Beginning const began = beginning_.extract(date).mapped();
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
