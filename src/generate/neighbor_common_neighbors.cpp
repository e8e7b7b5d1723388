// Schedules of the pattern of common_neighbors.hpp. All exchanges are planned first, because layouts need the number of
// intermediate slots.

#include <algorithm>
#include <utility>

#include "generate/neighbor_loads.hpp"

namespace rondo::generate {
namespace {

/// A pair from the view of one of its ranks.
struct Side {
  Rank rank, partner;
  std::vector<Rank> const* onloads;
  std::vector<Rank> const* offloads;
};

/// Both sides of all pairs, sorted by rank.
std::vector<Side> sides_of(Iteration const& iteration) {
  std::vector<Side> sides;
  for (Pair const& pair : iteration.pairs) {
    sides.push_back({pair.low, pair.high, &pair.low_onloads, &pair.high_onloads});
    sides.push_back({pair.high, pair.low, &pair.high_onloads, &pair.low_onloads});
  }
  std::ranges::sort(sides, {}, &Side::rank);
  return sides;
}

/// A message between friends.
struct Exchange {
  Rank source, target;
  std::vector<Place> from, into;
};

/// Algorithm 3 for all ranks at once. All exchanges are simulated first, because they determine where each block lies
/// when it is sent, and how large the intermediate buffers are.
class CombinedSchedule {
 public:
  /// Plans the exchanges of all iterations.
  CombinedSchedule(NeighborBlocks const& blocks, CombiningPattern const& pattern)
      : blocks_(blocks), pattern_(pattern), loads_(blocks) {
    for (Iteration const& iteration : pattern.iterations) exchange(iteration);
    for (std::int32_t r = 0; r < blocks.graph().ranks(); ++r) {
      builders_.emplace_back(blocks.layout(Rank(r), loads_.intermediate_sizes(Rank(r))));
      blocks.copy_self_loops(builders_.back(), Rank(r));
    }
  }

  /// Writes the rounds: an exchange for each iteration, then what is left to the targets.
  Schedule build() && {
    for (std::size_t k = 0; k < exchanges_.size(); ++k) {
      begin_round();
      for (Exchange const& each : exchanges_[k]) {
        builder(each.target).receive(each.source.value, each.into);
        builder(each.source).send(each.target.value, each.from);
      }
      if (pattern_.combining == Combining::single) send_onloaded(pattern_.iterations[k]);
    }
    send_remaining();
    return schedule_of(std::move(builders_));
  }

 private:
  /// Each rank of a pair hands over the blocks for the neighbors that the other one takes.
  void exchange(Iteration const& iteration) {
    std::vector<Exchange>& round = exchanges_.emplace_back();
    for (Side const& side : sides_of(iteration)) {
      Exchange& message = round.emplace_back(Exchange{side.rank, side.partner, {}, {}});
      loads_.hand_over(side.rank, side.partner, *side.offloads, message.from, message.into);
    }
  }

  /// A round in which each rank serves the neighbors that it has taken over.
  void send_onloaded(Iteration const& iteration) {
    begin_round();
    for (Side const& side : sides_of(iteration)) {
      for (Rank const target : *side.onloads) deliver(side.rank, target);
    }
  }

  /// Sends the blocks that no friend took over.
  void send_remaining() {
    bool begun = false;
    for (std::int32_t r = 0; r < blocks_.graph().ranks(); ++r) {
      for (Rank const target : loads_.targets(Rank(r))) {
        if (!std::exchange(begun, true)) begin_round();
        deliver(Rank(r), target);
      }
    }
  }

  /// Sends all blocks that `source` has for `target` in one message. Copies at the target fill the slots of parallel
  /// edges.
  void deliver(Rank source, Rank target) {
    from_.clear();
    into_.clear();
    for (Load const& load : loads_.take(source, target)) {
      from_.push_back(load.place);
      into_.push_back(receive_slot(load.slot));
      for (std::uint32_t slot = load.slot + 1; blocks_.comes_with_previous(target, slot); ++slot) {
        builder(target).copy(receive_slot(load.slot), receive_slot(slot));
      }
    }
    builder(target).receive(source.value, into_);
    builder(source).send(target.value, from_);
  }

  void begin_round() {
    for (ProgramBuilder& each : builders_) each.begin_round();
  }
  ProgramBuilder& builder(Rank rank) { return builders_[static_cast<std::size_t>(rank.value)]; }

  NeighborBlocks const& blocks_;
  CombiningPattern const& pattern_;
  Loads loads_;
  std::vector<std::vector<Exchange>> exchanges_;  ///< by iteration
  std::vector<ProgramBuilder> builders_;
  std::vector<Place> from_, into_;
};

}  // namespace

Schedule neighbor_common_neighbors(problem::Neighbor const& problem, CombiningPattern const& pattern) {
  NeighborBlocks const blocks(problem);
  return CombinedSchedule(blocks, pattern).build();
}

}  // namespace rondo::generate
