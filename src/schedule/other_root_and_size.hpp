#pragma once

// Schedules of a collective for another root and for other sizes of blocks. Generators need to know only one root,
// because a schedule for it is turned into one for another root. A schedule that was proved for one size of blocks
// can be followed for all other sizes, if the slots between which a message or a copy moves a block have the same
// size, whatever the sizes of the blocks are.

#include <array>
#include <vector>

#include "schedule/collective.hpp"
#include "schedule/schedule.hpp"

namespace rondo {

/// The schedule with all ranks renumbered cyclically: rank r does what rank r - root + promise.root (modulo the number
/// of ranks) did, so that `root` plays the part of the promise's root. It keeps the same promise with the other root if
/// the operator commutes. In a gather and a scatter each block occupies `pieces` slots. The peers of the schedule must
/// be ranks, not offsets.
Schedule with_root(Schedule const& schedule, Classical const& promise, std::uint32_t pieces, Rank root);

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
