// Allgathers along the tree of a block (BlockTree): every rank forwards blocks of all origins in the same way.
// Reductions go up the same trees: the routes of an allgather in reverse. The contributions to a rank's result are
// joined where their routes meet, so each hop carries one block.

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/ids.hpp"
#include "generate/lanes.hpp"
#include "generate/neighbor.hpp"

namespace rondo::generate {
namespace {

/// Assigns a place to every node of the tree: the receive slot of the first neighbor there, or an intermediate slot
/// until the block has been sent on.
class Places {
 public:
  /// Notes after which round each node's place may be used again: after its last send.
  Places(BlockTree const& tree, int neighbors) : owed_(tree.nodes().size()), places_(tree.nodes().size()) {
    places_[0] = send_slot(0);
    for (int i = 0; i < neighbors; ++i) owed_[at(tree.goal(i))].push_back(i);
    std::vector<int> last_sent(tree.nodes().size(), 0);
    for (std::size_t n = 1; n < tree.nodes().size(); ++n) {
      int& last = last_sent[at(tree.nodes()[n].parent)];
      last = std::max(last, tree.nodes()[n].round);
    }
    assign(tree, last_sent);
  }

  Place operator[](int node) const { return places_[at(node)]; }
  std::vector<int> const& owed(int node) const { return owed_[at(node)]; }
  std::uint32_t intermediate_slots() const { return slots_; }

 private:
  /// Nodes that are owed get receive slots; others get intermediate slots, which are used again as soon as they are
  /// free.
  void assign(BlockTree const& tree, std::vector<int> const& last_sent) {
    std::vector<std::vector<std::uint32_t>> free_after(at(tree.rounds()) + 1);
    std::vector<std::uint32_t> free;
    for (int round = 1; round <= tree.rounds(); ++round) {
      free.insert(free.end(), free_after[at(round) - 1].begin(), free_after[at(round) - 1].end());
      for (int const node : tree.received(round)) {
        if (!owed_[at(node)].empty()) {
          places_[at(node)] = receive_slot(static_cast<std::uint32_t>(owed_[at(node)].front()));
          continue;
        }
        if (free.empty()) free.push_back(slots_++);
        places_[at(node)] = intermediate_slot(free.back());
        free_after[at(last_sent[at(node)])].push_back(free.back());
        free.pop_back();
      }
    }
  }

  std::vector<std::vector<int>> owed_;  ///< by node: the neighbors whose offset ends there
  std::vector<Place> places_;           ///< by node
  std::uint32_t slots_ = 0;
};

/// Writes the messages of each round, one for each link, and the copies for further neighbors.
class AllgatherWriter {
 public:
  AllgatherWriter(Lanes const& lanes, BlockTree const& tree, Places const& places, ProgramBuilder& builder)
      : lanes_(lanes), tree_(tree), places_(places), builder_(builder), offsets_(lanes.torus.dimensions()) {}

  /// Writes the rounds. Nodes that come over the same lane share a message.
  Offsets write() && {
    for (int const i : places_.owed(0)) builder_.copy(places_[0], receive_slot(static_cast<std::uint32_t>(i)));
    for (int round = 1; round <= tree_.rounds(); ++round) {
      builder_.begin_round();
      std::vector<int> const& nodes = tree_.received(round);
      auto first = nodes.begin();
      while (first != nodes.end()) {
        Lane const& lane = lane_of(*first);
        auto const last = std::find_if(first, nodes.end(), [&](int node) { return lane_of(node).link != lane.link; });
        write_message(lane.step, std::vector<int>(first, last));
        first = last;
      }
      for (int const node : nodes) copy_to_further_neighbors(node);
    }
    return std::move(offsets_);
  }

 private:
  Lane const& lane_of(int node) const { return lanes_.lanes[at(tree_.nodes()[at(node)].lane)]; }

  /// Posts the receive and the send of one lane in a round.
  void write_message(std::vector<int> const& step, std::vector<int> const& nodes) {
    std::vector<Place> from, into;
    for (int const node : nodes) {
      from.push_back(places_[tree_.nodes()[at(node)].parent]);
      into.push_back(places_[node]);
    }
    builder_.receive(offsets_.index(step, -1), into);
    builder_.send(offsets_.index(step, +1), from);
  }

