#pragma once

// The ports of ranks, given away by the rule of docs/model.md. SimGrid's own limits on links serve flows in an order of
// their own, and count a flow only after its latency. So ports are counted here, where all ranks live in one process: a
// message is held by a latency without end until it has its ports, and then ends, or begins to flow, at a time that is
// set here.
//
// A moment lasts from the first event of a time to the last that is equal but for rounding. What ends in it frees its
// ports, ranks go on and post, and at its close ports are given away, all at once.

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace simgrid::kernel::resource {
class Action;
}  // namespace simgrid::kernel::resource

namespace simgrid::s4u {
class Link;
}  // namespace simgrid::s4u

namespace rondo {

/// How long a message holds its ports: a start-up without bandwidth, then as long as its bytes take.
struct Holding {
  double startup = 0;  ///< seconds
  double bytes = 0;
  double bandwidth = 0;  ///< the most that it may have, bytes a second
  /// Those that it shares with others, so that SimGrid follows its flow; none: it shares no bandwidth.
  std::vector<simgrid::s4u::Link*> links = {};
};

/// Each simulation has one, made before any message.
class SmpiPorts {
 public:
  SmpiPorts(int ranks, int ports);
  SmpiPorts(SmpiPorts const&) = delete;
  SmpiPorts& operator=(SmpiPorts const&) = delete;

  /// A rank posts a send.
  void post(int from, int to, std::int64_t bytes);
  /// The ends of a message are both posted now, and SimGrid has made its action, whose latency is `without_end`.
  void admit(simgrid::kernel::resource::Action& action, int from, int to, std::int64_t bytes, Holding const& holding);
  static constexpr double without_end = 1e30;
  /// What a rank sends to itself and holds no port.
  void let_pass(simgrid::kernel::resource::Action const& action, int rank) { passing_.emplace(&action, rank); }
  /// How many sends and receives of a rank have ended; what it sends to itself is one.
  std::int64_t ended(int rank) const { return ends_[static_cast<std::size_t>(rank)]; }
  /// The time of this moment, or of SimGrid's clock, which is ahead of it by less than rounding.
  double now() const;
  /// `call` is handed the action of each message as it starts, and the time.
  void on_start(std::function<void(void const*, double)> call) { started_ = std::move(call); }

 private:
  /// When a send was posted: in which moment, and as which of its rank.
  struct Posted {
    std::int64_t moment = 0, place = 0;
  };
  /// The ends of a message that holds its ports, and when it ends if that is known.
  struct Running {
    int from = 0, to = 0;
    double end = 0;
  };
  struct Message {
    simgrid::kernel::resource::Action* action = nullptr;
    int from = 0, to = 0;
    Holding holding;
    Posted posted;
  };

  Posted posting_of(int from, int to, std::int64_t bytes);
  void open_moment(double time);
  void close_moment();
  void wait_in_order();
  void start_what_can();
  bool can_start(Message const& message) const;
  void start(Message const& message);
  void begin_flow(Message const& message, double date);
  void release(void const* action);
  void forget(std::int64_t number);
  void collect(std::set<std::int64_t> const& numbers, std::vector<std::int64_t>& startable) const;

  int ports_;
  std::vector<int> sending_, receiving_;
  std::vector<std::int64_t> posted_;  ///< by rank: its sends so far
  std::vector<std::int64_t> ends_;    ///< by rank
  /// Sends whose messages are not ready, in posting order; by source, target and size.
  std::map<std::tuple<int, int, std::int64_t>, std::deque<Posted>> sends_;
  std::vector<Message> ready_;              ///< in this moment
  std::vector<std::pair<int, int>> ended_;  ///< in this moment: sources and targets of messages
  bool open_ = false;                       ///< whether a moment lasts
  double moment_ = 0;                       ///< the time of this moment
  std::int64_t moments_ = 0;                ///< before this one
  std::unordered_map<void const*, Running> running_;
  std::unordered_map<void const*, int> passing_;
  /// By their numbers, in the order of their priority.
  std::unordered_map<std::int64_t, Message> waiting_;
  std::unordered_map<void const*, std::int64_t> number_;  ///< by action, of those that wait
  std::vector<std::set<std::int64_t>> waiting_from_, waiting_to_;
  std::int64_t next_number_ = 0;
  std::map<double, std::vector<simgrid::s4u::Link*>> beginning_;  ///< by time, the links of flows that begin then
  std::function<void(void const*, double)> started_;
};

}  // namespace rondo
