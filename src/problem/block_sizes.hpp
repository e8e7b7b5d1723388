#pragma once

// Holds the sizes of the blocks of a collective: one size for all blocks, or a size for each block as in MPI's v and w
// variants.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/units.hpp"

namespace rondo::problem {

/// The sizes of the blocks. Every block has `block` bytes, unless `each` lists sizes. Then `block` is only the unit in
/// which volumes are counted. The entries of `each` are:
/// - in an isomorphic all-to-all, one for each neighbor;
/// - in an inter-group allgather, one for each sender;
/// - in a neighbor allgather, one for each rank;
/// - in a neighbor all-to-all, one for each edge, in the order of ProcessGraph::first_edge;
/// - in a collective on all ranks, one for each rank; in its all-to-all, one for each source and target, targets of
/// rank 0 first.
struct BlockSizes {
  // The constructor is not explicit, so that a single size can stand for blocks of that size.
  BlockSizes(Bytes of_all, std::vector<Bytes> of_each = {}) : block(of_all), each(std::move(of_each)) {}

  /// Tells whether each block has a size of its own; the sizes may still be equal.
  bool differ() const { return !each.empty(); }
  /// Returns the size of block i.
  Bytes of(std::size_t i) const { return each.empty() ? block : each[i]; }

  Bytes block;
  std::vector<Bytes> each;  ///< empty: all blocks have `block` bytes
  /// The formula of a scenario for the sizes; empty if there is none. run/families/resolve.hpp replaces it by `each`.
  std::string expression = {};
};

}  // namespace rondo::problem
