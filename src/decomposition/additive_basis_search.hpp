#pragma once

// The exact search of additive_basis, for this folder alone.

#include <optional>
#include <vector>

namespace rondo::additive {

using Vector = std::vector<int>;

/// `size` vectors such that each target is a sum of distinct ones, or nothing if there are none. Targets are distinct
/// and not 0, at least one, of at most exact_basis_dimensions; 1 <= size <= exact_basis_size.
std::optional<std::vector<Vector>> basis_of_size(std::vector<Vector> const& targets, int size);

}  // namespace rondo::additive
