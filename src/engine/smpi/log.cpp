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
      [this](resource::NetworkAction const& action, resource::Action::State) { end_passage(&action); });
  rule_->on_start([this](void const* action, double time) {
    Passage& passage = passages_[passing_.at(action)];
    passage.send_start = passage.receive_start = Seconds(time);
  });
}

void SmpiMachine::begin_passage(void const* action, Seat const& from, Seat const& to, double size) {
  passing_[action] = passages_.size();
  auto const payload = static_cast<std::int64_t>(size - smpi_envelope);
  passages_.push_back({Rank(rank_of(from)), Rank(rank_of(to)), Bytes(payload), now(), now(), now(), now()});
}

void SmpiMachine::end_passage(void const* action) {
  auto const found = passing_.find(action);
  if (found == passing_.end()) return;
  Passage& passage = passages_[found->second];
  passing_.erase(found);
  passage.send_end = passage.receive_end = now();
}

}  // namespace rondo
