// Schedules of the pattern of common_neighbors.hpp. All exchanges are planned first, because layouts need the number
// of intermediate slots. Loads are lists of blocks by rank and target, linked through one array, so that a list can
// be handed over without copying it.

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/ids.hpp"
#include "generate/neighbor.hpp"

namespace rondo::generate {
namespace {

/// A block on its way to a target: its place at the rank that will send it there, and the target's receive slot.
struct Load {
  Place place;
  std::uint32_t slot = 0;
};

/// The loads of all ranks. At the start each rank has its own blocks for its distinct targets. A rank that offloads a
/// target hands all blocks that it has for it over to its friend.
class Loads {
 public:
  explicit Loads(NeighborBlocks const& blocks);

  /// `giver` hands over its blocks for `targets`. Writes the places of the message: those of the blocks at the giver
  /// (`from`), and those in the intermediate buffer of the taker (`into`).
  void hand_over(Rank giver, Rank taker, std::vector<Rank> const& targets, std::vector<Place>& from,
                 std::vector<Place>& into);
  /// Removes and returns the loads that `rank` has for `target`, its own first.
  std::vector<Load> const& take(Rank rank, Rank target);
  /// The targets for which `rank` has loads, in ascending order.
  std::vector<Rank> targets(Rank rank) const;
  /// The size of each slot of the intermediate buffer so far.
  std::vector<Bytes> const& intermediate_sizes(Rank rank) const { return intermediate_[at(rank)].sizes; }

 private:
  static constexpr std::int32_t end = -1;
  /// An edge in the list of the edges for one target; in allgather the first of parallel edges.
  struct Entry {
    Load load;
    Rank origin;
    std::uint32_t block = 0;  ///< its index among the origin's targets
    std::int32_t next = end;
  };
  /// A linked list of entries.
  struct List {
    std::int32_t first = end, last = end;
  };
  /// The content of the intermediate buffer of a rank.
  struct IntermediateBuffer {
    std::vector<Bytes> sizes;
    std::unordered_map<std::int32_t, Place>
        place_of;  ///< in allgather, the place of each origin's block; never iterated
  };

  List& list(Rank rank, Rank target);
  void append(List& list, std::int32_t entry);
  /// The place of an entry's block at `taker`, and whether the block must be sent there.
  std::pair<Place, bool> place_at(Rank taker, Entry const& entry);

  NeighborBlocks const& blocks_;
  std::vector<std::vector<Rank>> targets_;  ///< for each rank, its distinct targets
  std::vector<std::vector<List>> lists_;    ///< alongside
  std::vector<Entry> entries_;
  std::vector<IntermediateBuffer> intermediate_;
  std::vector<Load> taken_;
};

/// At the start each rank has its own block for each target.
Loads::Loads(NeighborBlocks const& blocks) : blocks_(blocks) {
  ProcessGraph const& graph = blocks.graph();
  entries_.reserve(static_cast<std::size_t>(graph.edges()));
  intermediate_.resize(static_cast<std::size_t>(graph.ranks()));
  for (std::int32_t r = 0; r < graph.ranks(); ++r) {
    targets_.push_back(graph.distinct_targets(Rank(r)));
    lists_.emplace_back(targets_.back().size());
    auto const neighbors = graph.targets(Rank(r));
    for (std::uint32_t i = 0; i < neighbors.size(); ++i) {
      auto const [target, slot] = neighbors[i];
      if (target == Rank(r) || blocks.comes_with_previous(target, slot)) continue;
      entries_.push_back({{blocks.place(i), slot}, Rank(r), i, end});
      append(list(Rank(r), target), static_cast<std::int32_t>(entries_.size()) - 1);
    }
  }
}

/// The blocks that a rank has for a target.
Loads::List& Loads::list(Rank rank, Rank target) {
  std::vector<Rank> const& targets = targets_[at(rank)];
  auto const found = std::lower_bound(targets.begin(), targets.end(), target);
  expects(found != targets.end() && *found == target, "a pattern of this graph: an edge to each combined neighbor");
  return lists_[at(rank)][static_cast<std::size_t>(found - targets.begin())];
}

/// Appends an entry to a list, in constant time.
void Loads::append(List& list, std::int32_t entry) {
  entries_[static_cast<std::size_t>(entry)].next = end;
  if (list.first == end)
    list.first = entry;
  else
    entries_[static_cast<std::size_t>(list.last)].next = entry;
  list.last = entry;
}

/// Where the taker stores a block, and whether the block is new there: the block of an allgather is stored once for all
/// targets.
std::pair<Place, bool> Loads::place_at(Rank taker, Entry const& entry) {
  IntermediateBuffer& buffer = intermediate_[at(taker)];
  bool const shared = blocks_.kind() == NeighborCollective::allgather;
  if (shared) {
    auto const loaded = buffer.place_of.find(entry.origin.value);
    if (loaded != buffer.place_of.end()) return {loaded->second, false};
  }
  Place const place = intermediate_slot(static_cast<std::uint32_t>(buffer.sizes.size()));
  buffer.sizes.push_back(blocks_.size(entry.origin, entry.block));
  if (shared) buffer.place_of.emplace(entry.origin.value, place);
  return {place, true};
}

/// Moves the blocks for these targets from one rank to another, and lists the slots of the message.
void Loads::hand_over(Rank giver, Rank taker, std::vector<Rank> const& targets, std::vector<Place>& from,
                      std::vector<Place>& into) {
  // The giver's own block is always sent, so that no exchange is empty.
  if (blocks_.kind() == NeighborCollective::allgather) intermediate_[at(taker)].place_of.erase(giver.value);
  for (Rank const target : targets) {
    List& taken = list(taker, target);
    List const given = std::exchange(list(giver, target), List{});
    for (std::int32_t e = given.first; e != end;) {
      Entry& entry = entries_[static_cast<std::size_t>(e)];
      std::int32_t const next = entry.next;
      auto const [place, sent] = place_at(taker, entry);
      if (sent) {
        from.push_back(entry.load.place);
        into.push_back(place);
      }
      entry.load.place = place;
      append(taken, e);
      e = next;
    }
  }
}

/// The blocks for a target, which leave the list. The result is valid until the next call.
std::vector<Load> const& Loads::take(Rank rank, Rank target) {
  taken_.clear();
  for (std::int32_t e = std::exchange(list(rank, target), List{}).first; e != end;) {
    taken_.push_back(entries_[static_cast<std::size_t>(e)].load);
    e = entries_[static_cast<std::size_t>(e)].next;
  }
  return taken_;
}

/// The targets for which the rank still has blocks.
std::vector<Rank> Loads::targets(Rank rank) const {
  std::vector<Rank> left;
  for (std::size_t i = 0; i < targets_[at(rank)].size(); ++i) {
    if (lists_[at(rank)][i].first != end) left.push_back(targets_[at(rank)][i]);
  }
  return left;
}

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
