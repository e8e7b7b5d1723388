#pragma once

// The sizes of the slots of one rank in one call.

#include "schedule/place.hpp"

namespace rondo::mpi {

/// `filled` are the sizes of the data that a call puts into the slots of the send and the receive buffer; `slots` are
/// the sizes of messages. They differ only if a schedule moves blocks of different sizes through one slot, one after
/// the other; then all of them are padded to the largest. Slots to which nothing is owed have no size in `filled`. The
/// unit is that of unit_of (call_memory.hpp).
struct SlotSizes {
  explicit SlotSizes(Layout const& both) : slots(both), filled(both) {}
  Layout slots, filled;
  /// Whether every slot of the buffer has the size of a block.
  bool full(Buffer buffer) const {
    for (std::uint32_t i = 0; i < slots[buffer].slots; ++i) {
      if (slots.bytes({buffer, i}) != filled.bytes({buffer, i})) return false;
    }
    return true;
  }
};

}  // namespace rondo::mpi
