#pragma once

// Where the blocks of an operation lie in its caller's memory, and under which datatypes.

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

// Blocks as the C interfaces describe them; their numbers are to be set.

/// Blocks that share one count and datatype and lie one behind the other.
inline Blocks regular(void const* buffer, int const& count, MPI_Datatype const& type) {
  return {buffer, 0, &count, nullptr, &type};
}

/// Blocks that share one datatype and have a count and a displacement each, counted in extents of the datatype. A
/// caller whose displacements are ints passes a null pointer here and sets them later.
inline Blocks irregular(void const* buffer, int const counts[], MPI_Aint const displacements[],
                        MPI_Datatype const& type) {
  return {buffer, 0, counts, displacements, &type, Blocks::Displaced::by_extents, Blocks::Given::for_each};
}

/// Blocks that have a count, a datatype and a displacement in bytes each.
inline Blocks typed(void const* buffer, int const counts[], MPI_Aint const displacements[],
                    MPI_Datatype const types[]) {
  using Given = Blocks::Given;
  return {buffer, 0, counts, displacements, types, Blocks::Displaced::by_bytes, Given::for_each, Given::for_each};
}

/// Throws MpiFailure: MPI_ERR_ARG for a list that is missing, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_BUFFER.
std::vector<Slot> slots(Blocks const& blocks);

/// Throws MpiFailure, MPI_ERR_BUFFER, if the buffer is a null pointer and one of its slots has bytes. Where MPI_BOTTOM
/// is a null pointer, slots whose data begins at an absolute address are in memory all the same.
void expect_memory(Blocks const& blocks, std::vector<Slot> const& all);

/// So many bytes at no address: for what exists for other ranks only.
Slot nowhere(Bytes bytes);

/// Whether elements of this type lie one behind the other without gaps.
bool dense(MPI_Datatype type);

/// The slots of the three buffers of an operation, the intermediate one in memory of its own.
class SlotTable {
 public:
  SlotTable() = default;
  /// In the intermediate slot i a block waits under the datatype of send slot i, or of send slot 0 if there is no i, if
  /// that is dense and has the size that the layout says, so that type signatures match; else as bytes.
  /// `unowed` are the receive slots in which nothing may be left: what passes through them does so in memory of its
  /// own.
  SlotTable(Layout const& layout, std::vector<Slot> send, std::vector<Slot> receive, std::vector<int> const& unowed);

  /// Slots in memory that outlives this.
  SlotTable(std::vector<Slot> send, std::vector<Slot> receive, std::vector<Slot> intermediate)
      : slots_{std::move(send), std::move(receive), std::move(intermediate)} {}

  Slot const& operator[](Place place) const { return slots_[static_cast<std::size_t>(place.buffer())][place.slot()]; }

 private:
  static Slot at(MPI_Aint address, Slot const& like);

  std::array<std::vector<Slot>, buffer_count> slots_;
  std::vector<std::byte> intermediate_, aside_;
};

}  // namespace rondo::mpi
