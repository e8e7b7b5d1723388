#pragma once

// Finds out which slots of a schedule must have the same size, whatever the sizes of the blocks are, because a
// message or a copy moves a block from one slot to the other. With this, a schedule that was proved for one size of
// blocks can be followed for all other sizes.

#include <array>
#include <vector>

#include "schedule/collective.hpp"
#include "schedule/schedule.hpp"

namespace rondo {

/// By buffer and slot of one rank, the promised blocks whose sizes the slot must have. Usually it is a single block. If
/// several blocks use the slot one after the other, it must have room for the largest of them. A slot without blocks is
/// passed by no promised block. A block of a reduction stands for all ranks and is given as that of rank 0.
struct BlocksOfSlots {
  std::array<std::vector<std::vector<Content>>, buffer_count> blocks;

  std::vector<Content> const& of(Place place) const {
    return blocks[static_cast<std::size_t>(place.buffer())][place.slot()];
  }
};

/// The schedule must keep the promise. Time and memory grow with the slots and messages of all ranks.
BlocksOfSlots blocks_of_slots(Schedule const& schedule, Collective const& collective, Rank rank);

}  // namespace rondo
