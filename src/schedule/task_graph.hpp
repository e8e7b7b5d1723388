#pragma once

// A TaskGraph holds exactly what GOAL can express [Hoefler09]. Each rank has tasks (send, receive, calculate), and a
// task starts once all tasks that it requires have finished, or have started. Tasks of a rank that do not require
// each other may run in any order and at the same time, as far as CPUs, NICs and ports allow. Sends and receives of
// two ranks match by tag; those of one tag match in the order in which they are posted.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.hpp"
#include "schedule/schedule.hpp"

namespace rondo {

/// What a task does.
enum class TaskKind : std::uint8_t { send, receive, calc };

/// A task. For a calculation `amount` is nanoseconds, otherwise bytes.
struct Task {
  TaskKind kind = TaskKind::calc;
  std::uint8_t cpu = 0;
  std::uint8_t nic = 0;
  std::int32_t peer = 0;    ///< the other rank of a send or receive
  std::uint32_t tag = 0;    ///< the tag of a send or receive
  std::int64_t amount = 0;  ///< bytes of a send or receive, nanoseconds of a calculation
  friend bool operator==(Task const&, Task const&) = default;
};

/// Which event of a task another task waits for.
enum class Until : std::uint8_t { finish, start };

/// Task `task` requires task `on`. Both belong to one rank and are given by their numbers in TaskGraph::tasks.
struct Requirement {
  std::uint32_t task = 0;
  std::uint32_t on = 0;
  Until until = Until::finish;
  friend bool operator==(Requirement const&, Requirement const&) = default;
};

/// The places of tasks in the source of a graph: by task its line in a text, or its number in a trace; empty if there
/// is none. It is not part of the meaning of a graph, so any two compare equal.
struct TaskLines {
  std::vector<std::uint32_t> of;
  std::vector<std::uint64_t> nodes;
  friend bool operator==(TaskLines const&, TaskLines const&) { return true; }
};

/// The tasks of all ranks, by rank.
struct TaskGraph {
  std::vector<Task> tasks;              ///< rank after rank
  std::vector<std::uint32_t> first{0};  ///< by rank: the number of its first task; at the end the number of all tasks
  std::vector<Requirement> requirements;
  TaskLines lines;

  int ranks() const { return static_cast<int>(first.size()) - 1; }
  std::span<Task const> of(Rank rank) const {
    auto const r = static_cast<std::size_t>(rank.value);
    return std::span(tasks).subspan(first[r], first[r + 1] - first[r]);
  }
  /// The rank that has this task.
  Rank rank_of(std::uint32_t task) const;

  friend bool operator==(TaskGraph const&, TaskGraph const&) = default;
};

/// The schedule as tasks. A rank posts the receives and sends of a round, in their order, once all those of its round
/// before have finished. If every task of a round required every task of the round before, there could be very many
/// requirements; then an empty calculation stands between the rounds. Local copies take no time and are left out.
/// Throws InputError if there are more than 2^32 - 2 tasks, or if the bytes of a message overflow.
TaskGraph lower(Schedule const& schedule);
/// The tasks of one rank alone; their peers are ranks of the schedule.
TaskGraph lower(Schedule const& schedule, Rank rank);

/// Faults that make it impossible to run a graph.
struct TaskFaults {
  std::int64_t count = 0;
  std::vector<std::string> first;  ///< the first `most` of them, a line each
  static constexpr std::size_t most = 1000;
};
/// Finds the faults that make it impossible to run a graph, one line for each, by rank: sends and receives that do not
/// meet or that differ in size, partners that do not exist, and a deadlock that occurs even if no send waits for its
/// receive, described by a smallest circular wait. If only the order of messages decides whether sizes fit, it reports
/// nothing: order takes time, so engines have to find out. Tasks are named by their lines or nodes, or, without
/// these, as write_goal names them.
TaskFaults check(TaskGraph const& graph);

/// The number of the next task of a graph. Throws InputError if it would be 2^32 - 1, which means no task.
std::uint32_t next_task(TaskGraph const& graph);

/// What a send waits for. buffered: nothing, because its message lies in a buffer until a receive takes it (MPI's eager
/// protocol). synchronous: the start of its receive (rendezvous).
enum class Sends : std::uint8_t { buffered, synchronous };

/// Whether all tasks of a graph end. It posts every task as soon as that can start, and tasks that can start together
/// in their order. If nothing else orders the messages of a channel, an engine may take them in a different order.
bool ends(TaskGraph const& graph, Sends sends);
/// The reason why a graph does not end, in one line: a smallest circular wait, or a task whose partner never comes;
/// empty if it ends.
std::string deadlock_text(TaskGraph const& graph, Sends sends);

/// Writes the graph to `sink` piece by piece as GOAL text [Hoefler09], for read_goal or LogGOPSim. Task i of a rank,
/// counted from 1, has the label li.
void write_goal(TaskGraph const& graph, std::function<void(std::string_view)> const& sink);
/// Writes lower(schedule) rank by rank, so that the whole graph is never in memory.
void write_goal(Schedule const& schedule, std::function<void(std::string_view)> const& sink);

/// Limits of ranks, so that a short text does not take gigabytes for ranks of which it says nothing: for all texts, and
/// for texts that have fewer bytes than ranks.
inline constexpr std::int64_t most_goal_ranks = std::int64_t{1} << 24;
inline constexpr std::int64_t most_undescribed_ranks = std::int64_t{1} << 20;
/// Reads GOAL text: num_ranks N, then for each rank of 0 .. N-1, in any order and at most once, rank R { statements }.
/// A statement ends with its line, a semicolon or the closing brace:
///   [LABEL:] send BYTESb to RANK [tag T] [cpu C] [nic I]
///   [LABEL:] recv BYTESb from RANK [tag T] [cpu C] [nic I]
///   [LABEL:] calc NANOSECONDS [cpu C]
///   LABEL requires LABEL
///   LABEL irequires LABEL
/// Comments are // to the end of the line and /* */. Receives from any rank or of any tag (-1) are refused. Throws
/// InputError that names `name`, line and column, what was expected and what was found. It is thrown at once if N is
/// greater than `most_ranks`, or greater than both `most_undescribed_ranks` and the number of bytes of the text.
TaskGraph read_goal(std::string_view text, std::string const& name, std::int64_t most_ranks = most_goal_ranks);

}  // namespace rondo
