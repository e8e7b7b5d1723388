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

/// For each target, the rounds (steps) in which the block that ends there moves, in ascending order.
using Rounds = std::vector<std::vector<int>>;

/// The number of blocks that are sent, which is the number of different beginnings of the lists.
std::int64_t blocks(Rounds rounds);

/// The tree with the fewest blocks of all. Targets are distinct, not 0, and at most 20; every target must be reachable.
Rounds smallest_tree(std::vector<Step> const& steps, std::vector<Vector> const& targets);

/// A small tree, built from the last step backwards: a block moves to a place as early as it can or, in a second try,
/// as late as its source needs the block anyway. Blocks that arrive early can be passed on more often; blocks that
/// arrive late need no source of their own.
Rounds small_tree(std::vector<Step> const& steps, std::vector<Vector> const& targets);

}  // namespace rondo::steiner
