#pragma once

// Linear timing on the SMPI engine: the ports of ranks, given away by the rule of docs/model.md. SimGrid's own limits
// would count a flow only after its latency. A message that has its ports ends, or begins to flow, at a time that is
// set here; at the close of a moment, ports are given away, all at once.

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/smpi/rule.hpp"

namespace rondo {

class SmpiPorts : public SmpiRule {
 public:
  /// `launch` is for messages whose bytes flow apart.
  SmpiPorts(int ranks, std::vector<std::int32_t> rank_of_part, int ports, Launch launch);

  void post(int from, int to, std::int64_t bytes) override;
  void admit(Action& action, int from, int to, std::int64_t bytes, Holding const& holding) override;

 private:
  /// When a send was posted: in which moment, and as which of its rank; and which one of its program it is.
  struct Posted {
    std::int64_t moment = 0, place = 0, send = 0;
  };
  /// The ends of a message that holds its ports, and when it ends if that is known.
  struct Running {
    int from = 0, to = 0;
    Instant end;
    std::shared_ptr<void> load = {};
    std::size_t flows = 0;  ///< that flow apart and have not ended
  };
  struct Message {
    Action* action = nullptr;
    int from = 0, to = 0;
    std::int64_t bytes = 0;  ///< of payload
    Holding holding;
    Posted posted;
  };

  void close_moment() override;
  void release(void const* action) override;
  Posted new_posting(int from);
  Posted posting_of(int from, int to, std::int64_t bytes);
  void wait_in_order();
  void start_what_can();
  bool can_start(Message const& message) const;
  void start(Message const& message);
  void launch(Message const& message);
  void forget(std::int64_t number);
  void collect(std::set<std::int64_t> const& numbers, std::vector<std::int64_t>& startable) const;

  int ports_;
  Launch launch_;
  /// By the action of its bytes: SMPI's message.
  std::unordered_map<void const*, std::pair<Action*, simgrid::s4u::CommPtr>> flying_;
  std::vector<int> sending_, receiving_;
  std::vector<std::int64_t> posted_;  ///< by rank: its sends so far
  /// Sends whose messages are not ready, in posting order; by source, target and size.
  std::map<std::tuple<int, int, std::int64_t>, std::deque<Posted>> sends_;
  std::vector<Message> ready_;              ///< in this moment
  std::vector<std::pair<int, int>> ended_;  ///< in this moment: sources and targets of messages
  std::int64_t moments_ = 0;                ///< before this one
  std::unordered_map<void const*, Running> running_;
  /// By their numbers, in the order of their priority.
  std::unordered_map<std::int64_t, Message> waiting_;
  std::unordered_map<void const*, std::int64_t> number_;  ///< by action, of those that wait
  std::vector<std::set<std::int64_t>> waiting_from_, waiting_to_;
  std::int64_t next_number_ = 0;
};

}  // namespace rondo
