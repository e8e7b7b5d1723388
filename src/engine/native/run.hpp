#pragma once

// The parts of the native engine. simulate_native tries them from the fastest to the most general; each gives exactly
// the times that the next one would give.

#include <chrono>
#include <optional>
#include <span>
#include <stdexcept>

#include "engine/engine.hpp"
#include "engine/native/messages.hpp"
#include "engine/native/wiring.hpp"
#include "engine/noise.hpp"
#include "schedule/parts.hpp"
#include "schedule/task_graph_parts.hpp"

namespace rondo::native {

/// Thrown past the deadline of a simulation.
struct TimedOut : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Thrown where a send and a receive of different sizes meet.
struct SizesDiffer : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The wall time a simulation may take.
class Deadline {
 public:
  explicit Deadline(Seconds timeout);
  /// Throws TimedOut when the time is over; to be called now and then.
  void check() const;

 private:
  std::optional<std::chrono::steady_clock::time_point> end_;
};

/// Throws SizesDiffer unless a send and the receive that it meets are of one size.
inline void expect_one_size(TaskGraph const& graph, std::uint32_t send, std::uint32_t receive) {
  if (graph.tasks[send].amount != graph.tasks[receive].amount) throw SizesDiffer(size_fault(graph, send, receive));
}

/// How a simulation runs: its wall time, whether it keeps the times of messages, when each rank comes (empty: all at
/// 0), what noise there is (null: none), and what the parts are whose schedule it is (null: its ranks are ranks, and
/// not parts).
struct Terms {
  Deadline deadline;
  Log log = Log::none;
  std::span<Seconds const> arrival = {};
  Noise const* noise = nullptr;
  Parts const* parts = nullptr;

