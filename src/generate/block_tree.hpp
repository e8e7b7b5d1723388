#pragma once

// The tree along which the block of a rank goes to all its neighbors, lane by lane, for the lanes_*.cpp alone. In
// reverse it is the tree along which contributions are joined on their way to a rank.

#include <vector>

#include "generate/lanes.hpp"

namespace rondo::generate {

/// The places that a rank's block reaches, relative to the rank, and the rounds in which it does. Node 0 is the rank
/// itself. Neighbors whose blocks have taken the same hops so far share a node.
class BlockTree {
 public:
  /// A position that the block reaches, as an offset from its origin.
  struct Node {
    int parent = 0;  ///< the node from which it is sent
    int lane = 0;
    int round = 0;  ///< the round in which it is received
  };

  /// With k ports, k lanes are used at once; 0 means unlimited ports.
  BlockTree(Lanes const& lanes, int ports);

  std::vector<Node> const& nodes() const { return nodes_; }
  int rounds() const { return static_cast<int>(received_.size()) - 1; }
  /// The nodes that are received in a round; nodes of one link are adjacent.
  std::vector<int> const& received(int round) const { return received_[at(round)]; }
  /// The node at which the block of this neighbor ends.
  int goal(int neighbor) const { return at_[at(neighbor)]; }

 private:
  void pass(Lane const& lane, int number);
  void set_rounds(Lanes const& lanes, int ports);

  std::vector<int> at_;  ///< by neighbor
  std::vector<Node> nodes_;
  std::vector<int> longest_, first_;  ///< by node, only for the lane that is being added
  std::vector<std::vector<int>> received_;
};

}  // namespace rondo::generate
