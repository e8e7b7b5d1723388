#pragma once

// Work in processes of its own. The pool of workers ensures that a point which crashes or uses up all memory does
// not take other points with it. A child process with a time limit bounds the real time of work on a point.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/units.hpp"

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

/// Calls `make` within this much real time, in a process of its own, and returns its text. When the time is over, the
/// process is killed, whatever it was doing (reading, generating, proving, simulating). Returns failed(why) then, and
/// also if the process ends without a text or cannot be made. Prints what the process has printed. With a timeout of 0,
/// `make` runs in this process. Throws the InputError that `make` throws.
std::string text_with_timeout(Seconds timeout, std::function<std::string()> const& make,
                              std::function<std::string(std::string why)> const& failed);

}  // namespace rondo
