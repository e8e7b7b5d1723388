#pragma once

// The exact search for a basis, which additive_basis (decomposition/additive_basis.hpp) uses.

#include <optional>
#include <vector>

namespace rondo::additive {

using Vector = std::vector<int>;

/// Finds `size` vectors such that each target is a sum of distinct ones of them. Returns nothing if no such vectors
/// exist. `size` must be from 1 to exact_basis_size. There must be at least one target. Targets must be distinct and
/// not 0, and must have at most exact_basis_dimensions dimensions.
std::optional<std::vector<Vector>> basis_of_size(std::vector<Vector> const& targets, int size);

}  // namespace rondo::additive
