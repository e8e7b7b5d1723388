#pragma once

// The places of an operation's blocks in the memory of its caller, with their datatypes.

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "mpi/runtime/message_descriptors.hpp"
#include "schedule/place.hpp"

namespace rondo::mpi {

/// A block in memory.
struct Slot {
  Piece piece;
  Bytes bytes;
};

/// Blocks as a caller of MPI describes them: a count, a displacement and a datatype each, or the same for all.
struct Blocks {
  enum class Displaced : std::uint8_t { one_behind_the_other, by_extents, by_bytes };
  enum class Given : std::uint8_t { for_all, for_each };

  void const* buffer = nullptr;
  int number = 0;
  int const* counts = nullptr;
  MPI_Aint const* displacements = nullptr;  ///< read unless one_behind_the_other
  MPI_Datatype const* types = nullptr;
  Displaced displaced = Displaced::one_behind_the_other;
  Given given_counts = Given::for_all;
  Given given_types = Given::for_all;
};

// Blocks in the forms of the C interfaces; the caller still has to set their number.

/// Blocks with one count and datatype that follow each other without gaps.
inline Blocks regular(void const* buffer, int const& count, MPI_Datatype const& type) {
  return {buffer, 0, &count, nullptr, &type};
}

/// Blocks with one datatype, each with its own count and displacement, in extents of the datatype. A caller with
/// displacements of type int passes a null pointer here and sets them later.
inline Blocks irregular(void const* buffer, int const counts[], MPI_Aint const displacements[],
                        MPI_Datatype const& type) {
  return {buffer, 0, counts, displacements, &type, Blocks::Displaced::by_extents, Blocks::Given::for_each};
}

/// Blocks with a count, a datatype and a displacement in bytes each.
inline Blocks typed(void const* buffer, int const counts[], MPI_Aint const displacements[],
                    MPI_Datatype const types[]) {
  using Given = Blocks::Given;
  return {buffer, 0, counts, displacements, types, Blocks::Displaced::by_bytes, Given::for_each, Given::for_each};
}

/// The slots of the blocks. Throws MpiFailure: MPI_ERR_ARG for a missing list, MPI_ERR_COUNT, MPI_ERR_TYPE,
/// MPI_ERR_BUFFER.
std::vector<Slot> slots(Blocks const& blocks);

/// Throws MpiFailure with MPI_ERR_BUFFER if the buffer is a null pointer and some slot has bytes. If MPI_BOTTOM is a
/// null pointer, slots whose data begin at an absolute address are valid all the same.
void expect_memory(Blocks const& blocks, std::vector<Slot> const& all);

/// A slot of so many bytes without an address, for data that only other ranks have.
Slot nowhere(Bytes bytes);

/// Whether elements of this type follow each other without gaps.
bool dense(MPI_Datatype type);

/// The slots of the three buffers of an operation. The intermediate buffer has memory of its own.
class SlotTable {
 public:
  SlotTable() = default;
  /// In intermediate slot i a block waits under the datatype of send slot i (or of send slot 0 if there is no i), if
  /// that is dense and has the size that the layout states, so that type signatures match; otherwise it waits as bytes.
  /// `unowed` are the receive slots to which nothing is owed: blocks that pass through them do so in memory of their
  /// own.
  SlotTable(Layout const& layout, std::vector<Slot> send, std::vector<Slot> receive, std::vector<int> const& unowed);

  /// Slots in memory that outlives this object.
  SlotTable(std::vector<Slot> send, std::vector<Slot> receive, std::vector<Slot> intermediate)
      : slots_{std::move(send), std::move(receive), std::move(intermediate)} {}

  Slot const& operator[](Place place) const { return slots_[static_cast<std::size_t>(place.buffer())][place.slot()]; }

 private:
  static Slot at(MPI_Aint address, Slot const& like);

  std::array<std::vector<Slot>, buffer_count> slots_;
  std::vector<std::byte> intermediate_, aside_;
};

}  // namespace rondo::mpi
