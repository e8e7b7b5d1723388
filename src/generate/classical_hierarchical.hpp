#pragma once

// The cut of collectives that are composed of collectives on groups of ranks, such as the ranks of a host; for this
// folder alone.

#include <cstdint>

#include "problem/classical.hpp"

namespace rondo::generate::classical {

/// The number of pieces into which each block is cut, the same for all blocks. A block is cut if it is a vector that is
/// sent in parts, or if it belongs to a vector that a part cuts.
std::uint32_t pieces_of_hierarchical(problem::Classical const& problem);

}  // namespace rondo::generate::classical
