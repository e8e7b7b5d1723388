#pragma once

// The base class of the rules that say when messages start and end on the SMPI engine. SimGrid's own limits on links
// would serve messages in another order than docs/model.md states. Therefore Rondo itself decides when a message starts
// and ends. All ranks are actors of one process, so one object sees all messages. SMPI matches sends and receives.
// SimGrid's action of a message gets an endless latency, and the rule ends it at the right time. SimGrid only computes
// the flows of bytes that share links.
//
// A moment contains all events whose times differ only by rounding (engine/instant.hpp). During a moment ranks go on
// and post messages. At its end the rule acts once for all of these messages, so their order within the moment does not
// matter.
//
// Times are Instants here. SimGrid's clock only follows them: it advances to the next double when a moment closes.
//
// Several collectives of a workload may run at once. Then an actor is a part of a rank (schedule/parts.hpp) instead of
// a whole rank, and the parts of a rank share its CPU: a part holds the turn while it calculates. A parameter `part`,
// and the two ends `from` and `to` of a message, are numbers of actors, which are ranks if there are no parts.

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <simgrid/s4u/Comm.hpp>
#include <simgrid/s4u/Semaphore.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "engine/engine.hpp"
#include "engine/instant.hpp"
#include "engine/noise.hpp"

namespace simgrid::kernel::resource {
class Action;
}  // namespace simgrid::kernel::resource

namespace simgrid::s4u {
class Link;
}  // namespace simgrid::s4u

namespace rondo {

/// How a message travels: a start-up without bandwidth, then the time that its bytes take.
struct TransferCost {
  double startup = 0;  ///< seconds
  double bytes = 0;
  double bandwidth = 0;  ///< the largest rate of the message, in bytes per second
  /// The links that it shares with other messages, over which SimGrid computes its flow; empty: it shares no bandwidth.
  std::vector<simgrid::s4u::Link*> links = {};
  /// Whether SimGrid would give each flow on these links a share in inverse proportion to the latency of its route. The
  /// rule then sets equal weights.
  bool weighted = false;
  /// Whether its bytes flow separately from SMPI's message, because it chooses its route when it starts or has several
  /// flows. The other members then describe a route that it may not take.
  bool flows_apart = false;
};

/// The transfers of a message whose bytes flow separately from SMPI's message.
struct MessageFlows {
  /// SimGrid's transfer of one flow, which waits to be begun.
  struct Transfer {
    simgrid::s4u::CommPtr comm = {};
    simgrid::kernel::resource::Action* action = nullptr;
    TransferCost transfer = {};
  };
  std::vector<Transfer> transfers = {};  ///< empty if there are no bytes
  double startup = 0;
  /// The message counts in the loads of its route until the last copy of this pointer is gone.
  std::shared_ptr<void> load = {};
};
using Launch = std::function<MessageFlows(int from, int to, std::int64_t bytes)>;

/// The rule of a simulation. There is exactly one, and it is made before the first message.
class SmpiRule {
 public:
  using Action = simgrid::kernel::resource::Action;

  /// `rank_of_part` has the rank of each part, or is empty if there are no parts.
  SmpiRule(int ranks, std::vector<std::int32_t> rank_of_part);
  SmpiRule(SmpiRule const&) = delete;
  SmpiRule& operator=(SmpiRule const&) = delete;
  virtual ~SmpiRule() = default;

  /// Called in the actor of `from`, which posts a send and may wait here.
  virtual void post(int from, int to, std::int64_t bytes) = 0;
  /// Both ends of a message are posted now, and SimGrid has made its action, with the latency `without_end`.
  virtual void admit(Action& action, int from, int to, std::int64_t bytes, TransferCost const& transfer) = 0;
  /// Called in the actor of a part. If the rule has CPUs, the CPU of the part's rank works for this time, and the actor
  /// waits here.
  virtual void work(int /*part*/, Seconds /*time*/) {}
  /// Called in the actor of a part, which waits here for this time. The CPU of its rank does nothing meanwhile.
  void arrive(int part, Seconds later);
  static constexpr double without_end = 1e30;
  /// Sets the noise that is added to work and start-ups; null: none. Called before any message.
  void set_noise(Noise const* noise) { noise_ = noise; }
  /// The next send that the part posts has this number in its program, instead of the number after its last send.
  void number_next_send(int part, std::int64_t send) { next_send_[part] = send; }
  /// Called in the actor of a part, which waits here until its rank's CPU is free and then occupies it. Parts that ask
  /// in one moment get it in the order of their numbers. A part that has the CPU keeps it.
  void take_cpu(int part);
  /// Gives the CPU back, if the part has it.
  void release_cpu(int part);
  /// Called when a message of a part to itself begins. The rule does not time it, and only counts its end.
  void count_self_message(Action const& action, int part) { self_messages_.emplace(&action, part); }
  /// How many sends and receives of a part have ended. A message to itself counts once.
  std::int64_t ended(int part) const { return ends_[static_cast<std::size_t>(part)]; }
  /// The time of the current moment; if none is open, SimGrid's clock.
  Instant now() const;
  /// Messages that do not pass through SMPI: those of tasks under flow timing.
  struct OutsideSmpi {
    std::int64_t messages = 0;
    Bytes bytes = {};
    std::vector<MessageTimes> message_times = {};  ///< only if messages are logged
  };
  OutsideSmpi const& outside_smpi() const { return outside_smpi_; }
  /// Counts a message that does not pass through SMPI.
  void note(MessageTimes const& times);
  /// From now on `call` gets the action of each message and the time at which the message started.
  void on_start(std::function<void(void const*, double)> call) { started_ = std::move(call); }

