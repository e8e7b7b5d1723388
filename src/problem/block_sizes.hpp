#pragma once

// The sizes of the blocks of a collective: one size for all, or one for each as in MPI's v and w variants.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/units.hpp"

namespace rondo::problem {

/// The sizes of the blocks. Every block takes `block` bytes, or each takes its own; then `block` is the unit in which
/// volumes are counted. An isomorphic all-to-all has one size per neighbor, an inter-group all-to-all broadcast one per
/// sender, a neighbor allgather one per rank, and a neighbor all-to-all one per edge, in the order of
/// ProcessGraph::first_edge.
struct BlockSizes {
  // The constructor is not explicit, so that a single size can stand for blocks of that size.
  BlockSizes(Bytes of_all, std::vector<Bytes> of_each = {}) : block(of_all), each(std::move(of_each)) {}

  bool differ() const { return !each.empty(); }
  Bytes of(std::size_t i) const { return each.empty() ? block : each[i]; }

  Bytes block;
  std::vector<Bytes> each;
  std::string expression = {};  ///< bytes of each, as a scenario states them; whoever runs it puts `each` in its place
};

}  // namespace rondo::problem
