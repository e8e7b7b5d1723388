#pragma once

// Trees of single hops in a given order of steps, for this folder alone.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace rondo::steiner {

using Vector = std::vector<int>;

/// A hop that all ranks take: +1 or -1 along a dimension.
struct Step {
  int dimension = 0;
  int sign = 0;
  friend auto operator<=>(Step const&, Step const&) = default;
};

/// For each target the rounds (steps) in which the block that ends there moves, increasing.
using Rounds = std::vector<std::vector<int>>;

/// The blocks that are sent: different beginnings of the lists.
std::int64_t blocks(Rounds rounds);

/// The tree with the fewest blocks of all. Targets are distinct and not 0, at most 20; every target can be reached.
Rounds smallest_tree(std::vector<Step> const& steps, std::vector<Vector> const& targets);

/// A small tree, found from the last step back: a block moves to a place as early as it can or, in another try, as late
/// as a block is needed anyway where it comes from. Early ones can be passed on more often, late ones need no source of
/// their own.
Rounds small_tree(std::vector<Step> const& steps, std::vector<Vector> const& targets);

}  // namespace rondo::steiner