  Seconds arrival_of(std::size_t rank) const { return arrival.empty() ? Seconds(0) : arrival[rank]; }
};

/// Makespan, finish times, messages and bytes.
struct Run {
  Seconds makespan;
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
  std::vector<Seconds> finish;  ///< one for each rank, or a single one for all
  std::vector<Passage> passages = {};
};

/// Times one rank in place of all, in time independent of their number. Nothing unless it is proven here that all ranks
/// do the same at the same time: all follow one program of relative offsets, the sends of each round are the receives
/// of that round seen from the other end, and a message costs the same from whichever rank it starts.
///
/// Why that suffices: take all ranks in the same state, each with f free send ports, f free receive ports and the same
/// messages posted. Sources take turns. If all before have started the first f of their messages, and no others, then a
/// target of the next one has taken at most one message of each of these f places in the lists; so the receive port
/// for its own place is free, and it starts its first f messages too. All ranks take the same ports, and free them at
/// the same times.
std::optional<Run> time_representative(Schedule const& schedule, Platform const& platform);

/// No order of messages follows from times that are sums of single rounds. Doubles do where rounds are few: their sums
/// are good to 1e-11 then.
inline constexpr int few_rounds = 1 << 16;

/// Times rounds in which each rank posts at most one send and one receive: a message starts when both its ends have
/// entered its round, no port is ever contended for, and finish times follow from round to round. Nothing if a round is
/// not of this kind, or does not match in itself.
std::optional<Run> time_one_ported_rounds(Schedule const& schedule, Platform const& platform, Terms const& terms);

/// Times any schedule with an event queue. A schedule that leaves ranks waiting is an Outcome of failure `deadlock`.
/// `wiring` is what messages share; null: nothing.
struct Deadlock {
  std::string error;
};
std::variant<Run, Deadlock> time_with_events(Schedule const& schedule, Platform const& platform, Wiring const* wiring,
                                             Terms const& terms);

/// Times any schedule under flow timing. A schedule that leaves ranks waiting is an Outcome of failure `deadlock`.
/// With `ways` a message takes the way of that one which has its number there.
std::variant<Run, Deadlock> time_with_cpus(Schedule const& schedule, Platform const& platform, Wiring const& wiring,
                                           Terms const& terms, Messages const* ways = nullptr);

/// Times one rank in place of all under flow timing, in time independent of their number. Nothing unless it is proven
/// here that all ranks do the same at the same time: all do the same (below), each rank has a host of its own, and
/// either the machine is their torus, or all pairs of hosts are alike and share no links.
///
/// Why that suffices: all ranks post the same at the same time, their receives first, so that no message comes too
/// early. A CPU takes messages only when it has no send left to post, so that all ranks' k-th messages go off together.
/// They have one rate, as time_representative_on_links has it: the NIC of every host carries one of them out and one
/// in. So at all ranks equally many messages arrive together. A CPU is idle only if it has nothing to do, so that a
/// round ends at one time in whatever order it takes them. Thus one rank may as well receive its own messages, if they
/// flow as to the others.
std::optional<Run> time_representative_with_cpus(Schedule const& schedule, Platform const& platform,
                                                 Deadline const& deadline);

/// What keeps the tasks of a graph from going on, once no event is left; nothing if all have finished.
std::optional<Deadlock> deadlock_of(TaskGraph const& graph, Channels const& channels,
                                    std::vector<TaskState> const& state);

/// Times a graph under linear timing: sends and receives hold ports as in time_with_events, whatever their NICs; a
/// calculation holds its CPU, and calculations of one CPU run in the order in which they become ready. A send or
/// receive has started when it is posted. Sends that a rank posts at the same time keep their order. Tasks that finish
/// at the same time do so in the order of their numbers.
std::variant<Run, Deadlock> time_tasks(TaskGraph const& graph, Platform const& platform, Wiring const* wiring,
                                       Terms const& terms);

/// Times a graph under flow timing. CPU 0 of a rank posts and takes messages, and calculates; it does what tasks ask of
/// it in the order in which they became ready, those of one step of a moment in the order of their numbers. Other CPUs
/// only calculate. A task has started when its CPU turns to it.
std::variant<Run, Deadlock> time_tasks_with_cpus(TaskGraph const& graph, Platform const& platform, Wiring const& wiring,
                                                 Terms const& terms);

/// Times one rank in place of all on shared links, in time independent of their number. Nothing unless it is proven
/// here that all ranks do the same at the same time: all do the same (below), and the machine is their torus, whose
/// routes from a rank are those from any other, moved.
///
/// Why that suffices: ports are taken as time_representative has it. Take all ranks with the same messages under way. A
/// link of a dimension and direction carries as many flows of the k-th message as every other such link: as many as
/// that message has links of this kind on its route. So the rates in which all flows of the k-th message are equal, and
/// which are max-min fair for one rank whose routes cross a single link of each kind as often, are max-min fair for
/// all; and there is but one such solution. Messages of all ranks end together.
std::optional<Run> time_representative_on_links(Schedule const& schedule, Platform const& platform,
                                                Deadline const& deadline);

/// Whether the hosts form the torus of the schedule, a rank on each in their order, and routes are those of `minimal`
/// with no link that has failed.
bool machine_is_the_torus(Schedule const& schedule, Platform const& platform);

/// Whether the schedule is isomorphic, and the sends of each round are the receives of that round seen from the other
/// end: messages then match within their rounds, and all ranks do the same.
bool all_ranks_do_the_same(Schedule const& schedule);

/// The schedule as one program of relative offsets, on a ring of its ranks or on a hypercube, if all its ranks do the
/// same as seen from each of them: they post the same sizes in the same order to the same relative ranks. Nothing if
/// they do not, or if its peers are relative already. Copies within a rank and contents of messages may differ: neither
/// takes time. Takes time in proportion to the messages.
std::optional<Schedule> relative(Schedule const& schedule);

/// Times one rank under LogGP in place of all. Nothing unless all ranks do the same and each does it at the same times:
/// all messages are eager and take time, so that ranks touch each other only by arrivals at later times; and never do
/// an arrival and another event of a rank fall in one moment and have come into being in one moment, so that the
/// order in which ranks stand decides nothing.
std::optional<Run> time_representative_loggp(Schedule const& schedule, LogGp const& model, Deadline const& deadline);

/// Times a graph under LogGP. The CPUs of a rank are taken until it comes. With `first_of_part` (PartTasks) the finish
/// is that of each part, whose tasks all have ended.
std::variant<Run, Deadlock> time_tasks_loggp(TaskGraph const& graph, LogGp const& model, Terms const& terms,
                                             std::span<std::uint32_t const> first_of_part = {});

}  // namespace rondo::native
