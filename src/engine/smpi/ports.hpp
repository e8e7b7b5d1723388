#pragma once

// Linear timing on the SMPI engine: gives away the ports of ranks by the rule of docs/model.md. SimGrid's own limits
// are not used, because they would count a flow only after its latency. A message that has its ports ends, or begins to
// flow, at a time that is set here. At the end of a moment all free ports are given away together.

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

/// The rule of linear timing.
class SmpiPorts : public SmpiRule {
 public:
  /// `launch` makes the transfers of messages whose bytes flow separately.
  SmpiPorts(int ranks, std::vector<std::int32_t> rank_of_part, int ports, Launch launch);

  void post(int from, int to, std::int64_t bytes) override;
  void admit(Action& action, int from, int to, std::int64_t bytes, TransferCost const& transfer) override;

 private:
  /// When a send was posted: in which moment, as which send of its rank, and its number in the program of its rank.
  struct Posted {
    std::int64_t moment = 0, place = 0, send = 0;
  };
  /// A message that occupies ports: its ends, and the time of its end if it is known.
  struct Running {
    int from = 0, to = 0;
    Instant end;
    std::shared_ptr<void> load = {};
    std::size_t flows = 0;  ///< how many separate flows have not ended
  };
  struct Message {
    Action* action = nullptr;
    int from = 0, to = 0;
    std::int64_t bytes = 0;  ///< of the payload
    TransferCost transfer;
    Posted posted;
  };

  void close_moment() override;
  void release(void const* action) override;
  Posted new_posting(int from);
  Posted posting_of(int from, int to, std::int64_t bytes);
  void wait_in_order();
  void start_ready_messages();
  bool can_start(Message const& message) const;
  void start(Message const& message);
  void launch(Message const& message);
  void forget(std::int64_t number);
  void collect(std::set<std::int64_t> const& numbers, std::vector<std::int64_t>& startable) const;

  int ports_;
  Launch launch_;
  /// By the action of a transfer: the message of SMPI to which it belongs.
  std::unordered_map<void const*, std::pair<Action*, simgrid::s4u::CommPtr>> moving_;
  std::vector<int> sending_, receiving_;
  std::vector<std::int64_t> posted_;  ///< by rank: the number of its sends so far
  /// Posted sends whose messages are not ready, by source, target and size, in posting order.
  std::map<std::tuple<int, int, std::int64_t>, std::deque<Posted>> sends_;
  std::vector<Message> ready_;              ///< the messages that became ready in this moment
  std::vector<std::pair<int, int>> ended_;  ///< the sources and targets of messages that ended in this moment
  std::int64_t moments_ = 0;                ///< the number of moments before this one
  std::unordered_map<void const*, Running> running_;
  /// The messages that wait for ports, by their number, which is their priority.
  std::unordered_map<std::int64_t, Message> waiting_;
  std::unordered_map<void const*, std::int64_t> number_;  ///< by action: the number of a message that waits
  std::vector<std::set<std::int64_t>> waiting_from_, waiting_to_;
  std::int64_t next_number_ = 0;
};

}  // namespace rondo