  /// Neighbors may be equal; the block is copied to the receive slots of the others.
  void copy_to_further_neighbors(int node) {
    std::vector<int> const& owed = places_.owed(node);
    for (std::size_t n = 1; n < owed.size(); ++n) {
      builder_.copy(places_[node], receive_slot(static_cast<std::uint32_t>(owed[n])));
    }
  }

  Lanes const& lanes_;
  BlockTree const& tree_;
  Places const& places_;
  ProgramBuilder& builder_;
  Offsets offsets_;
};

}  // namespace

Schedule combine_allgather(Lanes const& lanes, Bytes block, Promises promises) {
  BlockTree const tree(lanes, promises.ports);
  Places const places(tree, lanes.neighbors);
  Layout layout{block, {}};
  layout[Buffer::send].slots = 1;
  layout[Buffer::receive].slots = static_cast<std::uint32_t>(lanes.neighbors);
  layout[Buffer::intermediate].slots = places.intermediate_slots();
  ProgramBuilder builder(layout);
  Offsets offsets = AllgatherWriter(lanes, tree, places, builder).write();
  return isomorphic(lanes.torus, std::move(offsets), promises, std::move(builder));
}

namespace {

/// The tree whose root is the rank that gets the result. Its nodes are the ranks at which contributions meet.
class ReductionTree {
 public:
  ReductionTree(Lanes const& lanes, int ports)
      : lanes_(lanes), tree_(lanes, ports), contributions_(tree_.nodes().size(), 0), joins_(tree_.nodes().size()) {
    for (int i = 0; i < lanes.neighbors; ++i) ++contributions_[at(tree_.goal(i))];
    for (std::size_t n = 1; n < tree_.nodes().size(); ++n) joins_[at(tree_.nodes()[n].parent)] = true;
  }

  int size() const { return static_cast<int>(tree_.nodes().size()); }
  int rounds() const { return tree_.rounds(); }
  BlockTree::Node const& operator[](int node) const { return tree_.nodes()[at(node)]; }
  Lane const& lane(int node) const { return lanes_.lanes[at((*this)[node].lane)]; }
  /// The nodes whose blocks leave in a round; nodes of one link are adjacent.
  std::vector<int> const& leaving(int round) const { return tree_.received(tree_.rounds() + 1 - round); }
  /// How often the rank at a node contributes at this node.
  int contributions(int node) const { return contributions_[at(node)]; }
  /// Whether a node needs a place for its block. If not, the single contribution there is sent as it is.
  bool has_place(int node) const { return node == 0 || joins_[at(node)] || contributions(node) != 1; }
  /// The rank at each node, if the rank at the root of the tree is `root`.
  std::vector<Rank> ranks(Rank root) const {
    std::vector<Rank> result(tree_.nodes().size(), root);
    for (int node = 1; node < size(); ++node) {
      result[at(node)] = lanes_.torus.add(result[at((*this)[node].parent)], lane(node).step);
    }
    return result;
  }

 private:
  Lanes const& lanes_;
  BlockTree tree_;
  std::vector<int> contributions_;  ///< by node
  std::vector<bool> joins_;         ///< by node: whether blocks arrive there
};

/// Writes the operations of a rank that is at the given nodes. If every rank gets a result, a rank is at all nodes,
/// each of another tree.
class ReductionWriter {
 public:
  /// Lays out the slots, and puts the own contribution where it will be joined.
  ReductionWriter(ReductionTree const& tree, std::set<int> const& nodes, Bytes block)
      : tree_(tree), nodes_(nodes), builder_(Layout{block, {}}) {
    Layout& layout = builder_.layout();
    layout[Buffer::send].slots = 1;
    layout[Buffer::receive].slots = nodes.contains(0) && (tree.rounds() > 0 || tree.contributions(0) > 0) ? 1 : 0;
    for (int const node : nodes) {
      if (tree.has_place(node)) contribute(node);
    }
  }

  /// `peer(step, sign)` is the partner at a step (sign +1), or in the opposite direction (-1).
  template <typename Peer>
  ProgramBuilder write(Peer const& peer) && {
    for (int round = 1; round <= tree_.rounds(); ++round) {
      builder_.begin_round();
      std::vector<int> const& nodes = tree_.leaving(round);
      auto first = nodes.begin();
      while (first != nodes.end()) {
        auto const same = [&](int node) { return tree_.lane(node).link == tree_.lane(*first).link; };
        auto const last = std::find_if_not(first, nodes.end(), same);
        send(std::vector<int>(first, last), peer);
        receive(std::vector<int>(first, last), peer);
        first = last;
      }
      for (auto const& [from, into] : std::exchange(waiting_, {})) builder_.copy(from, into, Join::after);
    }
    return std::move(builder_);
  }

