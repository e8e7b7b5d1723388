#pragma once

// How the tasks of a graph hang together, in flat arrays; what checks and engines have in common.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "schedule/task_graph.hpp"

namespace rondo {

inline constexpr std::uint32_t no_task = 0xffff'ffff;
inline constexpr std::uint32_t no_channel = 0xffff'ffff;

/// Sends and receives of one source, one target and one tag share a channel: there they match first to first.
struct Channels {
  std::vector<std::uint32_t> of;  ///< by task; no_channel: a calculation, or a partner that is no rank
  std::uint32_t count = 0;
};
Channels channels(TaskGraph const& graph);

/// By task, the tasks that require it, in their order.
class Dependents {
 public:
  Dependents(TaskGraph const& graph, Until until);
  std::span<std::uint32_t const> of(std::uint32_t task) const {
    return std::span(tasks_).subspan(first_[task], first_[task + 1] - first_[task]);
  }

 private:
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> tasks_;
};

/// By task, how many requirements it has.
std::vector<std::uint32_t> requirement_counts(TaskGraph const& graph);

/// The other end that comes first to a channel waits there for its partner: sends or receives, never both.
class Meeting {
 public:
  Meeting(std::uint32_t channels, std::size_t tasks) : queues_(channels), next_(tasks, no_task) {}

  /// The earliest task of the other kind that waits in the channel; no_task: the task now waits itself.
  std::uint32_t meet(std::uint32_t channel, std::uint32_t task, TaskKind kind);

 private:
  struct Queue {
    std::uint32_t head = no_task, tail = no_task;
    TaskKind kind = TaskKind::send;
  };
  std::vector<Queue> queues_;
  std::vector<std::uint32_t> next_;
};

/// A task as errors name it: rank 3's line 17 (recv 8b from 1 tag 0), or rank 3's l2 (...) where it has no line.
std::string name_of(TaskGraph const& graph, std::uint32_t task);

/// What is wrong with a send and a receive that meet; empty if they are of one size.
std::string size_fault(TaskGraph const& graph, std::uint32_t send, std::uint32_t receive);

/// How far a task has come; a send or receive has started when it is posted.
enum class TaskState : std::uint8_t { waits, started, finished };

/// One line on tasks of which some will never finish: a smallest circular wait if there is one, else the first task
/// that waits for a partner that never comes; empty if all have finished.
std::string describe_standstill(TaskGraph const& graph, Channels const& channels, std::vector<TaskState> const& state);

}  // namespace rondo
