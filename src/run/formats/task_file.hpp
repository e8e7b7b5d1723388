#pragma once

// Reads files that hold a schedule as tasks (scenario/task_files.hpp).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "problem/promise.hpp"
#include "scenario/task_files.hpp"
#include "schedule/block_graph.hpp"
#include "schedule/collective.hpp"
#include "schedule/prove.hpp"

namespace rondo {

using scenario::task_format;
using scenario::TaskFormat;

/// The name of a format in sentences.
char const* title(TaskFormat format);

/// The content of a file.
struct TaskFile {
  TaskFormat format{};
  BlockGraph graph;                   ///< without buffers if the file does not say how tasks move blocks
  std::optional<Collective> promise;  ///< that of the file itself
  std::string promise_name;           ///< empty without one
  Slots slots;                        ///< the messages that a channel of the format holds
  std::uint32_t tagged = 0;           ///< not 0: tags name blocks (schedule/goal_notes.hpp)
  bool has_collectives = false;       ///< whether tasks of Rondo replace collectives of the trace
  std::string checksum;               ///< of the content of all its files: "fnv1a:" and 16 hexadecimal digits
};

/// Notes a file as an input (base/file.hpp); with the trace of rank 0, also the traces of the other ranks beside it.
void note_tasks(std::string const& file);

/// Reads a file of this format. `chunk` is the size of a block in bytes, for formats that do not state it. Throws
/// InputError if the format refuses the file, and for more than `most_ranks` ranks. The trace of rank 0, NAME.0.et,
/// stands for those of all ranks, NAME.R.et; a missing one is an error. Collectives in traces use `algorithms`, or
/// their usual ones (trace_collectives.hpp).
TaskFile load_tasks(std::string const& file, TaskFormat format, Bytes chunk, std::int64_t most_ranks,
                    problem::CollectiveAlgorithms const& algorithms = {});

/// Gives every block of the graph so many bytes. A message whose blocks are unknown keeps its size.
void resize_blocks(BlockGraph& graph, Bytes block);

/// How many blocks all ranks send, copy and join; the number of messages if the file does not say how tasks move
/// blocks.
std::int64_t moves_of(BlockGraph const& graph);

}  // namespace rondo
