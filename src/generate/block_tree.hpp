#pragma once

// The tree down which a rank's block goes to all its neighbors, lane by lane, for the lanes_*.cpp alone. Backwards it
// is the tree up which contributions are joined on their way to a rank.

#include <vector>

#include "generate/lanes.hpp"

namespace rondo::generate {

/// Where a rank's block comes to, relative to the rank, and when. Node 0 is the rank itself. Neighbors whose blocks
/// have taken the same hops so far stand at the same node.
class BlockTree {
 public:
  struct Node {
    int parent = 0;  ///< the node it is sent from
    int lane = 0;
    int round = 0;  ///< in which it is received
  };

  /// With k ports, 0 for unlimited ones, k lanes are used at once.
  BlockTree(Lanes const& lanes, int ports);

  std::vector<Node> const& nodes() const { return nodes_; }
  int rounds() const { return static_cast<int>(received_.size()) - 1; }
  /// The nodes that are received in a round, those of a link together.
  std::vector<int> const& received(int round) const { return received_[at(round)]; }
  /// The node at which the block of each neighbor ends.
  int goal(int neighbor) const { return at_[at(neighbor)]; }

 private:
  void pass(Lane const& lane, int number);
  void set_rounds(Lanes const& lanes, int ports);

  std::vector<int> at_;  ///< by neighbor
  std::vector<Node> nodes_;
  std::vector<int> longest_, first_;  ///< by node, of the lane at hand
  std::vector<std::vector<int>> received_;
};

}  // namespace rondo::generate
