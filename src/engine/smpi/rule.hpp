#pragma once

// Who says when messages start and end on the SMPI engine: not SimGrid, whose own limits on links serve flows in an
// order of their own, but the rules of docs/model.md, carried out where all ranks live in one process. SMPI matches
// sends and receives; the action of a message is held by a latency without end, and ended at a time that is set here.
// SimGrid follows the flows of bytes that share links.
//
// A moment lasts from its first event to the last that engine/instant.hpp takes for the same moment. What ends in it
// lets ranks go on and post, and at its close the rule goes on, for all at once.
//
// Times are Instants here, and SimGrid's clock only follows them: it goes on by a last bit where a moment closes.

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

/// What a message meets on its way: a start-up without bandwidth, then as long as its bytes take.
struct Holding {
  double startup = 0;  ///< seconds
  double bytes = 0;
  double bandwidth = 0;  ///< the most that it may have, bytes a second
  /// The links that it shares with others, so that SimGrid follows its flow; empty: it shares no bandwidth.
  std::vector<simgrid::s4u::Link*> links = {};
  /// Whether SimGrid would share these links by the latencies of routes, and has to be told to share them equally.
  bool weighted = false;
  /// Whether its bytes flow apart from SMPI's message: it chooses its route as it starts, or is several flows. The rest
  /// is of a route that it may not take.
  bool flows_apart = false;
};

/// The bytes of a message that flow apart from SMPI's message.
struct Flight {
  /// SimGrid's transfer of a flow, which is to be begun.
  struct Transfer {
    simgrid::s4u::CommPtr comm = {};
    simgrid::kernel::resource::Action* action = nullptr;
    Holding holding = {};
  };
  std::vector<Transfer> transfers = {};  ///< none where there are no bytes
  double startup = 0;
  /// Loads the route that was chosen for it, until it is gone.
  std::shared_ptr<void> load = {};
};
using Launch = std::function<Flight(int from, int to, std::int64_t bytes)>;

/// Each simulation has one, made before any message.
class SmpiRule {
 public:
  using Action = simgrid::kernel::resource::Action;

  /// `rank_of_part`: see Platform; all ranks here may be parts.
  SmpiRule(int ranks, std::vector<std::int32_t> rank_of_part);
  SmpiRule(SmpiRule const&) = delete;
  SmpiRule& operator=(SmpiRule const&) = delete;
  virtual ~SmpiRule() = default;

  /// A rank posts a send. Called in its actor, which may have to wait here.
  virtual void post(int from, int to, std::int64_t bytes) = 0;
  /// The ends of a message are both posted now, and SimGrid has made its action, whose latency is `without_end`.
  virtual void admit(Action& action, int from, int to, std::int64_t bytes, Holding const& holding) = 0;
  /// A rank's CPU works for so long, if the rule knows CPUs. Called in its actor, which waits here.
  virtual void work(int /*rank*/, Seconds /*time*/) {}
  /// The rank comes so much later, and waits until then in its actor. Its CPU does nothing before.
  void arrive(int rank, Seconds later);
  static constexpr double without_end = 1e30;
  /// What is added to works and start-ups; null: nothing. Before any message.
  void set_noise(Noise const* noise) { noise_ = noise; }
  /// The part posts this send of its program next, not the one behind its last.
  void number_next_send(int part, std::int64_t send) { next_send_[part] = send; }
  /// In the actor of a part, which waits here for the turn of its rank's CPU: parts that ask in one moment have it in
  /// their order. A part that has it keeps it.
  void take_turn(int part);
  /// Gives back the turn, if the part has it.
  void end_turn(int part);
  /// What a rank sends to itself, which the rule does not touch.
  void let_pass(Action const& action, int rank) { passing_.emplace(&action, rank); }
  /// How many sends and receives of a rank have ended; what it sends to itself is one.
  std::int64_t ended(int rank) const { return ends_[static_cast<std::size_t>(rank)]; }
  /// The time of this moment, or of SimGrid's clock.
  Instant now() const;
  /// Messages that are none of SMPI's: tasks under flow timing.
  struct Apart {
    std::int64_t messages = 0;
    Bytes bytes = {};
    std::vector<Passage> passages = {};  ///< where messages are logged
  };
  Apart const& apart() const { return apart_; }
  void note(Passage const& passage);
  /// `call` is handed the action of each message, and when the message started.
  void on_start(std::function<void(void const*, double)> call) { started_ = std::move(call); }

 protected:
  /// How many ranks there are for so many parts.
  std::size_t seats(int parts) const {
    return static_cast<std::size_t>(rank_of_part_.empty() ? parts : rank_of_part_.back() + 1);
  }
  /// The rank that a part belongs to.
  int seat(int part) const { return rank_of_part_.empty() ? part : rank_of_part_[static_cast<std::size_t>(part)]; }
  Noise const* noise() const { return noise_; }
  /// Which send of the part's program it posts, if it posts in the order of its program as that one.
  std::int64_t number_of_send(int part, std::int64_t in_order);
  Seconds startup_noise(int part, std::int64_t send) const;
  void open_moment(Instant time);
  Instant moment() const { return moment_; }
  /// A moment that lasts no longer; it may be opened again.
  virtual void close_moment() = 0;
  /// At the close of a moment: parts get turns that nobody has. Whether any does, and goes on.
  bool grant_turns();
  /// A rank is away, or comes, if the rule knows CPUs.
  virtual void leave(int /*rank*/) {}
  virtual void come(int /*rank*/) {}
  /// SimGrid has ended this action, or given it up.
  virtual void release(void const* action) = 0;
  void started(void const* action, Instant time) const;
  /// The sends and receives that this message joins have ended.
  void count_end(int from, int to);
  /// Has SimGrid end the action now, or as soon after `date` as its clock allows.
  void end_action(Action& action, Instant date);
  /// A transfer whose bytes have flowed. SimGrid is not done with it before its clock goes on.
  void land(simgrid::s4u::CommPtr transfer);
  /// The bytes flow from then on.
  void begin_flow(Action& action, Holding const& holding, Instant begin);

 private:
  /// A rank that is still to come, and what its actor waits at.
  struct Late {
    int rank = 0;
    simgrid::s4u::SemaphorePtr gate;
  };

  /// A part that asks for the turn of its rank's CPU.
  struct Asking {
    int part = 0;
    simgrid::s4u::SemaphorePtr gate;
  };
  struct Turns {
    int holder = -1;
    std::deque<Asking> queue = {};
  };

  /// Flows that begin at one time.
  struct Beginning {
    std::vector<simgrid::s4u::Link*> links = {};
    std::vector<Action*> weighted = {};
  };

  bool let_arrive();

  Noise const* noise_ = nullptr;
  std::map<int, std::int64_t> next_send_;  ///< by part, where it was told
  std::vector<std::int32_t> rank_of_part_;
  std::vector<Asking> asking_;      ///< in this moment
  std::map<int, Turns> turns_;      ///< by rank, where parts have asked
  std::vector<std::int64_t> ends_;  ///< by rank
  std::multimap<Instant, Late> late_;
  std::unordered_map<void const*, int> passing_;
  std::map<double, Beginning> beginning_;  ///< by time, what begins then
  /// When actions begin that still have the weights of SimGrid.
  std::unordered_map<void const*, double> weighted_;
  std::function<void(void const*, double)> started_;
  Apart apart_;
  std::vector<simgrid::s4u::CommPtr> landed_;
  double landed_at_ = -1;  ///< the clock
  bool open_ = false;      ///< whether a moment lasts
  Instant moment_;         ///< its time
};

}  // namespace rondo
