#pragma once

// Tasks from a file beside their promise, and the verdict on both.

#include <optional>
#include <string>
#include <vector>

#include "problem/promise.hpp"
#include "run/formats/task_file.hpp"

namespace rondo {

/// Promises this in the place of what the file promises, and returns it made ready. A promise that does not say in how
/// many pieces its blocks are cut has as many in MSCCL XML as the file has chunks for each. Throws InputError that
/// names `file` unless both have as many ranks, where the file does not say what becomes of blocks, and where tags do
/// not name the blocks of the promise.
problem::Promise add_promise(TaskFile& tasks, problem::Promise const& promise, std::string const& file);

struct TaskFinding {
  std::string rule;               ///< the name of the fault
  std::string text;               ///< one line
  int line = 0;                   ///< in the file; 0: no line of it
  bool broken = true;             ///< whether this is no schedule at all, rather than one that delivers something else
  std::optional<Rank> rank = {};  ///< unset: of no one rank
};

/// What the proof says of tasks.
struct TaskVerdict {
  std::optional<bool> delivered;  ///< unset where nobody promises anything
  std::int64_t violations = 0;
  std::vector<TaskFinding> first;
  /// Whether the tasks come to their end only if sends are buffered; unset where they do not even then, or something
  /// else is wrong.
  std::optional<bool> needs_buffered_sends = {};
};

/// By `prove` where blocks are known, else by `check`.
TaskVerdict judge(TaskFile const& file);

}  // namespace rondo
