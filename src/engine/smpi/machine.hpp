#pragma once

// The adapter to SimGrid's platform interface: a Platform as SimGrid hosts and links, with the timing of docs/model.md.
// Each rank is a SimGrid host of its own, also where several share a host of the machine.
//
// SmpiPorts, or SmpiFlow under flow timing, says when a message starts and ends. Where it shares bandwidth, SimGrid's
// flow begins after the start-up, over the NICs, memories and links that are shared, none faster than the platform's
// bandwidth.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/ids.hpp"
#include "engine/engine.hpp"
#include "engine/nic_gaps.hpp"
#include "engine/noise.hpp"
#include "engine/smpi/flow.hpp"
#include "engine/smpi/rule.hpp"
#include "platform/wires.hpp"

namespace simgrid::s4u {
class Engine;
class Host;
class Link;
}  // namespace simgrid::s4u

namespace rondo {

/// What it is that a rank sends to itself. calculation: n bytes are a calculation of n nanoseconds; copy: it takes no
/// time. Neither holds a port, shares anything or is counted.
enum class ToItself : std::uint8_t { message, calculation, copy };

/// The flow of a message that is being launched.
struct LaunchedFlow {
  SizeClass size = {};
  int flow = 0;  ///< which one of its flows
  std::int64_t payload = 0;
  std::vector<LinkId> route = {};  ///< where messages choose theirs
};

/// Built once in a simulation, after the engine's settings; stays where it is until the simulation has ended.
class SmpiMachine {
 public:
  /// Throws InputError when a platform file has too few hosts for the ranks or hosts without a NIC of their own; what
  /// SimGrid throws, or aborts with, when it cannot read the file.
  SmpiMachine(Platform const& platform, simgrid::s4u::Engine& engine, int ranks);
  SmpiMachine(SmpiMachine const&) = delete;
  SmpiMachine& operator=(SmpiMachine const&) = delete;

  simgrid::s4u::Host* host(Rank rank) const { return seats_[static_cast<std::size_t>(rank.value)].host; }
  /// What the rank sends to itself next takes the start-up of a message from `from` to it, and no port: the way back of
  /// an acknowledgement. Only where self messages are copies.
  void carry_way_back(Rank rank, Rank from);
  /// How long a rank's CPU takes to join so many bytes behind a round.
  Seconds joining_time(Rank rank, int round, Bytes bytes) const;
  /// In the actor of the rank: it waits until its CPU has joined for so long.
  void join(Rank rank, Seconds time) const;
  /// In the actor of a part: it waits until its rank's CPU has calculated for so long.
  void calculate(Rank part, Seconds time) const;
  Seconds calculation_noise(Rank part, Seconds time) const {
    return noise_ ? noise_->calculation(at(part), time) : Seconds(0);
  }
  /// In the actor of a part: what it posts and joins until `end_turn`, its rank's CPU does without a break.
  void take_turn(Rank part) const;
  void end_turn(Rank part) const { rule_->end_turn(part.value); }
  /// In the actor of the rank: it waits for so long, as if it came later.
  void arrive(Rank rank, Seconds later) const { rule_->arrive(rank.value, later); }
  /// Before any message.
  void set_noise(Noise const& noise);
  /// The rank posts this send of its program next, and not the one behind its last.
  void number_next_send(Rank rank, std::int64_t send) const { rule_->number_next_send(rank.value, send); }
  /// Before any message. Calculations not on a platform file.
  void carry(ToItself to_itself) { to_itself_ = to_itself; }
  /// From now on the times of messages are kept.
  void log_messages();
  /// The messages since then that have ended, in the order in which their ends were both ready; by the simulation's
  /// clock.
  std::vector<Passage> const& passages() const { return passages_.empty() ? rule_->apart().passages : passages_; }
  /// The simulated time, by the rule of the ports: ranks that go on at one moment see one time.
  Seconds now() const { return Seconds(rule_->now().value); }
  /// How many sends and receives of a rank have ended; what it sends to itself is one.
  std::int64_t ended(Rank rank) const { return rule_->ended(rank.value); }
  /// The messages that have started so far, and their payload, as the network model saw them.
  std::int64_t messages() const { return messages_ + rule_->apart().messages; }
  Bytes bytes() const { return Bytes(bytes_) + rule_->apart().bytes; }
  /// The rule of flow timing.
  SmpiFlow& flow() const { return dynamic_cast<SmpiFlow&>(*rule_); }
  /// The payload that a rank has sent so far.
  Bytes sent(Rank rank) const { return seats_[static_cast<std::size_t>(rank.value)].sent; }

