#pragma once

// Collectives put together from collectives on groups of ranks; for this folder alone.

#include <cstdint>

#include "problem/classical.hpp"
#include "schedule/schedule.hpp"

namespace rondo::generate::classical {

/// The schedules of the parts (problem/composition.hpp), stage by stage, for any collective that has them. Messages
/// have the names of their parts as labels.
Schedule hierarchical(problem::Classical const& problem);

/// In how many pieces each block is cut, the same number for all: a vector that is sent in parts, or, where blocks lie
/// side by side in a vector that a part cuts, a block.
std::uint32_t pieces_of_hierarchical(problem::Classical const& problem);

}  // namespace rondo::generate::classical
