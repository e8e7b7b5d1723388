// Writes odd-even exchanges of an all-to-all (isomorphic_parity.hpp). One program is written for each combination of
// parities.

#include "generate/isomorphic_parity.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>

#include "base/ids.hpp"
#include "generate/generate.hpp"

namespace rondo::generate {
namespace {

/// The largest number of hops that any block takes along a dimension in a direction.
int reach(Neighborhood const& neighborhood, int dimension, int sign) {
  int farthest = 0;
  for (int i = 0; i < neighborhood.size(); ++i) farthest = std::max(farthest, sign * neighborhood[i][at(dimension)]);
  return farthest;
}

/// The places of the blocks at one rank. For each neighbor, several blocks of different origins may be at the rank at
/// once. Those that are not yet in their receive slot wait in intermediate slots.
class RankBlocks {
 public:
  /// Counts for each block how many hops it still has to go.
  RankBlocks(Neighborhood const& neighborhood, std::vector<Pass> const& passes) : left_(at(neighborhood.size()), 0) {
    for (Pass const& pass : passes) {
      for (std::size_t i = 0; i < left_.size(); ++i) {
        int const c = neighborhood[static_cast<int>(i)][at(pass.dimension)];
        if (pass.exchange || pass.sign * c > 0) left_[i] += std::abs(c);
      }
    }
    for (std::size_t i = 0; i < left_.size(); ++i) rests_.push_back(send_slot(static_cast<std::uint32_t>(i)));
    free_.resize(left_.size());
  }

  bool stays(int i) const { return left_[at(i)] == 0; }
  /// By neighbor: the place of its block that has done all hops of the passes so far.
  std::vector<Place> const& resting() const { return rests_; }
  void rest(int i, Place place) { rests_[at(i)] = place; }
  /// Called after a pass: the blocks for neighbor i have taken these hops.
  void finish_pass(int i, int hops) { left_[at(i)] -= hops; }
  bool last_pass(int i, int hops) const { return left_[at(i)] == hops; }

  /// A slot in which a block of neighbor i waits; slots of blocks that have left are used again.
  Place wait(int i) {
    std::vector<std::uint32_t>& free = free_[at(i)];
    if (free.empty()) {
      free.push_back(static_cast<std::uint32_t>(neighbor_of_slot_.size()));
      neighbor_of_slot_.push_back(i);
    }
    std::uint32_t const slot = free.back();
    free.pop_back();
    return intermediate_slot(slot);
  }
  /// The slot may be used by receives from the next round on.
  void leave(int i, Place place) {
    if (place.buffer() == Buffer::intermediate) left_in_round_.emplace_back(i, place.slot());
  }
  void end_round() {
    for (auto const& [i, slot] : left_in_round_) free_[at(i)].push_back(slot);
    left_in_round_.clear();
  }

  /// The intermediate slots, each of the size of the blocks of its neighbor.
  void lay_out(Layout& layout, BlockSizes const& sizes) const {
    BufferLayout& buffer = layout[Buffer::intermediate];
    buffer.slots = static_cast<std::uint32_t>(neighbor_of_slot_.size());
    if (sizes.each.empty()) return;
    for (int const i : neighbor_of_slot_) buffer.sizes.push_back(sizes.each[at(i)]);
  }

 private:
  std::vector<int> left_;                         ///< by neighbor: the hops of its blocks in this pass and later ones
  std::vector<Place> rests_;                      ///< by neighbor
  std::vector<std::vector<std::uint32_t>> free_;  ///< by neighbor: its free intermediate slots
  std::vector<int> neighbor_of_slot_;             ///< by intermediate slot
  std::vector<std::pair<int, std::uint32_t>> left_in_round_;
};

/// Writes the program of all ranks with the same parities.
class ParityProgram {
 public:
  ParityProgram(Neighborhood const& neighborhood, std::vector<Pass> const& passes, BlockSizes const& sizes,
                Offsets& offsets, std::vector<int> parities)
      : neighborhood_(neighborhood),
        passes_(passes),
        sizes_(sizes),
        offsets_(offsets),
        parities_(std::move(parities)),
        blocks_(neighborhood, passes),
        builder_(alltoall_layout(neighborhood.size(), sizes, false)) {}