 private:
  /// Where a rank sits: its host and, on a platform file, its links to the network.
  struct Seat {
    simgrid::s4u::Host* host = nullptr;
    simgrid::s4u::Link* up = nullptr;
    simgrid::s4u::Link* down = nullptr;
    Bytes sent = {};
    Seconds way_back = {};  ///< that is announced
  };

  class WaysOfFile;

  void build(int ranks);
  void load(PlatformFile const& file, simgrid::s4u::Engine& engine, int ranks);
  void widen(simgrid::s4u::Link& link, double bandwidth);
  void set_timing(simgrid::s4u::Engine& engine);
  /// How long a message holds its ports; whether it flows depends on what its route shares.
  Holding holding_of(Seat const& from, Seat const& to, std::int64_t payload,
                     std::vector<simgrid::s4u::Link*> const& links) const;
  /// Actions by their addresses.
  void begin_passage(void const* action, Seat const& from, Seat const& to, double size);
  void end_passage(void const* action);
  int rank_of(Seat const& seat) const { return static_cast<int>(&seat - seats_.data()); }
  bool is_no_message(Seat const& from, Seat const& to) const { return to_itself_ != ToItself::message && &from == &to; }
  void hold(Seat const& from, Seat const& to, std::vector<simgrid::s4u::Link*> const& links);
  /// What is no message begins; its bandwidth factor, with SMPI's envelope.
  double let_pass(simgrid::kernel::resource::Action& action, Seat const& seat, double size);
  /// The factor that makes the latency of its route to itself what was announced.
  double latency_of_way_back(Seat& seat, std::vector<simgrid::s4u::Link*> const& links);
  /// Counts a message as SimGrid makes its action, and has it wait for its ports; its bandwidth factor.
  double admit(simgrid::kernel::resource::Action& action, Seat& from, Seat const& to, double size,
               std::vector<simgrid::s4u::Link*> const& links);

  /// The transfer of a message's bytes, under flow timing and where routes are chosen as messages start.
  Flight launch(int from, int to, std::int64_t bytes);
  void choose_route(Flight& flight, Rank from, Rank to);

  Platform platform_;  ///< with the ways of its file
  Paths paths_;
  std::optional<RouteLoads> loads_;  ///< where messages choose their routes
  LaunchedFlow launched_;
  std::optional<NicGaps> gaps_;  ///< under flow timing
  std::vector<Seat> seats_;
  std::unique_ptr<SmpiRule> rule_;
  std::optional<Noise> noise_;
  /// The bandwidths of links of a platform file that bound each message alone.
  std::unordered_map<simgrid::s4u::Link const*, double> fat_pipes_;
  double latency_ = 0;           ///< of the action that SimGrid is about to start
  Flight* launching_ = nullptr;  ///< whose action that is, if it is no message of SMPI
  ToItself to_itself_ = ToItself::message;
  std::int64_t messages_ = 0;
  std::int64_t bytes_ = 0;
  bool logs_ = false;
  std::vector<Passage> passages_;
  std::unordered_map<void const*, std::size_t> passing_;  ///< by action: its passage
};

/// SMPI adds this many bytes to the size of every message.
inline constexpr double smpi_envelope = 16;

/// The bandwidth of the link that stands for the CPUs of a rank: a byte takes a nanosecond, and any number of messages
/// may use the link at once.
inline constexpr double calculation_bandwidth = 1e9;

/// Whether `a` comes before `b` with numbers compared as numbers: h2 before h10.
bool natural_less(std::string const& a, std::string const& b);

}  // namespace rondo
