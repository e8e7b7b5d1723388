#pragma once

// The pool of worker processes: a point that crashes or eats all memory takes no other with it.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace rondo {

struct WorkerOptions {
  int jobs = 1;
  std::size_t ahead = 1;  ///< how many tasks a worker is given at once
  /// Called ten times a second and at each signal while there is nothing to do but to wait; it may throw, which ends
  /// the workers.
  std::function<void()> while_waiting = {};
};

/// Does work(task) for each of the tasks in forked processes, `jobs` at a time, and hands the answers on in the order
/// of the tasks, each as soon as it and all before it are there. For a task whose process ends without an answer, which
/// is then tried by no other, or in which `work` throws anything but an InputError, lost(task, why) is the answer.
/// Workers die with their parent. Throws what `work` refuses as InputError, after the answers before it, and
/// std::system_error where no process can be made.
void in_workers(std::vector<std::size_t> const& tasks, WorkerOptions const& options,
                std::function<std::string(std::size_t)> const& work,
                std::function<std::string(std::size_t, std::string const& why)> const& lost,
                std::function<void(std::size_t, std::string)> const& on_answer);

}  // namespace rondo
