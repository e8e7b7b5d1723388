#pragma once

// The ports of ranks on machines where bandwidth is shared. A message that must not use bandwidth during its start-up
// has to hold its ports then, which SimGrid's own limits on links do not do: they count flows, and a flow is one only
// after its latency. So ports are counted here, and a flow's latency is its start-up from the moment it has them; until
// then it is held by a latency without end.

#include <cstdint>
#include <functional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace simgrid::kernel::resource {
class Action;
}  // namespace simgrid::kernel::resource

namespace rondo {

/// Each simulation has one, made before any message. Among the messages that can start at a moment, those whose ends
/// were both ready first start first; messages that end at the same moment all free their ports before any is given
/// away.
class SmpiPorts {
 public:
  SmpiPorts(int ranks, int ports);
  SmpiPorts(SmpiPorts const&) = delete;
  SmpiPorts& operator=(SmpiPorts const&) = delete;

  /// A message whose ends are both ready, as its action: the latency that it begins with.
  double admit(simgrid::kernel::resource::Action& action, int from, int to, double startup);
  /// What holds no port.
  void let_pass(simgrid::kernel::resource::Action const& action) { passing_.insert(&action); }
  /// `call` is handed the action of each message that had to wait, as it starts.
  void on_late_start(std::function<void(void const*)> call) { late_ = std::move(call); }

 private:
  struct Message {
    simgrid::kernel::resource::Action* action;
    int from, to;
    double startup;
  };

  bool can_start(Message const& message) const;
  void take(Message const& message);
  void release(void const* action);
  void start_waiting();
  void collect(std::set<std::int64_t> const& numbers, std::vector<std::int64_t>& startable) const;

  int ports_;
  std::vector<int> sending_, receiving_;
  std::unordered_map<void const*, Message> running_;
  std::unordered_set<void const*> passing_;
  /// By their numbers, in the order in which they became ready.
  std::unordered_map<std::int64_t, Message> waiting_;
  std::vector<std::set<std::int64_t>> waiting_from_, waiting_to_;
  std::int64_t next_number_ = 0;
  std::vector<Message> ended_;  ///< at this moment
  std::function<void(void const*)> late_;
};

}  // namespace rondo
