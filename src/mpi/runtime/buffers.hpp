#pragma once

// The send, receive and intermediate buffer of a rank as plain bytes, and where the slots of a layout lie in them.
// Knows no MPI.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "schedule/place.hpp"

namespace rondo::mpi {

/// Where the slots of a layout lie in their buffers: one behind the other. Shared by all ranks of one program.
class SlotOffsets {
 public:
  explicit SlotOffsets(Layout const& layout);
  std::ptrdiff_t operator()(Place place) const;

 private:
  std::int64_t block_;
  std::array<std::vector<std::int64_t>, buffer_count> starts_;  ///< empty where all slots take `block_` bytes
};

/// The memory of a rank: the first byte of its send, receive and intermediate buffer, and how they are laid out. A
/// view: memory, layout and offsets outlive it.
struct Buffers {
  std::array<std::byte*, buffer_count> first{};
  Layout const* layout = nullptr;
  SlotOffsets const* offsets = nullptr;

  std::span<std::byte> slot(Place place) const;
};

}  // namespace rondo::mpi
