#pragma once

// Files that hold tasks instead of a scenario: GOAL, MSCCL XML and Chakra execution traces, told apart by the endings
// of their names.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "problem/promise.hpp"
#include "schedule/block_graph.hpp"
#include "schedule/collective.hpp"
#include "schedule/prove.hpp"

namespace rondo {

enum class TaskFormat : std::uint8_t { goal, msccl, chakra };

/// *.goal and *.bin, text or LogGOPSim's binary form in either; *.xml; *.et; unset: no file of tasks.
std::optional<TaskFormat> task_format(std::string const& file);
/// As sentences name what is in such a file.
char const* title(TaskFormat format);

struct TaskFile {
  TaskFormat format{};
  BlockGraph graph;                   ///< without buffers, where the file does not say what becomes of blocks
  std::optional<Collective> promise;  ///< that of the file itself
  std::string promise_name;           ///< empty without one
  Slots slots;                        ///< what a channel of it holds
  std::uint32_t tagged = 0;           ///< not 0: tags name blocks (schedule/goal_notes.hpp)
  std::string checksum;
};

/// Notes a file as an input (base/inputs.hpp), with the traces of the other ranks beside that of rank 0.
void note_tasks(std::string const& file);

/// Reads a file of a format. `chunk`: the bytes of a block, where the format does not say how large it is. Throws
/// InputError for what the format refuses, and for more than `most_ranks`. The trace of rank 0, NAME.0.et, stands for
/// those of all ranks, NAME.R.et beside it; one of them that is missing is an error too.
TaskFile load_tasks(std::string const& file, TaskFormat format, Bytes chunk, std::int64_t most_ranks);

/// Promises this in the place of what the file promises. Throws InputError that names `file` unless both have as many
/// ranks, where the file does not say what becomes of blocks, and where tags do not name the blocks of the promise.
void add_promise(TaskFile& tasks, problem::Promise const& promise, std::string const& file);

/// Blocks sent, copied and joined, all ranks; messages, where the file does not say what becomes of blocks.
std::int64_t moves_of(BlockGraph const& graph);

struct TaskFinding {
  std::string rule;    ///< the name of the fault
  std::string text;    ///< one line
  int line = 0;        ///< in the file; 0: no line of it
  bool broken = true;  ///< whether this is no schedule at all, rather than one that delivers something else
};

/// What the proof says of tasks.
struct TaskVerdict {
  std::optional<bool> delivered;  ///< unset where nobody promises anything
  std::int64_t violations = 0;
  std::vector<TaskFinding> first;
};

/// By `prove` where blocks are known, else by `check`.
TaskVerdict judge(TaskFile const& file);

}  // namespace rondo
