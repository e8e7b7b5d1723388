#pragma once

// The methods of the native engine. simulate_native tries them from the fastest to the most general. Where a faster
// method gives a result, the more general ones would give exactly the same times.
// The functions at the end report deadlocks of schedules: the waits of all ranks, and the circular wait among them
// that explains the deadlock.

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "engine/native/messages.hpp"
#include "engine/native/transfer_times.hpp"
#include "engine/noise.hpp"
#include "schedule/parts.hpp"
#include "schedule/schedule.hpp"
#include "schedule/task_graph_parts.hpp"

namespace rondo::native {

/// Thrown after the deadline of a simulation.
struct TimedOut : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Thrown if a send and the receive that it meets have different sizes.
struct SizesDiffer : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The wall time that a simulation may take.
class Deadline {
 public:
  explicit Deadline(Seconds timeout);
  /// Throws TimedOut if the time is over. Every method calls it regularly.
  void check() const;

 private:
  std::optional<std::chrono::steady_clock::time_point> end_;
};

/// Throws SizesDiffer unless a send and the receive that it meets are of one size.
inline void expect_one_size(TaskGraph const& graph, Meeting const& ends) {
  if (graph.tasks[ends.send].amount != graph.tasks[ends.receive].amount) throw SizesDiffer(size_fault(graph, ends));
}

/// The conditions of a simulation: its wall time, whether the times of messages are logged, when each rank arrives
/// (empty: all at 0), the noise (null: none), and the parts whose schedule it is (null: the schedule is one of ranks).
struct Terms {
  Deadline deadline;
  Log log = Log::none;
  std::span<Seconds const> arrival = {};
  Noise const* noise = nullptr;
  Parts const* parts = nullptr;

