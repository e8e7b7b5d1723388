#pragma once

// The memory of the slots of a classical collective's schedule: the buffers of the call, and memory of Rondo's own
// where these do not fit. SlotSizes holds the sizes of the slots of one rank in one call.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "mpi/runtime/slots.hpp"
#include "mpi_library/classical/collective_call.hpp"
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

/// In which unit the layouts of a collective's schedule count. The vector of a bcast is counted in bytes, because ranks
/// may describe it by different datatypes; blocks are, too. Data that are reduced are counted in elements, which are
/// never cut.
enum class Unit : std::uint8_t { bytes, elements };
Unit unit_of(ClassicalCollective collective);

/// The buffers of one call at one rank, and the memory that its operation needs besides.
class CallMemory {
 public:
  /// The arguments must be such that by_choice can carry out the call. Throws MpiFailure.
  CallMemory(CollectiveCall const& call, int rank, int ranks);

  /// The slots of the rank, with these sizes. If a slot has another size than its content, or if blocks with gaps are
  /// cut, the slot lies in Rondo's own memory. Must be called once.
  SlotTable table(SlotSizes const& sizes);
  /// Must be called before each operation: copies data to be sent into Rondo's own memory.
  void begin() const;
  /// Must be called after each operation: moves data that have arrived in Rondo's own memory to their places.
  void finish() const;
  /// The size of Rondo's own memory and of the copies.
  std::size_t bytes() const {
    return bytes_ + copied_in_.size() * sizeof(LocalCopy) + moved_back_.size() * sizeof(std::pair<Slot, Slot>);
  }

 private:
  /// Elements of one datatype that follow each other, which a layout cuts; bytes if `type` is MPI_BYTE.
  struct Vector {
    MPI_Aint address = 0;
    MPI_Datatype type = MPI_BYTE;
  };

  void describe_bcast();
  void describe_reduction();
  void describe_blocks();
  Slot own(int count, MPI_Datatype type);
  MPI_Aint own(std::size_t bytes);
  Slot kept(Slot const& slot);
  std::vector<Slot> received_blocks() const;
  std::vector<Slot> sent_blocks() const;
  Slot part(Vector const& vector, MPI_Aint offset, Bytes size) const;
  std::vector<Slot> cut(Vector const& vector, SlotSizes const& sizes, Buffer buffer);
  Slot staged(Vector const& vector, Slot const& filled, Bytes room, Buffer buffer);
  std::vector<Slot> blocks(std::vector<Slot> const& whole, SlotSizes const& sizes, Buffer buffer);
  void add_pieces(Slot const& block, std::uint32_t pieces, SlotSizes const& sizes, Buffer buffer,
                  std::vector<Slot>& result);
  Slot packed(Bytes size);
  std::vector<Slot> intermediate(Layout const& layout);

  CollectiveCall call_;
  int rank_;
  int ranks_;
  std::vector<std::unique_ptr<std::byte[]>> memory_;
  std::size_t bytes_ = 0;
  std::vector<LocalCopy> copied_in_;               ///< in this order, before the operation
  std::optional<Vector> sent_, received_;          ///< of collectives of vectors
  std::vector<Slot> send_, receive_;               ///< of collectives of blocks
  std::optional<Slot> packed_;                     ///< the vector of a bcast whose datatype has gaps
  std::vector<std::pair<Slot, Slot>> moved_back_;  ///< from our own memory, in this order, behind the operation
};

}  // namespace rondo::mpi
