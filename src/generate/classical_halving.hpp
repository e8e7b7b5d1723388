#pragma once

// Code that reductions by halving share, for this folder alone: the nodes that remain when the ranks past a power of
// two are folded onto neighbors, and the parts that a node keeps.

#include <bit>
#include <vector>

#include "base/index.hpp"
#include "generate/classical_writer.hpp"

namespace rondo::generate::classical {

/// Reduces the ranks to q nodes, the largest power of two that is not larger. The first 2 (p - q) ranks form pairs, and
/// the even or the odd one of pair i is node i. The other ranks follow in order.
class Folded {
 public:
  /// Which of two neighbors takes part.
  enum class Node : std::uint8_t { even, odd };
  /// Of the first 2 * removed ranks, one of each pair takes part; all others do.
  Folded(int ranks, Node which)
      : nodes_(static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks)))), removed_(ranks - nodes_) {
    for (int v = 0; v < nodes_; ++v) {
      rank_.push_back(v < removed_ ? 2 * v + (which == Node::odd ? 1 : 0) : v + removed_);
    }
  }
  int nodes() const { return nodes_; }
  int removed() const { return removed_; }
  int rank(int node) const { return rank_[at(node)]; }
  /// The node of a rank, or of the pair of the rank.
  int node(int rank) const { return rank < 2 * removed_ ? rank / 2 : rank - removed_; }
  void replace(int node, int rank) { rank_[at(node)] = rank; }

 private:
  int nodes_, removed_;
  std::vector<int> rank_;
};

/// The parts, of q, that a node keeps when it has halved them at the distances 1, 2, ..., width / 2. It keeps the lower
/// half if its bit is 0.
inline Pieces halved(Cut const& cut, int q, int node, int width) {
  int first = 0;
  int size = q;
  for (int bit = 1; bit < width; bit *= 2) {
    size /= 2;
    if ((node & bit) != 0) first += size;
  }
  Pieces pieces;
  for (int k = first; k < first + size; ++k) {
    pieces.insert(pieces.end(), cut.parts[at(k)].begin(), cut.parts[at(k)].end());
  }
  return pieces;
}

}  // namespace rondo::generate::classical