 protected:
  /// The number of ranks of this many parts.
  std::size_t rank_count(int parts) const {
    return static_cast<std::size_t>(rank_of_part_.empty() ? parts : rank_of_part_.back() + 1);
  }
  /// The rank to which a part belongs.
  int rank_of(int part) const { return rank_of_part_.empty() ? part : rank_of_part_[static_cast<std::size_t>(part)]; }
  Noise const* noise() const { return noise_; }
  /// The number of the next send in the part's program: `in_order` unless number_next_send() gave another one.
  std::int64_t number_of_send(int part, std::int64_t in_order);
  Seconds startup_noise(int part, std::int64_t send) const;
  /// Opens a moment at this time, if none is open. It closes as soon as no actor can go on.
  void open_moment(Instant time);
  Instant moment() const { return moment_; }
  /// The end of a moment. The function may open the moment again.
  virtual void close_moment() = 0;
  /// Called at the end of a moment. Gives each free CPU to the first part that asked for it. Returns whether a part got
  /// one and goes on.
  bool grant_turns();
  /// Called when a rank begins to wait for its arrival, and when it has arrived. A rule with CPUs overrides both.
  virtual void begin_absence(int /*rank*/) {}
  virtual void end_absence(int /*rank*/) {}
  /// SimGrid has ended this action, or it was cancelled.
  virtual void release(void const* action) = 0;
  /// Reports the start of a message to the function that on_start() set.
  void started(void const* action, Instant time) const;
  /// Counts one ended send of `from` and one ended receive of `to`.
  void count_end(int from, int to);
  /// Makes SimGrid end the action at `date`, or now if that is past.
  void end_action(Action& action, Instant date);
  /// Keeps a transfer whose bytes have arrived until SimGrid's clock advances, because SimGrid still uses it until
  /// then.
  void end_transfer(simgrid::s4u::CommPtr transfer);
  /// Makes the bytes of a message flow from `begin` on.
  void begin_flow(Action& action, TransferCost const& transfer, Instant begin);

 private:
  /// A part that has not arrived, and the semaphore at which its actor waits.
  struct Late {
    int part = 0;
    simgrid::s4u::SemaphorePtr gate;
  };

  /// A part that asks for the turn of its rank's CPU.
  struct TurnRequest {
    int part = 0;
    simgrid::s4u::SemaphorePtr gate;
  };
  struct Turns {
    int holder = -1;
    std::deque<TurnRequest> queue = {};
  };

  /// The flows that begin at one time.
  struct StartingFlows {
    std::vector<simgrid::s4u::Link*> links = {};
    std::vector<Action*> weighted = {};
  };

  bool let_arrive();

  Noise const* noise_ = nullptr;
  std::map<int, std::int64_t> next_send_;  ///< by part; only if number_next_send() gave one
  std::vector<std::int32_t> rank_of_part_;
  std::vector<TurnRequest> turn_requests_;              ///< the parts that asked in this moment
  std::map<int, Turns> turns_;                          ///< by rank; only if parts have asked
  std::vector<std::int64_t> ends_;                      ///< by part
  std::multimap<Instant, Late> late_;                   ///< by arrival time: the actors that wait for it
  std::unordered_map<void const*, int> self_messages_;  ///< by action: the part that sends to itself
  std::map<double, StartingFlows> starting_flows_;      ///< by time
  /// The actions that still have SimGrid's weights, and when they begin.
  std::unordered_map<void const*, double> weighted_;
  std::function<void(void const*, double)> started_;
  OutsideSmpi outside_smpi_;
  std::vector<simgrid::s4u::CommPtr> finished_transfers_;  ///< which SimGrid still uses
  double finished_at_ = -1;                                ///< SimGrid's clock when `finished_transfers_` was filled
  bool open_ = false;                                      ///< whether a moment is open
  Instant moment_;                                         ///< its time
};

}  // namespace rondo
