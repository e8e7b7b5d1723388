// SmpiMachine's log of messages. SimGrid reports when both ends of a message are ready, and when it has ended.

#include <simgrid/kernel/resource/Action.hpp>
#include <simgrid/s4u.hpp>

#include "engine/smpi/machine.hpp"

namespace rondo {

namespace {

namespace s4u = simgrid::s4u;
namespace resource = simgrid::kernel::resource;

}  // namespace

void SmpiMachine::log_messages() {
  logs_ = true;
  // The parameter `action` has a derived type. Its address is that of the Action base, by which messages are known
  // here.
  s4u::Link::on_communication_state_change_cb(
      [this](resource::NetworkAction const& action, resource::Action::State) { end_message(&action); });
  rule_->on_start([this](void const* action, double time) {
    MessageTimes& times = message_times_[logged_.at(action)];
    times.send_start = times.receive_start = Seconds(time);
  });
}

void SmpiMachine::begin_message(void const* action, Endpoint const& from, Endpoint const& to, double size) {
  logged_[action] = message_times_.size();
  auto const payload = static_cast<std::int64_t>(size - smpi_envelope);
  message_times_.push_back({Rank(rank_of(from)), Rank(rank_of(to)), Bytes(payload), now(), now(), now(), now()});
}

void SmpiMachine::end_message(void const* action) {
  auto const found = logged_.find(action);
  if (found == logged_.end()) return;
  MessageTimes& times = message_times_[found->second];
  logged_.erase(found);
  times.send_end = times.receive_end = now();
}

}  // namespace rondo
