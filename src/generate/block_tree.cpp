#include "generate/block_tree.hpp"

#include <algorithm>

namespace rondo::generate {

BlockTree::BlockTree(Lanes const& lanes, int ports) : at_(static_cast<std::size_t>(lanes.neighbors), 0), nodes_(1) {
  int used = 0;
  for (std::size_t l = 0; l < lanes.lanes.size(); ++l) {
    if (lanes.self(lanes.lanes[l])) {
      turn_around(lanes.lanes[l]);
      continue;
    }
    if (used++ == ports && ports > 0) {
      close_group();
      used = 1;
    }
    pass(lanes.lanes[l], static_cast<int>(l));
  }
  close_group();
}

/// Calls branch(node, most hops of its users) for each node that takes the lane, then moves the users on: those of a
/// node share their hops, the one that goes `hops` ends at the hops-th node of the branch.
template <typename Branch>
void BlockTree::branch_all(Lane const& lane, Branch const& branch) {
  longest_.resize(nodes_.size(), 0);
  first_.resize(nodes_.size(), nowhere);
  std::vector<int> branching;
  for (Lane::Use const& use : lane.uses) {
    int const node = at_[static_cast<std::size_t>(use.neighbor)];
    int& longest = longest_[static_cast<std::size_t>(node)];
    if (longest == 0) branching.push_back(node);
    longest = std::max(longest, use.hops);
  }
  for (int const node : branching) {
    first_[static_cast<std::size_t>(node)] = static_cast<int>(nodes_.size());
    branch(node, longest_[static_cast<std::size_t>(node)]);
  }
  for (Lane::Use const& use : lane.uses) {
    int& node = at_[static_cast<std::size_t>(use.neighbor)];
    node = first_[static_cast<std::size_t>(node)] + use.hops - 1;
  }
  for (int const node : branching) longest_[static_cast<std::size_t>(node)] = 0;
}

void BlockTree::pass(Lane const& lane, int number) {
  branch_all(lane, [&](int node, int hops) {
    int from = lies_at(node);
    for (int h = 0; h < hops; ++h) {
      int const taken = hops_in_group(nodes_[static_cast<std::size_t>(from)]) + 1;
      nodes_.push_back({from, number, done_ + taken, taken, group_, nowhere});
      lasts_ = std::max(lasts_, taken);
      from = static_cast<int>(nodes_.size()) - 1;
    }
  });
}

void BlockTree::turn_around(Lane const& lane) {
  branch_all(lane, [&](int node, int hops) {
    for (int h = 0; h < hops; ++h) nodes_.push_back({0, 0, 0, 0, 0, lies_at(node)});
  });
}

void BlockTree::close_group() {
  done_ += lasts_;
  lasts_ = 0;
  ++group_;
}

}  // namespace rondo::generate
