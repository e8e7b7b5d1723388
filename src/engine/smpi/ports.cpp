#include "engine/smpi/ports.hpp"

#include <algorithm>
#include <cmath>
#include <simgrid/kernel/Timer.hpp>
#include <simgrid/kernel/resource/Action.hpp>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/s4u.hpp>
#include <utility>

#include "base/error.hpp"
#include "base/index.hpp"

namespace rondo {

namespace {

namespace s4u = simgrid::s4u;
namespace resource = simgrid::kernel::resource;

/// How long a moment lasts, relative to the time: more than rounding makes of equal times.
constexpr double moment_length = 1e-12;
/// At time 0, where nothing is rounded; SimGrid takes a timer at 0 for none.
constexpr double first_moment_length = 1e-30;

}  // namespace

SmpiPorts::SmpiPorts(int ranks, int ports)
    : ports_(ports),
      sending_(at(ranks)),
      receiving_(at(ranks)),
      posted_(at(ranks)),
      ends_(at(ranks)),
      waiting_from_(at(ranks)),
      waiting_to_(at(ranks)) {
  // The type of `action` is SimGrid's own; its address is that of the Action it derives from.
  s4u::Link::on_communication_state_change_cb(
      [this](resource::NetworkAction const& action, resource::Action::State) { release(&action); });
}

void SmpiPorts::post(int from, int to, std::int64_t bytes) {
  open_moment(now());
  sends_[{from, to, bytes}].push_back({moments_, posted_[at(from)]++});
}

/// SMPI does not say which send a message is of. Those between two ranks and of one size are taken in posting order,
/// which decides only between ones that become ready at the same moment. A blocking send is not told of when it is
/// posted; nothing of its rank can be posted after it.
SmpiPorts::Posted SmpiPorts::posting_of(int from, int to, std::int64_t bytes) {
  auto const found = sends_.find({from, to, bytes});
  if (found == sends_.end()) return {moments_, posted_[at(from)]++};
  Posted const posted = found->second.front();
  found->second.pop_front();
  if (found->second.empty()) sends_.erase(found);
  return posted;
}

void SmpiPorts::admit(resource::Action& action, int from, int to, std::int64_t bytes, Holding const& holding) {
  open_moment(now());
  ready_.push_back({&action, from, to, holding, posting_of(from, to, bytes)});
}

double SmpiPorts::now() const { return open_ ? moment_ : s4u::Engine::get_clock(); }

/// SimGrid lets ranks go on before it advances to the timer, and takes all events of earlier times before.
void SmpiPorts::open_moment(double time) {
  if (std::exchange(open_, true)) return;
  moment_ = time;
  double const clock = s4u::Engine::get_clock();
  double const close = clock * (1 + moment_length) + (clock > 0 ? 0 : first_moment_length);
  simgrid::kernel::timer::Timer::set(close, [this] { close_moment(); });
}

void SmpiPorts::close_moment() {
  open_ = false;
  wait_in_order();
  start_what_can();
  ++moments_;
}

/// Those that became ready in an earlier moment are before all of this one.
void SmpiPorts::wait_in_order() {
  std::sort(ready_.begin(), ready_.end(), [](Message const& a, Message const& b) {
    return std::tuple(a.posted.moment, a.from, a.posted.place) < std::tuple(b.posted.moment, b.from, b.posted.place);
  });
  for (Message const& message : ready_) {
    std::int64_t const number = next_number_++;
    waiting_.emplace(number, message);
    number_.emplace(message.action, number);
    waiting_from_[at(message.from)].insert(number);
    waiting_to_[at(message.to)].insert(number);
  }
}

void SmpiPorts::start_what_can() {
  std::vector<std::int64_t> startable;
  for (auto const& [from, to] : ended_) {
    collect(waiting_from_[at(from)], startable);
    collect(waiting_to_[at(to)], startable);
  }
  for (std::int64_t i = static_cast<std::int64_t>(ready_.size()); i > 0; --i) startable.push_back(next_number_ - i);
  ended_.clear();
  ready_.clear();
  std::sort(startable.begin(), startable.end());
  startable.erase(std::unique(startable.begin(), startable.end()), startable.end());
  for (std::int64_t const number : startable) {
    Message const message = waiting_.at(number);
    if (!can_start(message)) continue;
    forget(number);
    start(message);
  }
}

bool SmpiPorts::can_start(Message const& message) const {
  return sending_[at(message.from)] < ports_ && receiving_[at(message.to)] < ports_;
}

void SmpiPorts::start(Message const& message) {
  ++sending_[at(message.from)];
  ++receiving_[at(message.to)];
  double const begin = moment_ + message.holding.startup;
  bool const flows = !message.holding.links.empty();
  double const end = begin + message.holding.bytes / message.holding.bandwidth;
  running_[message.action] = {message.from, message.to, flows ? without_end : end};
  if (started_) started_(message.action, moment_);
  double const clock = s4u::Engine::get_clock();
  if (flows) return begin_flow(message, std::max(begin, clock));
  message.action->get_model()->get_action_heap().update(message.action, std::max(end, clock),
                                                        resource::ActionHeap::Type::normal);
}

/// SimGrid solves again for what it reaches from the first link of a flow that begins. Where another flow over that
/// link began before at the same time, it has been there, and misses the other links of this one. A link whose
/// bandwidth is set, to what it is, is not missed.
void SmpiPorts::begin_flow(Message const& message, double date) {
  message.action->set_bound(message.holding.bandwidth);
  message.action->get_model()->get_action_heap().update(message.action, date, resource::ActionHeap::Type::latency);
  auto const [found, is_new] = beginning_.try_emplace(date);
  found->second.insert(found->second.end(), message.holding.links.begin(), message.holding.links.end());
  if (!is_new) return;
  simgrid::kernel::timer::Timer::set(std::nextafter(date, without_end), [this, date] {
    auto const began = beginning_.extract(date);
    for (s4u::Link* link : began.mapped()) link->set_bandwidth(link->get_bandwidth());
  });
}

void SmpiPorts::release(void const* action) {
  if (auto const passing = passing_.find(action); passing != passing_.end()) {
    ++ends_[at(passing->second)];
    passing_.erase(passing);
    return;
  }
  if (auto const running = running_.find(action); running != running_.end()) {
    Running const ended = running->second;
    running_.erase(running);
    --sending_[at(ended.from)];
    --receiving_[at(ended.to)];
    ++ends_[at(ended.from)];
    ++ends_[at(ended.to)];
    open_moment(std::min(ended.end, s4u::Engine::get_clock()));
    ended_.emplace_back(ended.from, ended.to);
  } else if (auto const waits = number_.find(action); waits != number_.end()) {
    forget(waits->second);  // its ranks have given it up
  } else {
    std::erase_if(ready_, [&](Message const& message) { return message.action == action; });
  }
}

void SmpiPorts::forget(std::int64_t number) {
  Message const message = waiting_.at(number);
  waiting_.erase(number);
  number_.erase(message.action);
  waiting_from_[at(message.from)].erase(number);
  waiting_to_[at(message.to)].erase(number);
}

void SmpiPorts::collect(std::set<std::int64_t> const& numbers, std::vector<std::int64_t>& startable) const {
  for (std::int64_t const number : numbers) {
    if (can_start(waiting_.at(number))) startable.push_back(number);
  }
}

}  // namespace rondo
