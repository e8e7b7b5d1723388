#pragma once

// How large the slots of one rank are in one call.

#include "schedule/place.hpp"

namespace rondo::mpi {

/// `filled` are the sizes of what a call puts in the slots of the send and the receive buffer, `slots` how much goes in
/// messages. Both are the same, except if a schedule has blocks of different sizes in one slot, one after the other:
/// then all of them take as much as the largest. What a rank is not owed has no size in `filled`. The unit is that of
/// unit_of (call_memory.hpp).
struct SlotSizes {
  explicit SlotSizes(Layout const& both) : slots(both), filled(both) {}
  Layout slots, filled;
  bool full(Buffer buffer) const {
    for (std::uint32_t i = 0; i < slots[buffer].slots; ++i) {
      if (slots.bytes({buffer, i}) != filled.bytes({buffer, i})) return false;
    }
    return true;
  }
};

}  // namespace rondo::mpi
