#pragma once

// The promises of schedules and tasks that come from files. A promise is resolved first: graphs are made, sizes are
// computed, blocks are cut. Then a check says whether a schedule fits its promise, and a verdict says whether tasks
// keep theirs.

#include <optional>
#include <string>
#include <vector>

#include "problem/promise.hpp"
#include "run/formats/task_file.hpp"
#include "schedule/collective.hpp"
#include "schedule/schedule.hpp"

namespace rondo {

/// A promise that is ready to be compared with a schedule: graphs are made, sizes are computed, blocks are cut.
struct ResolvedPromise {
  problem::Promise promise;
  Collective collective;
};

/// Throws InputError, which begins with `where` ("FILE: /promise"), for a graph that would be too large, wrong sizes,
/// and pieces that fit no reduction.
ResolvedPromise resolve_promise(problem::Promise const& promise, std::string const& where);

/// Throws InputError with the name of the schedule's file unless both have the same number of ranks, and the send slots
/// of each rank have the sizes of the blocks that the promise puts there.
void expect_fits(Schedule const& schedule, ResolvedPromise const& promised, std::string const& file);

/// Replaces the promise of the file by this one, and returns it completed. If a promise for MSCCL XML does not say into
/// how many pieces its blocks are cut, it gets as many as the file has chunks for each block. Throws InputError with
/// the name `file` unless both have the same number of ranks, if the file does not say how tasks move blocks, and if
/// tags do not name the blocks of the promise.
problem::Promise add_promise(TaskFile& tasks, problem::Promise const& promise, std::string const& file);

/// A fault of a task graph.
struct TaskFinding {
  std::string rule;               ///< the name of the fault
  std::string text;               ///< one line
  int line = 0;                   ///< in the file; 0: no line of it
  bool broken = true;             ///< the schedule is malformed; otherwise it delivers something else
  std::optional<Rank> rank = {};  ///< unset: of no one rank
};

/// The result of the proof of tasks.
struct TaskVerdict {
  std::optional<bool> delivered;  ///< unset without a promise
  std::int64_t violations = 0;
  std::vector<TaskFinding> first;
  /// Whether the tasks end only if sends are buffered; unset if they do not even end then, or if there is another
  /// fault.
  std::optional<bool> needs_buffered_sends = {};
};

/// Judges the tasks by `prove` if their blocks are known, otherwise by `check`.
TaskVerdict judge(TaskFile const& file);

}  // namespace rondo
