#pragma once

// Takes a problem apart into phases that run one after the other. Only the composition in this folder uses it.

#include <optional>

#include "problem/composition_parts.hpp"

namespace rondo::problem {

/// The phases of all levels, for the whole vector or for a segment of it. Without share data the parts have no shares,
/// which is enough to see whether they fit. Throws HierarchyError if the hierarchy does
/// not fit the problem.
Phases phases_of(Classical const& problem, ShareData share_data, std::optional<Slice> const& segment = {});

}  // namespace rondo::problem
