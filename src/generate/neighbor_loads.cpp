// Lists of blocks by rank and target, linked through one array, so that a list can be handed over without copying it.

#include "generate/neighbor_loads.hpp"

#include <algorithm>
#include <utility>

namespace rondo::generate {

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

}  // namespace rondo::generate
