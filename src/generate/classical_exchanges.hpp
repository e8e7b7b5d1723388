#pragma once

// Exchanges after which all ranks have all parts, of which each lies at a single rank at first. Part v starts at node
// v. Nodes are ranks counted from the root. Only this folder includes this file.

#include <vector>

#include "generate/classical_writer.hpp"

namespace rondo::generate::classical {

/// Maps nodes to ranks: node v is rank (v + root) mod p.
class Relative {
 public:
  Relative(int ranks, int root) : ranks_(ranks), root_(root) {}
  int operator()(int node) const { return (node + root_) % ranks_; }
  int ranks() const { return ranks_; }

 private:
  int ranks_, root_;
};

/// In round t = 0 .. p-2 node v sends part v - t to node v + 1, both modulo p. `parts` has one entry for each node, as
/// in the next function.
void ring(Writer& writer, Relative const& rank, std::vector<Pieces> const& parts);

/// Node v exchanges with node v ^ mask, for mask = 1, 2, 4, ..., the parts of their halves of a run of 2 mask nodes. If
/// the upper half is incomplete, some nodes of the lower half have no partner. They get the parts of the upper half
/// from nodes that have one, in further rounds that halve the lower half.
void recursive_doubling(Writer& writer, Relative const& rank, std::vector<Pieces> const& parts);

}  // namespace rondo::generate::classical
