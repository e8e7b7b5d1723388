#pragma once

// Keeps track of which rank has which blocks for which target while friends exchange, for
// neighbor_common_neighbors.cpp alone.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/ids.hpp"
#include "generate/neighbor.hpp"

namespace rondo::generate {

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

}  // namespace rondo::generate
