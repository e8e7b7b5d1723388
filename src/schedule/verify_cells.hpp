#pragma once

// What lies where during a replay: the state of verify_replay.cpp.

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "schedule/verify_parts.hpp"

namespace rondo::verification {

/// A content in one word; the two largest words are no blocks.
using Packed = std::uint64_t;
inline constexpr Packed nothing = ~Packed{0};      ///< a slot that was never written
inline constexpr Packed unknown = ~Packed{0} - 1;  ///< what a fault that is reported has left instead of a block
constexpr bool is_block(Packed content) { return content < unknown; }
constexpr Packed pack(Content content) {
  return (static_cast<Packed>(content.origin.value) << 32) | content.block.value;
}
constexpr Content unpack(Packed content) {
  return {Rank(static_cast<std::int32_t>(content >> 32)), BlockId(static_cast<std::uint32_t>(content))};
}

/// A slot during the replay.
struct Cell {
  static constexpr int never = -1;
  Packed content = nothing;
  int read = never;      ///< the last round in which its content was sent or copied
  int received = never;  ///< the last round in which a message wrote it
};

/// The slots of the followed ranks, and the blocks that are owed in their receive buffers.
class Cells {
 public:
  explicit Cells(Subject const& subject);

  /// The slot at a place; null if the place is outside its buffer.
  Cell* find(int followed, Place place) {
    Room const& room = rooms_[static_cast<std::size_t>(followed)];
    auto const buffer = static_cast<std::size_t>(place.buffer());
    return place.slot() < room.slots[buffer] ? &cells_[room.first[buffer] + place.slot()] : nullptr;
  }
  /// The block that is owed at a place, else `nothing`.
  Packed owed(int followed, Place place) const {
    auto const rank = static_cast<std::size_t>(followed);
    if (place.buffer() != Buffer::receive || place.slot() >= owed_slots(followed)) return nothing;
    return owed_[owed_first_[rank] + place.slot()];
  }
  std::uint32_t owed_slots(int followed) const {
    auto const rank = static_cast<std::size_t>(followed);
    return static_cast<std::uint32_t>(owed_first_[rank + 1] - owed_first_[rank]);
  }

 private:
  struct Room {
    // One entry more than there are buffers: a Place has two bits for them.
    std::array<std::size_t, buffer_count + 1> first{};
    std::array<std::uint32_t, buffer_count + 1> slots{};
  };
  std::vector<Room> rooms_;
  std::vector<Cell> cells_;
  std::vector<Packed> owed_;
  std::vector<std::size_t> owed_first_;
};

/// How often a rank holds each block: a hash table with linear probing, as it is asked twice for every block moved.
class HeldBlocks {
 public:
  /// Notes one more; says whether the block was held already.
  bool add(Packed block) {
    if (2 * (used_ + 1) > entries_.size()) grow();
    Entry& entry = find(block);
    if (entry.block == nothing) {
      entry.block = block;
      ++used_;
    }
    return entry.count++ > 0;
  }
  /// Notes one less of a block that is held.
  void remove(Packed block) { --find(block).count; }

 private:
  struct Entry {
    Packed block = nothing;
    std::uint32_t count = 0;
  };
  Entry& find(Packed block) {
    std::size_t const mask = entries_.size() - 1;
    std::size_t i = (block * 0x9e3779b97f4a7c15ull) >> shift_;
    while (entries_[i].block != block && entries_[i].block != nothing) i = (i + 1) & mask;
    return entries_[i];
  }
  /// Forgets the blocks that are held no longer; doubles the table if that leaves too many.
  void grow();

  std::vector<Entry> entries_;
  std::size_t used_ = 0;
  int shift_ = 64;
};

}  // namespace rondo::verification
