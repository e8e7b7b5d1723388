#include <algorithm>
#include <map>
#include <set>

#include "decomposition/shortest_wrap.hpp"
#include "generate/isomorphic_parity.hpp"

namespace rondo::generate {
namespace {

/// Identifies the block of an origin by its hops so far, by dimension.
using Way = std::vector<int>;

/// A block at the start of a dimension, and how far it goes there in each direction.
struct Start {
  Way way;
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
      owed_[Way(neighborhood_[i].begin(), neighborhood_[i].end())].push_back(i);
    }
  }

  Program write(std::vector<int> const& order, std::vector<Pass> const& passes) && {
    Way const home(at(neighborhood_.dimensions()), 0);
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
  Layout layout_of(Bytes block) const {
    Layout layout{block, {}};
    layout[Buffer::send].slots = 1;
    layout[Buffer::receive].slots = static_cast<std::uint32_t>(neighborhood_.size());
    return layout;
  }

  std::vector<Start> starts_of(int dimension, std::vector<int> const& before) const {
    std::map<Way, Start> starts;
    for (int i = 0; i < neighborhood_.size(); ++i) {
      Way way(at(neighborhood_.dimensions()), 0);
      for (int const j : before) way[at(j)] = neighborhood_[i][at(j)];
      Start& start = starts.try_emplace(way, Start{way}).first->second;
      start.ahead = std::max(start.ahead, neighborhood_[i][at(dimension)]);
      start.back = std::max(start.back, -neighborhood_[i][at(dimension)]);
    }
    std::vector<Start> all;
    for (auto const& [way, start] : starts) all.push_back(start);
    return all;
  }

  static Way moved(Way way, int dimension, int hops) {
    way[at(dimension)] += hops;
    return way;
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
        visit(moved(start.way, pass.dimension, sign * hops), moved(start.way, pass.dimension, sign * (hops + 1)));
      }
    }
  }

  void write(Pass const& pass, std::vector<Start> const& starts) {
    for (int round = 1; round <= pass.rounds; ++round) {
      builder_.begin_round();
      ParityTurn const turn(pass, parities_, round);
      std::vector<Place> from, into;
      std::vector<Way> came;
      each_moving(pass, starts, round, turn.ahead,
                  [&](Way const& here, Way const&) { from.push_back(places_.at(here)); });
      each_moving(pass, starts, round, turn.coming, [&](Way const&, Way const& there) {
        into.push_back(place_for(there));
        came.push_back(there);
      });
      post_hop(builder_, offsets_, pass, turn, from, into);
      for (Way const& way : came) copy_to_further_neighbors(way);
    }
  }

  Place place_for(Way const& way) {
    auto const owed = owed_.find(way);
    Place const place = owed == owed_.end() ? intermediate_slot(slots_++)
                                            : receive_slot(static_cast<std::uint32_t>(owed->second.front()));
    places_[way] = place;
    return place;
  }

  void copy_to_further_neighbors(Way const& way) {
    auto const owed = owed_.find(way);
    for (std::size_t n = 1; owed != owed_.end() && n < owed->second.size(); ++n) {
      builder_.copy(places_.at(way), receive_slot(static_cast<std::uint32_t>(owed->second[n])));
    }
  }

  Neighborhood neighborhood_;
  std::vector<int> const& parities_;
  Offsets& offsets_;
  ProgramBuilder builder_;
  std::map<Way, std::vector<int>> owed_;  ///< the neighbors whose offset equals these hops
  std::map<Way, Place> places_;           ///< of the blocks that are at the rank
  std::uint32_t slots_ = 0;               ///< how many intermediate slots are in use
};

}  // namespace

Program parity_allgather_program(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& order,
                                 std::vector<Pass> const& passes, Bytes block, std::vector<int> const& parities,
                                 Offsets& offsets) {
  return AllgatherParity(torus, neighborhood, block, parities, offsets).write(order, passes);
}

}  // namespace rondo::generate
