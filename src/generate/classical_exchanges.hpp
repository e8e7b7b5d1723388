#pragma once

// The exchanges by which parts that lie one at each rank come to all ranks; for this folder alone. Part v starts at
// node v, a rank counted from the root.

#include <vector>

#include "generate/classical_writer.hpp"

namespace rondo::generate::classical {

/// Ranks by their nodes.
class Relative {
 public:
  Relative(int ranks, int root) : ranks_(ranks), root_(root) {}
  int operator()(int node) const { return (node + root_) % ranks_; }
  int ranks() const { return ranks_; }

 private:
  int ranks_, root_;
};

/// Node v sends part v - t to v + 1 in round t = 0 .. p-2.
void ring(Writer& writer, Relative const& rank, std::vector<Pieces> const& parts);

/// Nodes exchange with v ^ mask, mask = 1, 2, 4, ..., the parts of their halves of a run of 2 mask nodes. Where the
/// upper half is cut off, the nodes of the lower half that have no partner get its parts from those that have one, down
/// the halves of the lower half.
void recursive_doubling(Writer& writer, Relative const& rank, std::vector<Pieces> const& parts);

}  // namespace rondo::generate::classical
