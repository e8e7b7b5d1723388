#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/units.hpp"

namespace rondo::problem {

/// The sizes of the blocks: every block takes `block` bytes or, for the v and w variants, each takes its own; `block`
/// is then the unit in which volumes are counted. One size a neighbor for an isomorphic all-to-all, one a sender for an
/// inter-group all-to-all broadcast, one a rank for a neighbor allgather, one an edge as ProcessGraph::first_edge
/// numbers them for a neighbor all-to-all.
struct BlockSizes {
  // Not explicit: a size alone says that all blocks have it.
  BlockSizes(Bytes of_all, std::vector<Bytes> of_each = {}) : block(of_all), each(std::move(of_each)) {}

  bool differ() const { return !each.empty(); }
  Bytes of(std::size_t i) const { return each.empty() ? block : each[i]; }

  Bytes block;
  std::vector<Bytes> each;
  std::string expression = {};  ///< bytes of each, as a scenario states them; whoever runs it puts `each` in its place
};

}  // namespace rondo::problem
