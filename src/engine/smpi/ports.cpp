#include "engine/smpi/ports.hpp"

#include <algorithm>
#include <simgrid/kernel/Timer.hpp>
#include <simgrid/kernel/resource/Action.hpp>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/s4u.hpp>

#include "base/error.hpp"

namespace rondo {

namespace {

namespace s4u = simgrid::s4u;
namespace resource = simgrid::kernel::resource;

/// Seconds; no simulation lasts so long.
constexpr double without_end = 1e30;

std::size_t index(int rank) { return static_cast<std::size_t>(rank); }

}  // namespace

SmpiPorts::SmpiPorts(int ranks, int ports)
    : ports_(ports),
      sending_(index(ranks)),
      receiving_(index(ranks)),
      waiting_from_(index(ranks)),
      waiting_to_(index(ranks)) {
  // The type of `action` is SimGrid's own; its address is that of the Action it derives from.
  s4u::Link::on_communication_state_change_cb(
      [this](resource::NetworkAction const& action, resource::Action::State) { release(&action); });
}

double SmpiPorts::admit(resource::Action& action, int from, int to, double startup) {
  Message const message{&action, from, to, startup};
  if (can_start(message)) {
    take(message);
    return startup;
  }
  std::int64_t const number = next_number_++;
  waiting_.emplace(number, message);
  waiting_from_[index(from)].insert(number);
  waiting_to_[index(to)].insert(number);
  return without_end;
}

bool SmpiPorts::can_start(Message const& message) const {
  return sending_[index(message.from)] < ports_ && receiving_[index(message.to)] < ports_;
}

void SmpiPorts::take(Message const& message) {
  ++sending_[index(message.from)];
  ++receiving_[index(message.to)];
  running_.emplace(message.action, message);
}

void SmpiPorts::release(void const* action) {
  if (passing_.erase(action) != 0) return;
  auto const found = running_.find(action);
  expects(found != running_.end(), "a message that ends has been admitted");
  Message const message = found->second;
  running_.erase(found);
  --sending_[index(message.from)];
  --receiving_[index(message.to)];
  // Timers run after all events of their moment.
  if (ended_.empty()) simgrid::kernel::timer::Timer::set(s4u::Engine::get_clock(), [this] { start_waiting(); });
  ended_.push_back(message);
}

void SmpiPorts::start_waiting() {
  std::vector<std::int64_t> startable;
  for (Message const& ended : ended_) {
    collect(waiting_from_[index(ended.from)], startable);
    collect(waiting_to_[index(ended.to)], startable);
  }
  ended_.clear();
  std::sort(startable.begin(), startable.end());
  startable.erase(std::unique(startable.begin(), startable.end()), startable.end());
  for (std::int64_t const number : startable) {
    Message const message = waiting_.at(number);
    if (!can_start(message)) continue;
    waiting_.erase(number);
    waiting_from_[index(message.from)].erase(number);
    waiting_to_[index(message.to)].erase(number);
    take(message);
    if (late_) late_(message.action);
    message.action->get_model()->get_action_heap().update(message.action, s4u::Engine::get_clock() + message.startup,
                                                          resource::ActionHeap::Type::latency);
  }
}

void SmpiPorts::collect(std::set<std::int64_t> const& numbers, std::vector<std::int64_t>& startable) const {
  for (std::int64_t const number : numbers) {
    if (can_start(waiting_.at(number))) startable.push_back(number);
  }
}

}  // namespace rondo
