#pragma once

// GOAL as LogGOPSim's txt2bin writes it and LogGOPSim reads it (Parser.hpp of spcl/LogGOPSim). Numbers are
// little-endian and nothing is padded:
//
//   u64 4223, u32 ranks, u8 greatest CPU, u8 greatest NIC, then by rank u64 begin, u64 end of its part, in bytes behind
//   the first number; the part of a rank: u32 tasks, u32 roots, u32 of each root, 39 bytes a task, then a list of u32:
//   numbers of tasks of the rank. A task: u32 requirements, u8 kind (1 send, 2 receive, 3 calculation), u32 peer, u64
//   bytes or nanoseconds, u32 tag, u8 CPU, u8 NIC, and twice u32 how many, u32 from where in the list: tasks that wait
//   for its end, and for its start. A root is a task without requirements.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "schedule/task_graph.hpp"

namespace rondo::goal_binary {

/// Whether a file that begins so is one, also one that LogGOPSim has worked off (--save-mem), which is refused.
bool begins(std::string_view bytes);

/// Reads the whole of a file. Throws InputError that names `name`, the byte, what was expected and what was found: for
/// a file that ends too early, parts that lie outside of it, kinds, peers and tasks that are none, receives from any
/// rank or of any tag, requirements that are not as many as a task says, and more than `most_ranks`.
TaskGraph read(std::string_view bytes, std::string const& name, std::int64_t most_ranks = most_goal_ranks);

/// Hands the graph to `sink` in this form, rank after rank.
void write(TaskGraph const& graph, std::function<void(std::string_view)> const& sink);

}  // namespace rondo::goal_binary
