// Writes the schedule of a reduction by common neighbors (common_neighbors.hpp). Friends join their blocks, so a common
// neighbor receives one block instead of two.

#include <algorithm>
#include <map>
#include <utility>

#include "base/ids.hpp"
#include "generate/neighbor.hpp"

namespace rondo::generate {
namespace {

/// By rank and target: the place of the one block that the rank still owes to the target. It is the rank's own block,
/// joined with the blocks that friends have handed over.
class PendingBlocks {
 public:
  explicit PendingBlocks(ProcessGraph const& graph) : place_of_(at(graph.ranks())) {
    for (std::int32_t r = 0; r < graph.ranks(); ++r) {
      for (Rank const target : graph.distinct_targets(Rank(r))) place_of_[at(Rank(r))].emplace(target, send_slot(0));
    }
  }
  std::map<Rank, Place>& of(Rank rank) { return place_of_[at(rank)]; }
  /// Removes the block that the rank owes to the target, and returns its place.
  Place take(Rank rank, Rank target) {
    auto const taken = of(rank).extract(target);
    expects(!taken.empty(), "a pattern of this graph: an edge to each combined neighbor");
    return taken.mapped();
  }

 private:
  std::vector<std::map<Rank, Place>> place_of_;
};

/// Writes the rounds. In a pair each rank hands over contributions, which the other one joins with its own.
class CombinedReduction {
 public:
  /// Lays out the slots of all ranks, and writes the copies of self loops.
  CombinedReduction(problem::Neighbor const& problem, CombiningPattern const& pattern)
      : graph_(graph_of(problem.graph)), pattern_(pattern), pending_(graph_), arrivals_(at(graph_.ranks())) {
    Layout layout{problem.sizes.block, {}};
    layout[Buffer::send].slots = 1;
    for (std::int32_t r = 0; r < graph_.ranks(); ++r) {
      layout[Buffer::receive].slots = graph_.sources(Rank(r)).empty() ? 0 : 1;
      builders_.emplace_back(layout);
      for (Neighbor const& target : graph_.targets(Rank(r))) {
        if (target.rank == Rank(r)) builder(Rank(r)).copy(send_slot(0), receive_slot(0), arrivals_[at(Rank(r))].next());
      }
    }
  }

  /// Writes an exchange for each iteration. A single pattern then sends the joined blocks to the onloaded neighbors.
  /// The last round sends all blocks that are left.
  Schedule build() && {
    for (Iteration const& iteration : pattern_.iterations) {
      begin_round();
      exchange(iteration);
      if (pattern_.combining == Combining::cumulative) continue;
      begin_round();
      for (Pair const& pair : iteration.pairs) {
        for (Rank const target : pair.low_onloads) deliver(pair.low, target);
        for (Rank const target : pair.high_onloads) deliver(pair.high, target);
      }
    }
    send_remaining();
    return schedule_of(std::move(builders_));
  }

 private:
  /// A message between friends: what arrives at the taker, and for which targets.
  struct FriendMessage {
    Rank taker;
    std::vector<std::pair<Rank, Place>> blocks;  ///< each target, with the place of its block at the taker
  };

  /// Writes the messages of all pairs, and then the joins. A join writes only to slots that this exchange has made, so
  /// it changes no block that the exchange sends.
  void exchange(Iteration const& iteration) {
    std::vector<FriendMessage> all;
    for (Pair const& pair : iteration.pairs) {
      all.push_back(hand_over(pair.high, pair.low, pair.low_onloads));
      all.push_back(hand_over(pair.low, pair.high, pair.high_onloads));
    }
    for (FriendMessage const& each : all) join(each);
  }

  /// Writes a message of contributions to a friend; the blocks are joined at its side.
  FriendMessage hand_over(Rank giver, Rank taker, std::vector<Rank> const& targets) {
    FriendMessage result{taker, {}};
    std::map<Place, Place> sent;  // by place at the giver: a block for several targets is sent once
    std::vector<Place> from, into;
    for (Rank const target : targets) {
      Place const place = pending_.take(giver, target);
      auto const [entry, is_new] = sent.try_emplace(place);
      if (is_new) {
        entry->second = fresh(taker);
        from.push_back(place);
        into.push_back(entry->second);
      }
      result.blocks.emplace_back(target, entry->second);
    }
    builder(giver).send(taker.value, from);
    builder(taker).receive(giver.value, into);
    return result;
  }

  /// Makes one new block for each combination of an arrived block and a block that the taker has for the same targets.
  /// The last combination reuses the place of the arrived block, which is not needed afterwards.
  void join(FriendMessage const& handed) {
    // By the place of the arrived block, then by the place of the taker's block: the targets that get both.
    std::map<Place, std::map<Place, std::vector<Rank>>> targets;
    for (auto const& [target, arrived] : handed.blocks) {
      targets[arrived][pending_.of(handed.taker).at(target)].push_back(target);
    }
    for (auto const& [arrived, by_own] : targets) {
      std::size_t left = by_own.size();
      for (auto const& [own, ranks] : by_own) {
        Place const joined = --left > 0 ? copied(handed.taker, arrived) : arrived;
        builder(handed.taker).copy(own, joined, Join::before);
        for (Rank const target : ranks) pending_.of(handed.taker).at(target) = joined;
      }
    }
  }

  /// Copies a block to a new place of the same rank.
  Place copied(Rank rank, Place from) {
    Place const into = fresh(rank);
    builder(rank).copy(from, into);
    return into;
  }

  void deliver(Rank source, Rank target) { send(source, pending_.take(source, target), target); }

  /// Sends all blocks that are left. Of parallel edges only the first is combined, so the others are sent here, too.
  void send_remaining() {
    bool begun = false;
    auto const begin = [&] {
      if (!std::exchange(begun, true)) begin_round();
    };
    for (std::int32_t r = 0; r < graph_.ranks(); ++r) {
      for (auto const& [target, place] : pending_.of(Rank(r))) {
        begin();
        send(Rank(r), place, target);
      }
      std::map<Rank, int> edges;
      for (Neighbor const& each : graph_.targets(Rank(r))) {
        if (each.rank == Rank(r) || edges[each.rank]++ == 0) continue;
        begin();
        send(Rank(r), send_slot(0), each.rank);
      }
    }
  }

  void send(Rank source, Place from, Rank target) {
    Place const into = receive_slot(0);
    builder(target).receive(source.value, {&into, 1}, arrivals_[at(target)].next());
    builder(source).send(target.value, {&from, 1});
  }

  void begin_round() {
    for (ProgramBuilder& each : builders_) each.begin_round();
  }
  ProgramBuilder& builder(Rank rank) { return builders_[at(rank)]; }
  Place fresh(Rank rank) { return intermediate_slot(builder(rank).layout()[Buffer::intermediate].slots++); }

  ProcessGraph const& graph_;
  CombiningPattern const& pattern_;
  PendingBlocks pending_;
  std::vector<FirstStoresThenJoins> arrivals_;  ///< by rank: how its receive slot takes the next block
  std::vector<ProgramBuilder> builders_;
};

}  // namespace

Schedule neighbor_reduction_combined(problem::Neighbor const& problem, CombiningPattern const& pattern) {
  return CombinedReduction(problem, pattern).build();
}

}  // namespace rondo::generate
