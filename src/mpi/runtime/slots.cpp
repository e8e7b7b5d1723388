// Makes slots of the arguments of MPI calls. Errors have the codes that the MPI standard states.

#include "mpi/runtime/slots.hpp"

#include <limits>
#include <utility>

#include "mpi/runtime/failure.hpp"
#include "mpi/runtime/typed_count.hpp"

namespace rondo::mpi {

namespace {

/// The size and the extent of a datatype, in bytes.
struct Measures {
  MPI_Count size = 0;
  MPI_Aint extent = 0;
};

/// Throws MpiFailure for a null type.
Measures measures(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) throw MpiFailure(MPI_ERR_TYPE);
  Measures result;
  MPI_Aint lower = 0;
  check(MPI_Type_size_x(type, &result.size));
  check(MPI_Type_get_extent(type, &lower, &result.extent));
  return result;
}

template <typename T>
T const& of(T const* values, Blocks::Given given, std::size_t i) {
  return values[given == Blocks::Given::for_each ? i : 0];
}

/// Throws MpiFailure if a list is missing.
void check_lists(Blocks const& blocks) {
  bool const displaced = blocks.displaced != Blocks::Displaced::one_behind_the_other;
  bool const missing =
      blocks.counts == nullptr || blocks.types == nullptr || (displaced && blocks.displacements == nullptr);
  if (missing && blocks.number > 0) throw MpiFailure(MPI_ERR_ARG);
  if (blocks.buffer == MPI_IN_PLACE) throw MpiFailure(MPI_ERR_BUFFER);
}

/// Where block `i` begins, in bytes from the beginning of the buffer.
MPI_Aint displacement(Blocks const& blocks, std::size_t i, int count, MPI_Aint extent) {
  switch (blocks.displaced) {
    case Blocks::Displaced::one_behind_the_other:
      return static_cast<MPI_Aint>(i) * count * extent;
    case Blocks::Displaced::by_extents:
      return blocks.displacements[i] * extent;
    case Blocks::Displaced::by_bytes:
      break;
  }
  return blocks.displacements[i];
}

}  // namespace

/// The place of each block.
std::vector<Slot> slots(Blocks const& blocks) {
  check_lists(blocks);
  MPI_Aint const first = absolute(blocks.buffer);
  std::vector<Slot> result;
  result.reserve(static_cast<std::size_t>(blocks.number));
  for (std::size_t i = 0; i < static_cast<std::size_t>(blocks.number); ++i) {
    int const count = of(blocks.counts, blocks.given_counts, i);
    MPI_Datatype const type = of(blocks.types, blocks.given_types, i);
    if (count < 0) throw MpiFailure(MPI_ERR_COUNT);
    Measures const measured = measures(type);
    MPI_Aint const address = first + displacement(blocks, i, count, measured.extent);
    result.push_back({{address, count, type}, Bytes(measured.size * count)});
  }
  return result;
}

/// Throws MpiFailure if the buffer is null and some block needs memory. Where MPI_BOTTOM is null, a null buffer is
/// right for data types with absolute addresses.
void expect_memory(Blocks const& blocks, std::vector<Slot> const& all) {
  if (blocks.buffer != nullptr) return;
  bool const bottom_is_null = MPI_BOTTOM == nullptr;
  constexpr MPI_Aint first_mapped = 65536;  // the usual vm.mmap_min_addr of Linux: no data lie below
  for (Slot const& slot : all) {
    if (slot.bytes.value == 0) continue;
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    check(MPI_Type_get_true_extent(slot.piece.type, &lower, &extent));
    if (!bottom_is_null || slot.piece.address + lower < first_mapped) throw MpiFailure(MPI_ERR_BUFFER);
  }
}

namespace {

/// So many bytes of values whose types only others know. Data that are sent and received as MPI_PACKED match any type.
Piece of_any_type(MPI_Aint address, Bytes bytes) {
  if (bytes.value <= std::numeric_limits<int>::max()) return {address, static_cast<int>(bytes.value), MPI_PACKED};
  auto const [type, count] = typed_count(bytes);
  return {address, count, type};
}

}  // namespace

Slot nowhere(Bytes bytes) { return {of_any_type(0, bytes), bytes}; }

/// Whether the elements of the type lie behind each other without gaps.
bool dense(MPI_Datatype type) {
  Measures const measured = measures(type);
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  check(MPI_Type_get_true_extent(type, &lower, &extent));
  return lower == 0 && extent == measured.extent && extent == measured.size;
}

/// A slot of the same size in memory without gaps.
Slot SlotTable::at(MPI_Aint address, Slot const& like) {
  if (dense(like.piece.type)) return {{address, like.piece.count, like.piece.type}, like.bytes};
  return {of_any_type(address, like.bytes), like.bytes};
}

/// Intermediate slots have the datatypes of the send slots, so that what passes through them keeps its form, if these
/// have no gaps and the sizes of the layout. Others are bytes.
SlotTable::SlotTable(Layout const& layout, std::vector<Slot> send, std::vector<Slot> receive,
                     std::vector<int> const& unowed)
    : intermediate_(static_cast<std::size_t>(layout.bytes(Buffer::intermediate).value)) {
  std::vector<Slot> waiting;
  MPI_Aint address = absolute(intermediate_.data());
  for (std::uint32_t i = 0; i < layout[Buffer::intermediate].slots; ++i) {
    Slot const& like = send[i < send.size() ? i : 0];
    Bytes const bytes = layout.bytes(intermediate_slot(i));
    waiting.push_back(at(address, like.bytes == bytes ? like : nowhere(bytes)));
    address += waiting.back().bytes.value;
  }
  Bytes beside;
  for (int const i : unowed) beside = beside + receive[static_cast<std::size_t>(i)].bytes;
  aside_.resize(static_cast<std::size_t>(beside.value));
  address = absolute(aside_.data());
  for (int const i : unowed) {
    Slot& slot = receive[static_cast<std::size_t>(i)];
    slot = at(address, slot);
    address += slot.bytes.value;
  }
  slots_ = {std::move(send), std::move(receive), std::move(waiting)};
}

}  // namespace rondo::mpi