 private:
  /// Assigns the place of a node, and stores the rank's own contributions there.
  void contribute(int node) {
    Place const place = node == 0 ? receive_slot(0) : fresh();
    places_.emplace(node, place);
    for (int k = 0; k < tree_.contributions(node); ++k) {
      builder_.copy(send_slot(0), place, filled_.insert(node).second ? Join::none : Join::after);
    }
  }

  Place fresh() { return intermediate_slot(builder_.layout()[Buffer::intermediate].slots++); }
  Place place(int node) const { return tree_.has_place(node) ? places_.at(node) : send_slot(0); }

  /// Sends towards the root of the tree: against the lane.
  template <typename Peer>
  void send(std::vector<int> const& nodes, Peer const& peer) {
    std::vector<Place> from;
    for (int const node : nodes) {
      if (nodes_.contains(node)) from.push_back(place(node));
    }
    if (!from.empty()) builder_.send(peer(tree_.lane(nodes.front()).step, -1), from);
  }

  /// A message is stored or joined as a whole. It is joined if all its places already hold something. Else the blocks
  /// that meet another block wait in places of their own until the round ends.
  template <typename Peer>
  void receive(std::vector<int> const& nodes, Peer const& peer) {
    std::vector<int> parents;
    for (int const node : nodes) {
      if (nodes_.contains(tree_[node].parent)) parents.push_back(tree_[node].parent);
    }
    if (parents.empty()) return;
    bool const joined = std::ranges::all_of(parents, [&](int parent) { return filled_.contains(parent); }) &&
                        std::set<int>(parents.begin(), parents.end()).size() == parents.size();
    std::vector<Place> into;
    for (int const parent : parents) {
      bool const waits = !filled_.insert(parent).second && !joined;
      into.push_back(waits ? fresh() : place(parent));
      if (waits) waiting_.emplace_back(into.back(), place(parent));
    }
    builder_.receive(peer(tree_.lane(nodes.front()).step, +1), into, joined ? Join::after : Join::none);
  }

  ReductionTree const& tree_;
  std::set<int> const& nodes_;
  ProgramBuilder builder_;
  std::map<int, Place> places_;
  std::set<int> filled_;                          ///< the nodes whose place holds something
  std::vector<std::pair<Place, Place>> waiting_;  ///< blocks that are joined at the end of the round: from, into
};

std::set<int> every_node(ReductionTree const& tree) {
  std::set<int> nodes;
  for (int n = 0; n < tree.size(); ++n) nodes.insert(nodes.end(), n);
  return nodes;
}

}  // namespace

Schedule combine_reduction(Lanes const& lanes, Bytes block, Promises promises) {
  ReductionTree const tree(lanes, promises.ports);
  std::set<int> const nodes = every_node(tree);
  Offsets offsets(lanes.torus.dimensions());
  ProgramBuilder builder = ReductionWriter(tree, nodes, block).write([&](std::vector<int> const& step, int sign) {
    return offsets.index(step, sign);
  });
  return isomorphic(lanes.torus, std::move(offsets), promises, std::move(builder));
}

/// The reduction to one root: each rank has a program of its own, with the nodes of the tree that lie on it.
Schedule combine_reduction(Lanes const& lanes, Bytes block, Promises promises, Rank root) {
  ReductionTree const tree(lanes, promises.ports);
  std::vector<Rank> const ranks = tree.ranks(root);
  std::vector<std::set<int>> nodes(at(lanes.torus.size()));
  for (int const node : every_node(tree)) nodes[at(ranks[at(node)])].insert(node);
  std::vector<ProgramBuilder> builders;
  for (std::int32_t r = 0; r < lanes.torus.size(); ++r) {
    auto const peer = [&](std::vector<int> const& step, int sign) {
      return (sign > 0 ? lanes.torus.add(Rank(r), step) : lanes.torus.subtract(Rank(r), step)).value;
    };
    builders.push_back(ReductionWriter(tree, nodes[at(r)], block).write(peer));
  }
  Schedule schedule = schedule_of(std::move(builders));
  schedule.torus = lanes.torus;
  schedule.promises = promises;
  return schedule;
}

}  // namespace rondo::generate
