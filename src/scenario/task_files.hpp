#pragma once

// Files with a schedule as tasks: GOAL, MSCCL XML and Chakra execution traces. The endings of their names tell them
// apart. The trace of rank 0, NAME.0.et, stands for those of all ranks, which lie beside it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rondo::scenario {

enum class TaskFormat : std::uint8_t { goal, msccl, chakra };

/// The format by the name: *.goal and *.bin (text or LogGOPSim's binary form in either), *.xml, *.et; unset for any
/// other file.
std::optional<TaskFormat> task_format(std::string const& file);

/// The name of a rank's trace, from that of rank 0.
std::string trace_of(std::string const& first, std::int64_t rank);
/// The number of ranks up to the last one with a trace beside that of rank 0; 0 if `file` is no trace of rank 0.
std::int64_t traced_ranks(std::string const& file);
/// The file itself; for a trace of rank 0 also the existing traces of the other ranks, in the order of the ranks.
std::vector<std::string> files_of_tasks(std::string const& file);

}  // namespace rondo::scenario
