#pragma once

// The adapter to SimGrid: a Platform as SimGrid hosts and links, with the timing of docs/model.md. Each rank is a
// SimGrid host of its own, even if several ranks share a host of the machine.
//
// SmpiPorts, or SmpiFlow under flow timing, says when a message starts and ends. If messages share bandwidth, a flow of
// SimGrid begins after the start-up, over the shared NICs, memories and links, and never faster than the platform's
// bandwidth.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/ids.hpp"
#include "engine/engine.hpp"
#include "engine/instant.hpp"
#include "engine/noise.hpp"
#include "engine/smpi/flow.hpp"
#include "engine/smpi/rule.hpp"
#include "platform/paths.hpp"

namespace simgrid::s4u {
class Engine;
class Host;
class Link;
}  // namespace simgrid::s4u

namespace rondo {

/// What a message of a rank to itself stands for. message: an ordinary message. calculation: n bytes stand for a
/// calculation of n nanoseconds. copy: a local copy, which takes no time. Calculations and copies occupy no port, share
/// no bandwidth, and are not counted.
enum class SelfMessage : std::uint8_t { message, calculation, copy };

/// The flow of a message that is being launched.
struct LaunchedFlow {
  SizeClass size = {};
  int flow = 0;  ///< its number among the flows of the message
  std::int64_t payload = 0;
  std::vector<LinkId> route = {};  ///< only if messages choose their routes
};

/// The machine of a simulation. It is built once, after the engine's settings, and must not move before the end.
class SmpiMachine {
 public:
  /// Throws InputError if a platform file has too few hosts for the ranks, or hosts without NICs of their own. If
  /// SimGrid cannot read the file, SimGrid's own exception or abort ends the process.
  SmpiMachine(Platform const& platform, simgrid::s4u::Engine& engine, int ranks);
  SmpiMachine(SmpiMachine const&) = delete;
  SmpiMachine& operator=(SmpiMachine const&) = delete;

  simgrid::s4u::Host* host(Rank rank) const { return endpoints_[static_cast<std::size_t>(rank.value)].host; }
  /// The next message of the rank to itself represents the way back of an acknowledgement: it takes the start-up of a
  /// message from `from` to the rank, and no port. Only used if messages of a rank to itself are copies.
  void carry_acknowledgement(Rank rank, Rank from);
  /// How long the CPU of a rank takes to reduce this many bytes at the end of a round.
  Seconds reduction_time(Rank rank, int round, Bytes bytes) const;
  /// Called in the actor of the rank, which waits until its CPU has reduced for this time.
  void reduce(Rank rank, Seconds time) const;
  /// Called in the actor of a part, which waits until its rank's CPU has calculated for this time.
  void calculate(Rank part, Seconds time) const;
  Seconds calculation_noise(Rank part, Seconds time) const {
    return noise_ ? noise_->calculation(at(part), time) : Seconds(0);
  }
  /// Called in the actor of a part: until `release_cpu` its rank's CPU works for this part only.
  void take_cpu(Rank part) const;
  void release_cpu(Rank part) const { rule_->release_cpu(part.value); }
  /// Called in the actor of the rank, which waits for this time, as if it arrived later.
  void arrive(Rank rank, Seconds later) const { rule_->arrive(rank.value, later); }
  /// Called before any message.
  void set_noise(Noise const& noise);
  /// The next send that the rank posts has this number in its program, instead of the number after its last send.
  void number_next_send(Rank rank, std::int64_t send) const { rule_->number_next_send(rank.value, send); }
  /// Sets the meaning of messages of a rank to itself, before any message. Calculations are not possible on a platform
  /// file.
  void set_self_message(SelfMessage self_message) { self_message_ = self_message; }
  /// From now on the times of messages are logged.
  void log_messages();
  /// The times of the messages whose both ends have been posted since then, in the order in which this happened. After
  /// the simulation all of them have ended. Messages of tasks under flow timing are listed when they end.
  std::vector<MessageTimes> const& message_times() const {
    return message_times_.empty() ? rule_->outside_smpi().message_times : message_times_;
  }
  /// The simulated time of the current moment, so that all ranks that go on in one moment see the same time.
  Seconds now() const { return Seconds(rule_->now().value); }
  /// How many sends and receives of a rank have ended. A message to itself counts once.
  std::int64_t ended(Rank rank) const { return rule_->ended(rank.value); }
  /// The number of messages so far, and their payload. A message counts as soon as both its ends have been posted, but
  /// a message of tasks under flow timing when it ends.
  std::int64_t messages() const { return messages_ + rule_->outside_smpi().messages; }
  Bytes bytes() const { return Bytes(bytes_) + rule_->outside_smpi().bytes; }
  /// The rule, which must be that of flow timing.
  SmpiFlow& flow() const { return dynamic_cast<SmpiFlow&>(*rule_); }
  /// The payload that a rank has sent so far.
  Bytes sent(Rank rank) const { return endpoints_[static_cast<std::size_t>(rank.value)].sent; }

