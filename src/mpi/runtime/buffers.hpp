#pragma once

// The send, receive and intermediate buffers of a rank as plain bytes, and the offsets of a layout's slots in them.
// Knows no MPI.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "schedule/place.hpp"

namespace rondo::mpi {

/// The offsets of the slots of a layout; slots follow each other in their buffer. All ranks of a program share one such
/// table.
class SlotOffsets {
 public:
  explicit SlotOffsets(Layout const& layout);
  /// Where the slot of the place begins, in bytes from the start of its buffer.
  std::ptrdiff_t operator()(Place place) const;

 private:
  std::int64_t block_;  ///< the bytes of a block
  /// By buffer, where its slots begin; empty if all of them take `block_` bytes.
  std::array<std::vector<std::int64_t>, buffer_count> starts_;
};

/// The memory of a rank: the first byte of its send, receive and intermediate buffer, and their layout. It is a view:
/// memory, layout and offsets must outlive it.
struct Buffers {
  std::array<std::byte*, buffer_count> first{};
  Layout const* layout = nullptr;
  SlotOffsets const* offsets = nullptr;

  /// The bytes of the slot of this place. The place must be one of the layout.
  std::span<std::byte> slot(Place place) const;
};

}  // namespace rondo::mpi
