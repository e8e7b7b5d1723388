// Allgathers along the tree of a block (block_tree.hpp): every rank forwards blocks of all origins in the same way.

#include <algorithm>

#include "generate/block_tree.hpp"

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

}  // namespace rondo::generate
