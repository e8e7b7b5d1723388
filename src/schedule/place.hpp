#pragma once

// Where the blocks of a rank lie: its three buffers, their slots and the sizes of slots.

#include <array>
#include <compare>
#include <cstdint>
#include <vector>

#include "base/units.hpp"

namespace rondo {

/// The three buffers of a rank [Traeff16, Section 3.3]: the send buffer is only read, the receive buffer holds what
/// the collective promises at the end, the intermediate buffer lets a block wait without a copy.
enum class Buffer : std::uint8_t { send, receive, intermediate };
inline constexpr int buffer_count = 3;

/// A slot of a buffer: where one block lies. Four bytes, because schedules hold hundreds of millions of them.
class Place {
 public:
  constexpr Place() = default;
  constexpr Place(Buffer buffer, std::uint32_t slot) : packed_((static_cast<std::uint32_t>(buffer) << 30) | slot) {}
  constexpr Buffer buffer() const { return static_cast<Buffer>(packed_ >> 30); }
  constexpr std::uint32_t slot() const { return packed_ & ((std::uint32_t{1} << 30) - 1); }
  friend constexpr auto operator<=>(Place, Place) = default;

 private:
  std::uint32_t packed_ = 0;
};

/// Places in each of the buffers.
constexpr Place send_slot(std::uint32_t slot) { return {Buffer::send, slot}; }
constexpr Place receive_slot(std::uint32_t slot) { return {Buffer::receive, slot}; }
constexpr Place intermediate_slot(std::uint32_t slot) { return {Buffer::intermediate, slot}; }

/// How many slots a buffer has and how many bytes each takes; slots lie one behind the other.
struct BufferLayout {
  std::uint32_t slots = 0;
  /// Empty: every slot takes Layout::block bytes. Else one size a slot.
  std::vector<Bytes> sizes;
};

/// The buffers of a rank. `block` is m, the size of one block, in which volumes are counted.
struct Layout {
  Bytes block;
  std::array<BufferLayout, buffer_count> buffers;

  BufferLayout const& operator[](Buffer buffer) const { return buffers[static_cast<std::size_t>(buffer)]; }
  BufferLayout& operator[](Buffer buffer) { return buffers[static_cast<std::size_t>(buffer)]; }
  bool holds(Place place) const { return place.slot() < (*this)[place.buffer()].slots; }
  /// The size of a slot that the layout holds.
  Bytes bytes(Place place) const {
    std::vector<Bytes> const& sizes = (*this)[place.buffer()].sizes;
    return sizes.empty() ? block : sizes[place.slot()];
  }
  /// The size of a whole buffer.
  Bytes bytes(Buffer buffer) const;
  /// Whether every slot takes m bytes.
  bool uniform() const;
  /// The volume of so many slots with so many bytes in blocks: bytes / m. If every slot takes m bytes, or if m = 0, it
  /// is the number of slots.
  double blocks(std::int64_t slots, Bytes bytes) const;
};

}  // namespace rondo
