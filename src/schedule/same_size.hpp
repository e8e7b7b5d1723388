#pragma once

// Which slots of a schedule must have the same size, whatever the sizes of its blocks are: a message or copy takes what
// lies in one slot to another. So a schedule that is proved for one size of blocks can be followed for all others.

#include <array>
#include <vector>

#include "schedule/collective.hpp"
#include "schedule/schedule.hpp"

namespace rondo {

/// By buffer and slot of one rank, the promised blocks whose sizes the slot must have: usually a single one. Several
/// blocks share a slot one after the other; then the slot must have room for the largest of them. A slot that no
/// promised block passes through has none. Blocks of a reduction are those of rank 0, for all ranks.
struct BlocksOfSlots {
  std::array<std::vector<std::vector<Content>>, buffer_count> blocks;

  std::vector<Content> const& of(Place place) const {
    return blocks[static_cast<std::size_t>(place.buffer())][place.slot()];
  }
};

/// The schedule keeps the promise. Time and memory grow with the slots and messages of all ranks.
BlocksOfSlots blocks_of_slots(Schedule const& schedule, Collective const& collective, Rank rank);

}  // namespace rondo
