#pragma once

// Files that hold a schedule as tasks (scenario/task_files.hpp), read.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "problem/custom.hpp"
#include "scenario/task_files.hpp"
#include "schedule/block_graph.hpp"
#include "schedule/collective.hpp"
#include "schedule/prove.hpp"

namespace rondo {

using scenario::task_format;
using scenario::TaskFormat;

/// As sentences name what is in such a file.
char const* title(TaskFormat format);

struct TaskFile {
  TaskFormat format{};
  BlockGraph graph;                   ///< without buffers, where the file does not say what becomes of blocks
  std::optional<Collective> promise;  ///< that of the file itself
  std::string promise_name;           ///< empty without one
  Slots slots;                        ///< what a channel of it holds
  std::uint32_t tagged = 0;           ///< not 0: tags name blocks (schedule/goal_notes.hpp)
  bool has_collectives = false;       ///< whether tasks of Rondo stand in the place of a trace's collectives
  std::string checksum;
};

/// Notes a file as an input (base/inputs.hpp), with the traces of the other ranks beside that of rank 0.
void note_tasks(std::string const& file);

/// Reads a file of a format. `chunk`: the bytes of a block, where the format does not say how large it is. Throws
/// InputError for what the format refuses, and for more than `most_ranks`. The trace of rank 0, NAME.0.et, stands for
/// those of all ranks, NAME.R.et beside it; one of them that is missing is an error too.
/// Collectives of traces go by `algorithms`, or by their usual ones (trace_collectives.hpp).
TaskFile load_tasks(std::string const& file, TaskFormat format, Bytes chunk, std::int64_t most_ranks,
                    problem::CollectiveAlgorithms const& algorithms = {});

/// Gives every block of the graph so many bytes; a message of which nobody says what blocks it carries keeps its own.
void resize_blocks(BlockGraph& graph, Bytes block);

/// Blocks sent, copied and joined, all ranks; messages, where the file does not say what becomes of blocks.
std::int64_t moves_of(BlockGraph const& graph);

}  // namespace rondo
