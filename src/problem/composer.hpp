#pragma once

// A problem taken apart into phases, one after the other; for the composition of this folder alone.

#include <optional>

#include "problem/composition_parts.hpp"

namespace rondo::problem {

/// The phases of all levels, of the whole or of a segment of the vector. Throws HierarchyError where the hierarchy does
/// not fit the problem.
Phases phases_of(Classical const& problem, bool with_data, std::optional<Slice> const& segment = {});

}  // namespace rondo::problem