  Seconds arrival_of(std::size_t rank) const { return arrival.empty() ? Seconds(0) : arrival[rank]; }
};

/// The result of a method: makespan, finish times, messages and bytes.
struct Run {
  Seconds makespan;
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
  std::vector<Seconds> finish;  ///< one for each rank, or a single one for all
  std::vector<MessageTimes> message_times = {};
};

/// Times one rank in place of all, in time independent of their number. Returns nothing unless it proves that all ranks
/// do the same at the same time. The conditions are: all follow one program of relative offsets; the sends of each
/// round are the receives of that round seen from the other end; and a message costs the same from whichever rank it
/// starts.
///
/// Why this suffices: take all ranks in the same state, each with f free send ports, f free receive ports and the same
/// messages posted. Sources take turns. Suppose that all sources before have started the first f of their messages, and
/// no others. Then a target of the next source has taken at most one message of each of these f places in the lists. So
/// the receive port for its own place is free, and this source starts its first f messages too. All ranks take the same
/// ports, and free them at the same times.
std::optional<Run> time_representative(Schedule const& schedule, Platform const& platform);

/// The order of messages does not depend on times that are sums over single rounds. If there are few rounds, doubles
/// are therefore sufficient: their sums are accurate to 1e-11.
inline constexpr int few_rounds = 1 << 16;

/// Times rounds in which each rank posts at most one send and one receive. A message starts when both its ends have
/// entered its round, no two messages compete for a port, and finish times follow from round to round. Returns nothing
/// if a round is not of this kind, or does not match within itself. Only the deadline and the arrivals of `terms`
/// count: the caller must not ask for a log, noise or parts.
std::optional<Run> time_one_ported_rounds(Schedule const& schedule, Platform const& platform, Terms const& terms);

/// Times any schedule with an event queue. If ranks are left waiting, the result is a Deadlock. `flow_links` has the
/// links that messages share; null: they share none.
struct Deadlock {
  std::string error;
};
std::variant<Run, Deadlock> time_with_events(Schedule const& schedule, Platform const& platform,
                                             FlowLinks const* flow_links, Terms const& terms);

/// Times any schedule under flow timing. If ranks are left waiting, the result is a Deadlock. With `ways` a message
/// takes the route of the message that has the same number there.
std::variant<Run, Deadlock> time_with_cpus(Schedule const& schedule, Platform const& platform,
                                           FlowLinks const& flow_links, Terms const& terms,
                                           Messages const* ways = nullptr);

/// Times one rank in place of all under flow timing, in time independent of their number. Returns nothing unless it
/// proves that all ranks do the same at the same time. The conditions are those of all_ranks_do_the_same; each rank has
/// a host of its own; and either the machine is their torus, or all pairs of hosts are alike and share no links.
///
/// Why this suffices: all ranks post the same at the same time, and their receives first, so no message arrives before
/// its receive is posted. A CPU takes messages only when it has no send left to post, so the k-th messages of all ranks
/// depart together. They have equal rates, as in time_representative_on_links: the NIC of every host carries one of
/// them out and one in. So equally many messages arrive together at all ranks. A CPU is idle only if it has nothing to
/// do, so a round ends at the same time in whatever order its messages are taken. Therefore one rank may receive its
/// own messages, as long as they flow like messages to the other ranks.
std::optional<Run> time_representative_with_cpus(Schedule const& schedule, Platform const& platform,
                                                 Deadline const& deadline);

/// Describes what keeps the tasks of a graph from going on when no event is left; nothing if all tasks have finished.
std::optional<Deadlock> deadlock_of(TaskProgress const& progress);

/// Times a graph under linear timing. Sends and receives occupy ports as in time_with_events, whatever their NICs. A
/// calculation occupies its CPU, and the calculations of one CPU run in the order in which they become ready. A send or
/// receive has started when it is posted. Sends that a rank posts at the same time keep their order. Tasks that finish
/// at the same time finish in the order of their numbers.
std::variant<Run, Deadlock> time_tasks(TaskGraph const& graph, Platform const& platform, FlowLinks const* flow_links,
                                       Terms const& terms);

/// Times a graph under flow timing. CPU 0 of a rank posts and takes messages, and calculates. It serves tasks in the
/// order in which they became ready; tasks that became ready in one step of a moment are served in the order of their
/// numbers. Other CPUs only calculate. A task has started when its CPU begins to serve it.
std::variant<Run, Deadlock> time_tasks_with_cpus(TaskGraph const& graph, Platform const& platform,
                                                 FlowLinks const& flow_links, Terms const& terms);

/// Times one rank in place of all on shared links, in time independent of their number. Returns nothing unless it
/// proves that all ranks do the same at the same time. The conditions are those of all_ranks_do_the_same, and the
/// machine is their torus, whose routes from one rank are the shifted routes from any other.
///
/// Why this suffices: ports are taken as in time_representative. Take all ranks with the same messages under way. Every
/// link of a given dimension and direction carries equally many flows of the k-th message: as many as that message has
/// links of this kind on its route. Consider rates in which all flows of the k-th message are equal. If such rates are
/// max-min fair for one rank whose routes cross a single link of each kind as often, then they are max-min fair for all
/// ranks; and the max-min fair solution is unique. So the messages of all ranks end together.
std::optional<Run> time_representative_on_links(Schedule const& schedule, Platform const& platform,
                                                Deadline const& deadline);

/// Whether the hosts form the torus of the schedule, with one rank on each in their order, and routes are minimal and
/// avoid no failed link.
bool machine_is_the_torus(Schedule const& schedule, Platform const& platform);

/// Whether the schedule is isomorphic, and the sends of each round are the receives of that round seen from the other
/// end. Then messages match within their rounds, and all ranks do the same.
bool all_ranks_do_the_same(Schedule const& schedule);

/// The schedule as one program of relative offsets, on a ring or on a hypercube, if all its ranks do the same relative
/// to themselves: they post the same sizes in the same order to the same relative ranks. Unset if they do not, or if
/// the peers are relative already. Copies within a rank and contents of messages may differ, because they take no time.
/// The check takes time in proportion to the messages.
std::optional<Schedule> relative(Schedule const& schedule);

/// Times one rank under LogGP in place of all. Returns nothing unless all ranks do the same at the same times. The
/// conditions are: all messages are eager and take time, so ranks only influence each other by later arrivals; and
/// no arrival falls into one moment with another event of its rank that was created in the same moment, so the
/// order of ranks decides nothing.
std::optional<Run> time_representative_loggp(Schedule const& schedule, LogGp const& model, Deadline const& deadline);

/// Times a graph under LogGP. The CPUs of a rank are busy until it arrives. With `first_of_part` (PartTasks) there is a
/// finish time for each part; all its tasks have ended then.
std::variant<Run, Deadlock> time_tasks_loggp(TaskGraph const& graph, LogGp const& model, Terms const& terms,
                                             std::span<std::uint32_t const> first_of_part = {});

/// A rank that waits forever, and one of the ranks for which it waits.
struct Wait {
  std::int32_t rank = 0;
  std::int32_t on = 0;  ///< `nobody` if that rank does not exist
  int round = 0;        ///< the round of `rank`
};

/// How far a rank has come. It posts its sends and receives in the order of their numbers.
struct RoundPosition {
  int round = 0;
  std::uint32_t send = 0, receive = 0;          ///< the numbers of the first send and receive of its round
  std::uint32_t send_end = 0, receive_end = 0;  ///< the numbers of the first send and receive of its next round
};

/// The waits of all ranks when nothing is under way: the sends and receives that only one end has posted.
/// `sender_continues` marks the messages whose sends do not block their senders.
std::vector<Wait> waits_of(Schedule const& schedule, Messages const& messages, std::vector<RoundPosition> const& ranks,
                           std::vector<bool> const& sender_continues);

/// One line about a deadlock: a smallest circular wait if there is one, otherwise the first wait for something that is
/// never posted. `waits` must not be empty.
std::string deadlock_text(int ranks, std::vector<Wait> const& waits);

}  // namespace rondo::native
