#include <algorithm>

#include "generate/block_tree.hpp"

namespace rondo::generate {
namespace {

/// Gives every node a place: the receive slot of the first neighbor there, or an intermediate slot until it is sent on.
class Places {
 public:
  Places(BlockTree const& tree, int neighbors) : owed_(tree.nodes().size()), places_(tree.nodes().size()) {
    places_[0] = send_slot(0);
    for (int i = 0; i < neighbors; ++i) owed_[static_cast<std::size_t>(tree.goal(i))].push_back(i);
    std::vector<int> last_sent(tree.nodes().size(), 0);
    by_round_.resize(static_cast<std::size_t>(tree.rounds()) + 1);
    for (std::size_t n = 1; n < tree.nodes().size(); ++n) {
      BlockTree::Node const& node = tree.nodes()[n];
      if (node.same_as != BlockTree::nowhere) continue;
      int& last = last_sent[static_cast<std::size_t>(node.parent)];
      last = std::max(last, node.round);
      by_round_[static_cast<std::size_t>(node.round)].push_back(static_cast<int>(n));
    }
    assign(last_sent);
  }

  /// The nodes that are received in a round, those of a lane together.
  std::vector<int> const& received(int round) const { return by_round_[static_cast<std::size_t>(round)]; }
  Place operator[](int node) const { return places_[static_cast<std::size_t>(node)]; }
  std::vector<int> const& owed(int node) const { return owed_[static_cast<std::size_t>(node)]; }
  std::uint32_t intermediate_slots() const { return slots_; }

 private:
  void assign(std::vector<int> const& last_sent) {
    std::vector<std::vector<std::uint32_t>> free_after(by_round_.size());
    std::vector<std::uint32_t> free;
    for (std::size_t round = 1; round < by_round_.size(); ++round) {
      free.insert(free.end(), free_after[round - 1].begin(), free_after[round - 1].end());
      for (int const node : by_round_[round]) {
        auto const n = static_cast<std::size_t>(node);
        if (!owed_[n].empty()) {
          places_[n] = receive_slot(static_cast<std::uint32_t>(owed_[n].front()));
          continue;
        }
        if (free.empty()) free.push_back(slots_++);
        places_[n] = intermediate_slot(free.back());
        free_after[static_cast<std::size_t>(last_sent[n])].push_back(free.back());
        free.pop_back();
      }
    }
  }

  std::vector<std::vector<int>> owed_;  ///< by node: the neighbors there
  std::vector<Place> places_;           ///< by node
  std::vector<std::vector<int>> by_round_;
  std::uint32_t slots_ = 0;
};

class AllgatherWriter {
 public:
  AllgatherWriter(Lanes const& lanes, BlockTree const& tree, Places const& places, ProgramBuilder& builder)
      : lanes_(lanes), tree_(tree), places_(places), builder_(builder), offsets_(lanes.torus.dimensions()) {}

  Offsets write() && {
    for (int const i : places_.owed(0)) builder_.copy(places_[0], receive_slot(static_cast<std::uint32_t>(i)));
    for (int round = 1; round <= tree_.rounds(); ++round) {
      builder_.begin_round();
      std::vector<int> const& nodes = places_.received(round);
      auto first = nodes.begin();
      while (first != nodes.end()) {
        int const lane = lane_of(*first);
        auto const last = std::find_if(first, nodes.end(), [&](int node) { return lane_of(node) != lane; });
        write_message(lanes_.lanes[static_cast<std::size_t>(lane)].step, std::vector<int>(first, last));
        first = last;
      }
      for (int const node : nodes) copy_to_further_neighbors(node);
    }
    return std::move(offsets_);
  }

 private:
  int lane_of(int node) const { return tree_.nodes()[static_cast<std::size_t>(node)].lane; }

  void write_message(std::vector<int> const& step, std::vector<int> const& nodes) {
    std::vector<Place> from, into;
    for (int const node : nodes) {
      from.push_back(places_[tree_.nodes()[static_cast<std::size_t>(node)].parent]);
      into.push_back(places_[node]);
    }
    builder_.receive(offsets_.index(step, -1), into);
    builder_.send(offsets_.index(step, +1), from);
  }

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
