#pragma once

// The relations between the tasks of a graph, in flat arrays: channels, dependents and meetings; and the progress of
// its tasks. Both checks and engines use them.

#include <cstdint>
#include <optional>
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

/// By task, the rank that does it.
std::vector<std::int32_t> ranks_of_tasks(TaskGraph const& graph);

/// A send and a receive that meet.
struct Meeting {
  std::uint32_t send, receive;
};

/// Lets sends and receives meet in their channels. The end that comes first waits in the channel for its partner; so
/// only sends or only receives wait in a channel at any time.
class ChannelMatcher {
 public:
  ChannelMatcher(std::uint32_t channels, std::size_t tasks) : queues_(channels), next_(tasks, no_task) {}

  /// A send or receive meets the earliest task of the other kind that waits in its channel. If none waits, the result
  /// is unset, and `task` waits from now on. Callers pass the kind, which they have read, because reading it here would
  /// wait for memory.
  std::optional<Meeting> meet(std::uint32_t channel, std::uint32_t task, TaskKind kind);

 private:
  /// Tasks of one kind that wait in a channel.
  struct Queue {
    std::uint32_t head = no_task, tail = no_task;
    TaskKind kind = TaskKind::send;
  };
  std::vector<Queue> queues_;        ///< by channel
  std::vector<std::uint32_t> next_;  ///< by task that waits: the next one in its channel
};

/// The name of a task for errors: rank 3's line 17 (recv 8b from 1 tag 0), or rank 3's l2 (...) if it has no line.
std::string name_of(TaskGraph const& graph, std::uint32_t task);

/// The fault of a send and a receive that meet, in words; empty if they have the same size.
std::string size_fault(TaskGraph const& graph, Meeting const& meeting);

/// The state of a task. A send or receive has started when it is posted.
enum class TaskState : std::uint8_t { waits, started, finished };

/// How far the tasks of a graph have come, while a check or an engine carries them out.
class TaskProgress {
 public:
  /// No task has started. Keeps a reference to the graph.
  explicit TaskProgress(TaskGraph const& graph);

  Channels const& channels() const { return channels_; }
  std::uint32_t channel(std::uint32_t task) const { return channels_.of[task]; }
  bool has_channel(std::uint32_t task) const { return channel(task) != no_channel; }
  /// Whether all requirements of the task are met.
  bool is_ready(std::uint32_t task) const { return open_[task] == 0; }
  bool has_finished(std::uint32_t task) const { return state_[task] == TaskState::finished; }

  /// The task has started. Calls met(task, is_ready) for each task that required this, in the order of their numbers.
  template <typename Met>
  void start(std::uint32_t task, Met const& met) {
    state_[task] = TaskState::started;
    meet(on_start_.of(task), met);
  }
  /// The task has finished. Calls met() as start() does.
  template <typename Met>
  void finish(std::uint32_t task, Met const& met) {
    state_[task] = TaskState::finished;
    meet(on_finish_.of(task), met);
  }

  /// One line about tasks that will never finish: a smallest circular wait if there is one, otherwise the first task
  /// that waits for a partner that never comes; empty if all tasks have finished.
  std::string deadlock() const;

 private:
  /// One requirement of each of these tasks is met.
  template <typename Met>
  void meet(std::span<std::uint32_t const> dependents, Met const& met) {
    for (std::uint32_t const task : dependents) met(task, --open_[task] == 0);
  }

  TaskGraph const& graph_;
  Channels channels_;
  Dependents on_start_, on_finish_;  ///< by task: the tasks that require its start, or its end
  std::vector<std::uint32_t> open_;  ///< by task: how many of its requirements are not met
  std::vector<TaskState> state_;     ///< by task
};

}  // namespace rondo
