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

/// Whether a file with this beginning is binary GOAL. Files that LogGOPSim has worked off (--save-mem) count too, and
/// `read` refuses them.
bool begins(std::string_view bytes);

/// Reads a whole file. Throws InputError that says `name`, the byte, what was expected and what was found. It refuses a
/// file that ends too early, parts that lie outside the file, unknown kinds, peers and tasks, receives from any rank or
/// of any tag, a number of requirements that differs from what the task says, and more than `most_ranks` ranks.
TaskGraph read(std::string_view bytes, std::string const& name, std::int64_t most_ranks = most_goal_ranks);

/// Writes the graph in this form to `sink`, rank after rank.
void write(TaskGraph const& graph, std::function<void(std::string_view)> const& sink);

}  // namespace rondo::goal_binary
