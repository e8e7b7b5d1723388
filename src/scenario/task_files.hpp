#pragma once

// Files that hold a schedule as tasks: GOAL, MSCCL XML and Chakra execution traces, told apart by the endings of their
// names. The trace of rank 0, NAME.0.et, stands for those of all ranks, which lie beside it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rondo::scenario {

enum class TaskFormat : std::uint8_t { goal, msccl, chakra };

/// *.goal and *.bin, text or LogGOPSim's binary form in either; *.xml; *.et; unset: no file of tasks.
std::optional<TaskFormat> task_format(std::string const& file);

/// The name of a rank's trace, by that of rank 0.
std::string trace_of(std::string const& first, std::int64_t rank);
/// The ranks up to the last one of which there is a trace beside that of rank 0; 0 where `file` is none of rank 0.
std::int64_t traced_ranks(std::string const& file);
/// The file, and the traces of the other ranks beside that of rank 0 which are there, by their ranks.
std::vector<std::string> files_of_tasks(std::string const& file);

}  // namespace rondo::scenario