 private:
  /// The place of a rank: its host and, on a platform file, its links to the network.
  struct Endpoint {
    simgrid::s4u::Host* host = nullptr;
    simgrid::s4u::Link* up = nullptr;
    simgrid::s4u::Link* down = nullptr;
    Bytes sent = {};
    Seconds acknowledgement = {};  ///< the latency of the next message to itself, see carry_acknowledgement
  };

  class CostsOfFileRoutes;

  void build(int ranks);
  void load(PlatformFile const& file, simgrid::s4u::Engine& engine, int ranks);
  /// Gives a link so much bandwidth that no flow waits for it. Rondo then limits each message to `bandwidth`.
  void make_unlimited(simgrid::s4u::Link& link, double bandwidth);
  void set_timing(simgrid::s4u::Engine& engine);
  /// How long a message occupies its ports, and whether it flows over shared links.
  TransferCost transfer_cost(Endpoint const& from, Endpoint const& to, std::int64_t payload,
                             std::vector<simgrid::s4u::Link*> const& links) const;
  /// Log the start and the end of a message, which is identified by the address of SimGrid's action.
  void begin_message(void const* action, Endpoint const& from, Endpoint const& to, double size);
  void end_message(void const* action);
  int rank_of(Endpoint const& endpoint) const { return static_cast<int>(&endpoint - endpoints_.data()); }
  bool is_no_message(Endpoint const& from, Endpoint const& to) const {
    return self_message_ != SelfMessage::message && &from == &to;
  }
  /// Gives the action that SimGrid is about to start an endless latency, so that the rule can end it.
  void set_endless_latency(Endpoint const& from, Endpoint const& to, std::vector<simgrid::s4u::Link*> const& links);
  /// Begins a calculation or copy (SelfMessage). Returns its bandwidth factor, which accounts for SMPI's envelope.
  double begin_self_message(simgrid::kernel::resource::Action& action, Endpoint const& endpoint, double size);
  /// The latency factor for an acknowledgement that carry_acknowledgement announced; 0 if none was announced.
  double latency_of_acknowledgement(Endpoint& endpoint, std::vector<simgrid::s4u::Link*> const& links);
  /// Counts a message when SimGrid makes its action, and lets it wait for its ports. Returns its bandwidth factor.
  double admit(simgrid::kernel::resource::Action& action, Endpoint& from, Endpoint const& to, double size,
               std::vector<simgrid::s4u::Link*> const& links);

  /// Makes the transfers of a message's bytes, under flow timing and if routes are chosen when messages start.
  MessageFlows launch(int from, int to, std::int64_t bytes);
  void choose_route(MessageFlows& flows, Rank from, Rank to);

  Platform platform_;  ///< with the routes of its file
  Paths paths_;
  std::optional<RouteLoads> loads_;  ///< only if messages choose their routes
  LaunchedFlow launched_;
  std::optional<NicGaps> gaps_;  ///< only under flow timing
  std::vector<Endpoint> endpoints_;
  std::unique_ptr<SmpiRule> rule_;
  std::optional<Noise> noise_;
  /// The bandwidth to which Rondo limits each message, by link: the fat pipes and the NICs of a platform file.
  std::unordered_map<simgrid::s4u::Link const*, double> fat_pipes_;
  double latency_ = 0;                 ///< of the action that SimGrid is about to start
  MessageFlows* launching_ = nullptr;  ///< to which that action belongs; null if the action is a message of SMPI
  SelfMessage self_message_ = SelfMessage::message;
  std::int64_t messages_ = 0;
  std::int64_t bytes_ = 0;
  bool logs_ = false;
  std::vector<MessageTimes> message_times_;
  std::unordered_map<void const*, std::size_t> logged_;  ///< by action: its index in message_times_
};

/// SMPI adds this many bytes to the size of every message.
inline constexpr double smpi_envelope = 16;

/// The bandwidth of the one link that represents the CPUs of all ranks. A byte takes a nanosecond, and messages on this
/// link do not slow each other down.
inline constexpr double calculation_bandwidth = 1e9;

/// Whether `a` comes before `b` if numbers in names are compared as numbers: h2 before h10.
bool natural_less(std::string const& a, std::string const& b);

}  // namespace rondo
