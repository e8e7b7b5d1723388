#pragma once

// Exchanges after which all ranks have the parts that lie at single ranks at first; for this folder alone. Part v
// starts at node v. Nodes are ranks counted from the root.

#include <vector>

#include "generate/classical_writer.hpp"

namespace rondo::generate::classical {

/// The ranks of nodes.
class Relative {
 public:
  Relative(int ranks, int root) : ranks_(ranks), root_(root) {}
  int operator()(int node) const { return (node + root_) % ranks_; }
  int ranks() const { return ranks_; }

 private:
  int ranks_, root_;
};

/// Node v sends part v - t to node v + 1 in round t = 0 .. p-2.
void ring(Writer& writer, Relative const& rank, std::vector<Pieces> const& parts);

/// Nodes exchange with v ^ mask, mask = 1, 2, 4, ..., the parts of their halves of a run of 2 mask nodes. If the upper
/// half is incomplete, some nodes of the lower half have no partner. They get the parts of the upper half from nodes
/// that have one, in further rounds that halve the lower half.
void recursive_doubling(Writer& writer, Relative const& rank, std::vector<Pieces> const& parts);

}  // namespace rondo::generate::classical
