#pragma once

// The exact search of additive_basis, for this folder alone.

#include <optional>
#include <vector>

namespace rondo::additive {

using Vector = std::vector<int>;

/// Finds `size` vectors, from 1 to exact_basis_size, such that each target is a sum of distinct ones; unset if no such
/// vectors exist. There must be at least one target. Targets are distinct, not 0, and have at most
/// exact_basis_dimensions dimensions.
std::optional<std::vector<Vector>> basis_of_size(std::vector<Vector> const& targets, int size);

}  // namespace rondo::additive
