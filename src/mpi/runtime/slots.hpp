#pragma once

// The blocks of an operation in a rank's memory.
// Buffers holds the send, receive and intermediate buffers of a rank as plain bytes, and SlotOffsets the offsets of a
// layout's slots in them. Both know no MPI.
// A descriptor holds the arguments of one MPI_Isend or MPI_Irecv: address, datatype, count and partner.
// Slots are the places of an operation's blocks in the memory of its caller, with their datatypes.
// The functions at the end do the work of an operation in a rank's own memory. They copy blocks that a rank sends to
// itself or needs in several slots, and join arrived contents with the contents of slots.

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "schedule/place.hpp"
#include "schedule/schedule.hpp"

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

/// It is kept small, because the mode without payload keeps one for each message of each program.
struct MessageDescriptor {
  void* address = nullptr;
  MPI_Datatype type = MPI_BYTE;
  int count = 0;
  std::int32_t partner = 0;

  MPI_Count bytes() const;
};

/// Some blocks at an absolute address (MPI_BOTTOM is 0), in the form in which MPI counts them.
struct Piece {
  MPI_Aint address = 0;
  int count = 0;
  MPI_Datatype type = MPI_BYTE;
};

/// The absolute address for a pointer that a caller gives; the pointer may be MPI_BOTTOM.
MPI_Aint absolute(void const* pointer);

/// The descriptor of a piece, without a datatype of its own.
MessageDescriptor descriptor_of(Piece const& piece, int partner);

/// A datatype that was made here and is freed with this object.
class OwnType {
 public:
  /// A datatype of which one element has all the pieces, relative to MPI_BOTTOM. Nothing is packed.
  explicit OwnType(std::span<Piece const> pieces);
  ~OwnType();
  OwnType(OwnType&& other) noexcept;
  OwnType& operator=(OwnType&&) = delete;
  MPI_Datatype handle() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

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

/// The operator of a reduction. It writes arriving (op) present, or with Join::after present (op) arriving, to
/// `present`. Both slots have the same number of elements of one datatype. The arrived content is not needed
/// afterwards.
using Combine = std::function<void(Slot const& arriving, Slot const& present, Join join)>;

/// A copy from slot to slot of the same rank, whose datatypes may differ, or a join of two slots.
class LocalCopy {
 public:
  /// Copies `from` to `into`, which must have the same number of bytes. Their memory must outlive this object. Throws
  /// MpiFailure if the block has to be packed and MPI refuses that, such as for a size past MPI's counts.
  LocalCopy(Slot const& from, Slot const& into);
  /// Joins the content of `arriving` into `present`. The memory of the slots and the operator must outlive this object.
  LocalCopy(Slot const& arriving, Slot const& present, Join join, Combine const& combine);

  /// Copies or joins; may be called again. Does nothing for a block without bytes. Throws MpiFailure.
  void run() const;

 private:
  /// A block as a single element of a datatype, with the address of its first byte.
  struct Element {
    void* first;
    OwnType type;
  };
  /// A block that cannot be copied byte by byte, so it is packed and unpacked.
  struct Packing {
    Element from, into;
    std::vector<std::byte> between;  ///< the packed block
  };
  /// The operands of a join, and the operator.
  struct Joining {
    Slot arriving, present;
    Join join;
    Combine const* combine;
  };
  static Element element(Piece const& piece);

  void* from_ = nullptr;
  void* into_ = nullptr;
  std::size_t bytes_ = 0;
  std::unique_ptr<Packing> packing_;  ///< null if both sides have the same datatype without gaps
  std::unique_ptr<Joining> joining_;  ///< null for a copy
};

}  // namespace rondo::mpi
