// Builds the tree of a block by inserting the route to each neighbor; routes share their first hops. Rounds come from
// the lanes.

#include "generate/block_tree.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "generate/lane_rounds.hpp"

namespace rondo::generate {

BlockTree::BlockTree(Lanes const& lanes, int ports) : at_(at(lanes.neighbors), 0), nodes_(1), received_(1) {
  for (std::size_t l = 0; l < lanes.lanes.size(); ++l) pass(lanes.lanes[l], static_cast<int>(l));
  set_rounds(lanes, ports);
}

/// Adds the nodes of one lane. Neighbors at the same node share their hops: the block of a neighbor with `hops` hops
/// ends at the hops-th node of the branch.
void BlockTree::pass(Lane const& lane, int number) {
  longest_.resize(nodes_.size(), 0);
  first_.resize(nodes_.size());
  std::vector<int> branching;
  for (Lane::Use const& use : lane.uses) {
    int& longest = longest_[at(at_[at(use.neighbor)])];
    if (longest == 0) branching.push_back(at_[at(use.neighbor)]);
    longest = std::max(longest, use.hops);
  }
  for (int const node : branching) {
    int const first = first_[at(node)] = static_cast<int>(nodes_.size());
    for (int h = 0; h < longest_[at(node)]; ++h) nodes_.push_back({h == 0 ? node : first + h - 1, number, 0});
  }
  for (Lane::Use const& use : lane.uses) {
    int& node = at_[at(use.neighbor)];
    node = first_[at(node)] + use.hops - 1;
  }
  for (int const node : branching) longest_[at(node)] = 0;
}

/// A node is received in the first round after its parent's round in which its link is used.
void BlockTree::set_rounds(Lanes const& lanes, int ports) {
  std::vector<std::size_t> first_child(nodes_.size() + 1, 0);
  for (std::size_t n = 1; n < nodes_.size(); ++n) ++first_child[at(nodes_[n].parent) + 1];
  for (std::size_t n = 0; n < nodes_.size(); ++n) first_child[n + 1] += first_child[n];
  std::vector<int> children(nodes_.size() - 1);
  std::vector<std::size_t> free = first_child;
  for (std::size_t n = 1; n < nodes_.size(); ++n) children[free[at(nodes_[n].parent)]++] = static_cast<int>(n);

  Waiting waiting(lanes.links);
  auto const leave = [&](int node) {
    for (std::size_t k = first_child[at(node)]; k < first_child[at(node) + 1]; ++k) {
      waiting.add(lanes.lanes[at(nodes_[at(children[k])].lane)].link, children[k]);
    }
  };
  leave(0);
  std::size_t arrived = 1;
  for (std::vector<int> const& links : lane_rounds(lanes, ports)) {
    std::vector<int> received;
    for (int const link : links) {
      std::vector<int> const moving = waiting.take(link);
      received.insert(received.end(), moving.begin(), moving.end());
    }
    if (received.empty()) continue;
    for (int const node : received) {
      nodes_[at(node)].round = static_cast<int>(received_.size());
      leave(node);
    }
    arrived += received.size();
    received_.push_back(std::move(received));
  }
  expects(arrived == nodes_.size(), "rounds in which all blocks arrive");
}

}  // namespace rondo::generate
