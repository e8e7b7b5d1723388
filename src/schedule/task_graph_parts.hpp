#pragma once

// The relations between the tasks of a graph, in flat arrays: channels, dependents and meetings. Both checks and
// engines use them.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "schedule/task_graph.hpp"

namespace rondo {

inline constexpr std::uint32_t no_task = 0xffff'ffff;
inline constexpr std::uint32_t no_channel = 0xffff'ffff;

/// The channels of a graph. Sends and receives of one source, one target and one tag share a channel, in which the k-th
/// send meets the k-th receive.
struct Channels {
  std::vector<std::uint32_t> of;  ///< by task; no_channel: a calculation, or a partner rank that does not exist
  std::uint32_t count = 0;
};
/// Numbers the channels of a graph.
Channels channels(TaskGraph const& graph);

/// By task, the tasks that require it, in the order of their numbers.
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

/// Lets sends and receives meet in their channels. The end that comes first waits in the channel for its partner; so
/// only sends or only receives wait in a channel at any time.
class ChannelMatcher {
 public:
  ChannelMatcher(std::uint32_t channels, std::size_t tasks) : queues_(channels), next_(tasks, no_task) {}

  /// Returns the earliest task of the other kind that waits in the channel. If none waits, it returns no_task, and
  /// `task` waits from now on.
  std::uint32_t meet(std::uint32_t channel, std::uint32_t task, TaskKind kind);

 private:
  /// Tasks of one kind that wait in a channel.
  struct Queue {
    std::uint32_t head = no_task, tail = no_task;
    TaskKind kind = TaskKind::send;
  };
  std::vector<Queue> queues_;
  std::vector<std::uint32_t> next_;
};

/// The name of a task for errors: rank 3's line 17 (recv 8b from 1 tag 0), or rank 3's l2 (...) if it has no line.
std::string name_of(TaskGraph const& graph, std::uint32_t task);

/// The fault of a send and a receive that meet, in words; empty if they have the same size.
std::string size_fault(TaskGraph const& graph, std::uint32_t send, std::uint32_t receive);

/// The progress of a task. A send or receive has started when it is posted.
enum class TaskState : std::uint8_t { waits, started, finished };

/// One line about tasks that will never finish: a smallest circular wait if there is one, otherwise the first task that
/// waits for a partner that never comes; empty if all tasks have finished.
std::string deadlock_text(TaskGraph const& graph, Channels const& channels, std::vector<TaskState> const& state);

}  // namespace rondo
