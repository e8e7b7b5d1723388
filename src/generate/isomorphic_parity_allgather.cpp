// Writes odd-even exchanges of an allgather. A block is known by its offset from its origin, and goes on from every
// position that it has reached in the dimensions before.

#include <algorithm>
#include <map>

#include "decomposition/routes.hpp"
#include "generate/isomorphic_parity.hpp"

namespace rondo::generate {
namespace {

/// Identifies the block of an origin by its hops so far, by dimension.
using Offset = std::vector<int>;

/// A block at the start of a dimension, and how far it goes there in each direction.
struct Start {
  Offset offset;
  int ahead = 0, back = 0;
  int reach(int sign) const { return sign > 0 ? ahead : back; }
};

/// Writes the allgather program of the ranks with the given parities.
class AllgatherParity {
 public:
  AllgatherParity(Torus const& torus, Neighborhood const& neighborhood, Bytes block, std::vector<int> const& parities,
                  Offsets& offsets)
      : neighborhood_(without_idle_dimensions(torus, neighborhood)),
        parities_(parities),
        offsets_(offsets),
        builder_(layout_of(block)) {
    for (int i = 0; i < neighborhood_.size(); ++i) {
      owed_[Offset(neighborhood_[i].begin(), neighborhood_[i].end())].push_back(i);
    }
  }

  /// Dimension by dimension. The own block is where all begin.
  Program write(std::vector<int> const& order, std::vector<Pass> const& passes) && {
    Offset const home(at(neighborhood_.dimensions()), 0);
    places_[home] = send_slot(0);
    for (int const i : owed_[home]) builder_.copy(places_[home], receive_slot(static_cast<std::uint32_t>(i)));
    std::vector<int> before;  // dimensions
    for (int const j : order) {
      std::vector<Start> const starts = starts_of(j, before);
      for (Pass const& pass : passes) {
        if (pass.dimension == j) write(pass, starts);
      }
      before.push_back(j);
    }
    builder_.layout()[Buffer::intermediate].slots = slots_;
    return std::move(builder_).finish();
  }

 private:
  /// The slots that do not depend on the routes.
  Layout layout_of(Bytes block) const {
    Layout layout{block, {}};
    layout[Buffer::send].slots = 1;
    layout[Buffer::receive].slots = static_cast<std::uint32_t>(neighborhood_.size());
    return layout;
  }

  /// The positions from which blocks spread in a dimension, and how far they have to go in each direction.
  std::vector<Start> starts_of(int dimension, std::vector<int> const& before) const {
    std::map<Offset, Start> starts;
    for (int i = 0; i < neighborhood_.size(); ++i) {
      Offset offset(at(neighborhood_.dimensions()), 0);
      for (int const j : before) offset[at(j)] = neighborhood_[i][at(j)];
      Start& start = starts.try_emplace(offset, Start{offset}).first->second;
      start.ahead = std::max(start.ahead, neighborhood_[i][at(dimension)]);
      start.back = std::max(start.back, -neighborhood_[i][at(dimension)]);
    }
    std::vector<Start> all;
    for (auto const& [offset, start] : starts) all.push_back(start);
    return all;
  }

  static Offset moved(Offset offset, int dimension, int hops) {
    offset[at(dimension)] += hops;
    return offset;
  }

  /// Calls visit(hops before the move, hops after it) for each block that moves in direction `sign` in a round. Both
  /// ends of a message list blocks in the same order.
  template <typename Visit>
  static void each_moving(Pass const& pass, std::vector<Start> const& starts, int round, int sign, Visit const& visit) {
    for (int const waited : parity_waits) {
      int const hops = round - 1 - waited;
      if (hops < 0 || (waited > 0 && !pass.exchange)) continue;
      for (Start const& start : starts) {
        if (start.reach(sign) <= hops) continue;
        visit(moved(start.offset, pass.dimension, sign * hops), moved(start.offset, pass.dimension, sign * (hops + 1)));
      }
    }
  }

  /// Writes the rounds of one pass over a dimension.
  void write(Pass const& pass, std::vector<Start> const& starts) {
    for (int round = 1; round <= pass.rounds; ++round) {
      builder_.begin_round();
      ParityTurn const turn(pass, parities_, round);
      std::vector<Place> from, into;
      std::vector<Offset> came;
      each_moving(pass, starts, round, turn.ahead,
                  [&](Offset const& here, Offset const&) { from.push_back(places_.at(here)); });
      each_moving(pass, starts, round, turn.coming, [&](Offset const&, Offset const& block) {
        into.push_back(place_for(block));
        came.push_back(block);
      });
      post_hop(builder_, offsets_, pass, turn, from, into);
      for (Offset const& offset : came) copy_to_further_neighbors(offset);
    }
  }

  /// The place of the block from this offset: the receive slot of a neighbor, or else an intermediate slot.
  Place place_for(Offset const& offset) {
    auto const owed = owed_.find(offset);
    Place const place = owed == owed_.end() ? intermediate_slot(slots_++)
                                            : receive_slot(static_cast<std::uint32_t>(owed->second.front()));
    places_[offset] = place;
    return place;
  }

  /// Neighbors may be equal; the block is copied to the receive slots of the others.
  void copy_to_further_neighbors(Offset const& offset) {
    auto const owed = owed_.find(offset);
    for (std::size_t n = 1; owed != owed_.end() && n < owed->second.size(); ++n) {
      builder_.copy(places_.at(offset), receive_slot(static_cast<std::uint32_t>(owed->second[n])));
    }
  }

  Neighborhood neighborhood_;
  std::vector<int> const& parities_;
  Offsets& offsets_;
  ProgramBuilder builder_;
  std::map<Offset, std::vector<int>> owed_;  ///< the neighbors whose offset equals these hops
  std::map<Offset, Place> places_;           ///< of the blocks that are at the rank
  std::uint32_t slots_ = 0;                  ///< how many intermediate slots are in use
};

}  // namespace

Program parity_allgather_program(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& order,
                                 std::vector<Pass> const& passes, Bytes block, std::vector<int> const& parities,
                                 Offsets& offsets) {
  return AllgatherParity(torus, neighborhood, block, parities, offsets).write(order, passes);
}

}  // namespace rondo::generate