  /// Blocks that stay are copied; then all passes follow.
  Program write() && {
    for (int i = 0; i < neighborhood_.size(); ++i) {
      auto const slot = static_cast<std::uint32_t>(i);
      if (blocks_.stays(i)) builder_.copy(send_slot(slot), receive_slot(slot));
    }
    for (Pass const& pass : passes_) write(pass);
    blocks_.lay_out(builder_.layout(), sizes_);
    return std::move(builder_).finish();
  }

 private:
  int hops_along(Pass const& pass, int i, int sign) const {
    if (!pass.exchange && sign != pass.sign) return 0;
    return std::max(0, sign * neighborhood_[i][at(pass.dimension)]);
  }

  /// Calls visit(neighbor, waited, hops taken before) for each block that moves in direction `sign` in a round. Both
  /// ends of a message list blocks in the same order.
  template <typename Visit>
  void each_moving(Pass const& pass, int round, int sign, Visit const& visit) const {
    for (int const waited : parity_waits) {
      int const hops = round - 1 - waited;
      if (hops < 0 || (waited > 0 && !pass.exchange)) continue;
      for (int i = 0; i < neighborhood_.size(); ++i) {
        if (hops_along(pass, i, sign) > hops) visit(i, waited, hops);
      }
    }
  }

  /// Writes the rounds of one pass over a dimension. `here` holds, for blocks that started at once and for those that
  /// waited, where they lie now.
  void write(Pass const& pass) {
    std::vector<Place> const start = blocks_.resting();
    std::array<std::vector<Place>, 2> here{start, start};
    for (int round = 1; round <= pass.rounds; ++round) {
      builder_.begin_round();
      ParityTurn const turn(pass, parities_, round);
      std::vector<Place> from, into;
      each_moving(pass, round, turn.ahead, [&](int i, int waited, int hops) {
        from.push_back(hops == 0 ? start[at(i)] : here[at(waited)][at(i)]);
        blocks_.leave(i, from.back());
      });
      each_moving(pass, round, turn.coming, [&](int i, int waited, int hops) {
        into.push_back(receive(pass, i, turn.coming, hops));
        here[at(waited)][at(i)] = into.back();
      });
      post_hop(builder_, offsets_, pass, turn, from, into);
      blocks_.end_round();
    }
    for (int i = 0; i < neighborhood_.size(); ++i) {
      blocks_.finish_pass(i, hops_along(pass, i, +1) + hops_along(pass, i, -1));
    }
  }

  /// The place for a block that arrives after `hops` earlier hops. After its last hop along the dimension, this is its
  /// place until a later pass.
  Place receive(Pass const& pass, int i, int sign, int hops) {
    int const all = hops_along(pass, i, sign);
    if (all > hops + 1) return blocks_.wait(i);
    Place const place = blocks_.last_pass(i, all) ? receive_slot(static_cast<std::uint32_t>(i)) : blocks_.wait(i);
    blocks_.rest(i, place);
    return place;
  }

