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
  static constexpr int nowhere = -1;

  struct Node {
    int parent = 0;  ///< the node it is sent from
    int lane = 0;
    int round = 0;          ///< in which it is received
    int hops_in_group = 0;  ///< on the way to here
    int group = 0;          ///< the group of lanes that are used at the same time as its own
    int same_as = nowhere;  ///< another way to the same rank, which needs no message: the node where the block lies
  };

  /// With k ports, 0 for unlimited ones, k lanes are used at once.
  BlockTree(Lanes const& lanes, int ports);

  std::vector<Node> const& nodes() const { return nodes_; }
  int rounds() const { return done_; }
  /// The node at which the block of each neighbor ends.
  int goal(int neighbor) const { return lies_at(at_[static_cast<std::size_t>(neighbor)]); }

 private:
  int lies_at(int node) const {
    int const same = nodes_[static_cast<std::size_t>(node)].same_as;
    return same == nowhere ? node : same;
  }
  int hops_in_group(Node const& node) const { return node.group == group_ ? node.hops_in_group : 0; }
  template <typename Branch>
  void branch_all(Lane const& lane, Branch const& branch);
  void pass(Lane const& lane, int number);
  void turn_around(Lane const& lane);
  void close_group();

  std::vector<int> at_;  ///< by neighbor
  std::vector<Node> nodes_;
  std::vector<int> longest_, first_;  ///< by node, of the lane at hand
  int group_ = 1;
  int done_ = 0;   ///< rounds of the groups before
  int lasts_ = 0;  ///< rounds of the group at hand
};

}  // namespace rondo::generate
