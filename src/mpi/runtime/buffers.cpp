// Offsets of slots in a rank's buffers.

#include "mpi/runtime/buffers.hpp"

namespace rondo::mpi {

/// If all slots of a buffer have the size of a block, operator() multiplies, and no list is kept.
SlotOffsets::SlotOffsets(Layout const& layout) : block_(layout.block.value) {
  for (std::size_t b = 0; b < layout.buffers.size(); ++b) {
    std::int64_t next = 0;
    starts_[b].reserve(layout.buffers[b].sizes.size());
    for (Bytes const size : layout.buffers[b].sizes) {
      starts_[b].push_back(next);
      next += size.value;
    }
  }
}

std::ptrdiff_t SlotOffsets::operator()(Place place) const {
  std::vector<std::int64_t> const& starts = starts_[static_cast<std::size_t>(place.buffer())];
  return starts.empty() ? block_ * place.slot() : starts[place.slot()];
}

std::span<std::byte> Buffers::slot(Place place) const {
  return {first[static_cast<std::size_t>(place.buffer())] + (*offsets)(place),
          static_cast<std::size_t>(layout->bytes(place).value)};
}

}  // namespace rondo::mpi