  Neighborhood const& neighborhood_;
  std::vector<Pass> const& passes_;
  BlockSizes const& sizes_;
  Offsets& offsets_;
  std::vector<int> parities_;  ///< by dimension; 0 if the dimension has no exchange
  RankBlocks blocks_;
  ProgramBuilder builder_;
};

/// The number of a rank's program: its parities in the dimensions with exchanges, as bits.
std::uint32_t program_of(Torus const& torus, std::vector<Pass> const& passes, Rank rank) {
  std::vector<int> const coordinates = torus.coordinates(rank);
  std::uint32_t number = 0;
  for (Pass const& pass : passes) {
    if (pass.exchange) number = 2 * number + static_cast<std::uint32_t>(coordinates[at(pass.dimension)] % 2);
  }
  return number;
}

/// The number of a program in binary digits, one for each pass with exchanges; the last pass is the lowest digit.
std::vector<int> parities_of(std::uint32_t program, std::vector<Pass> const& passes, int dimensions) {
  std::vector<int> parities(at(dimensions), 0);
  for (auto pass = passes.rbegin(); pass != passes.rend(); ++pass) {
    if (!pass->exchange) continue;
    parities[at(pass->dimension)] = static_cast<int>(program % 2);
    program /= 2;
  }
  return parities;
}

}  // namespace

ParityTurn::ParityTurn(Pass const& pass, std::vector<int> const& parities, int round) {
  bool const turned_ahead = (parities[at(pass.dimension)] + round) % 2 != 0;
  ahead = !pass.exchange ? pass.sign : turned_ahead ? +1 : -1;
  // An exchange goes both ways over one link. In other passes blocks come from behind.
  coming = pass.exchange ? -ahead : pass.sign;
}

namespace {

/// Lists the passes of a neighborhood along the dimensions in the given order. A dimension is an exchange only if its
/// extent is even and the exchange saves rounds. Directions in which no block moves are left out.
std::vector<Pass> parity_passes(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& order) {
  std::vector<Pass> passes;
  for (int const j : order) {
    if (torus.extent(j) == 1) continue;
    int const ahead = reach(neighborhood, j, +1);
    int const back = reach(neighborhood, j, -1);
    if (torus.extent(j) % 2 == 0 && std::max(ahead, back) + 1 < ahead + back) {
      passes.push_back({j, true, 0, std::max(ahead, back) + 1});
      continue;
    }
    if (ahead > 0) passes.push_back({j, false, +1, ahead});
    if (back > 0) passes.push_back({j, false, -1, back});
  }
  return passes;
}

}  // namespace

/// Posts the receive before the send, as every generator does.
void post_hop(ProgramBuilder& builder, Offsets& offsets, Pass const& pass, ParityTurn const& turn,
              std::vector<Place> const& from, std::vector<Place> const& into) {
  std::vector<int> step(at(offsets.dimensions()), 0);
  step[at(pass.dimension)] = 1;
  if (!into.empty()) builder.receive(offsets.index(step, -turn.coming), into);
  if (!from.empty()) builder.send(offsets.index(step, turn.ahead), from);
}

Schedule isomorphic_parity(problem::Isomorphic const& problem) {
  Torus const& torus = problem.torus;
  Neighborhood const neighborhood = routed(problem);
  std::vector<int> const order = dimension_order(problem);
  expect_problem(torus, neighborhood, order);
  std::vector<Pass> const passes = parity_passes(torus, neighborhood, order);
  if (problem.ports != 1) {
    Schedule combining = isomorphic_dimension_wise(problem);
    int const rounds =
        std::accumulate(passes.begin(), passes.end(), 0, [](int sum, Pass const& pass) { return sum + pass.rounds; });
    if (combining.rounds() <= rounds) return combining;
  }
  auto const exchanges = std::count_if(passes.begin(), passes.end(), [](Pass const& pass) { return pass.exchange; });
  Schedule schedule;
  schedule.ranks = torus.size();
  schedule.torus = torus;
  schedule.promises = {1, Links::unit};
  Offsets offsets(torus.dimensions());
  for (std::uint32_t program = 0; program < std::uint32_t{1} << exchanges; ++program) {
    std::vector<int> parities = parities_of(program, passes, torus.dimensions());
    schedule.programs.push_back(
        problem.collective == problem::NeighborCollective::alltoall
            ? ParityProgram(neighborhood, passes, problem.sizes, offsets, std::move(parities)).write()
            : parity_allgather_program(torus, neighborhood, order, passes, problem.sizes.block, parities, offsets));
  }
  schedule.offsets = std::move(offsets).take();
  if (exchanges == 0) return schedule;
  for (int r = 0; r < torus.size(); ++r) schedule.program_of.push_back(program_of(torus, passes, Rank(r)));
  return schedule;
}

}  // namespace rondo::generate
