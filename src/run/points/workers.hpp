#pragma once

// The pool of worker processes. It ensures that a point which crashes or uses up all memory does not take other
// points with it.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace rondo {

/// The size of the pool.
struct WorkerOptions {
  int jobs = 1;
  std::size_t ahead = 1;  ///< how many tasks a worker is given at once
  /// Called ten times a second, and at each signal, while there is nothing to do but wait. It may throw, which ends the
  /// workers.
  std::function<void()> while_waiting = {};
};

/// Calls work(task) for each of the tasks in forked processes, `jobs` at a time, and delivers the answers in the order
/// of the tasks, each one as soon as it and all before it exist. If a task's process ends without an answer (no other
/// process tries the task then), or `work` throws anything but an InputError, the answer is lost(task, why). Workers
/// die with their parent. An InputError of `work` is thrown after the answers before it. Throws std::system_error if no
/// process can be made.
void in_workers(std::vector<std::size_t> const& tasks, WorkerOptions const& options,
                std::function<std::string(std::size_t)> const& work,
                std::function<std::string(std::size_t, std::string const& why)> const& lost,
                std::function<void(std::size_t, std::string)> const& on_answer);

}  // namespace rondo
