// Makes slots of the arguments of MPI calls. Errors have the codes that the MPI standard states. Several pieces
// become one datatype with absolute addresses, so that MPI gathers and scatters them itself. Memory is copied
// directly if both sides have the same datatype without gaps, and by packing and unpacking otherwise.

#include "mpi/runtime/slots.hpp"

#include <cstring>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "mpi/runtime/datatypes.hpp"
#include "mpi/runtime/failure.hpp"

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

MPI_Count MessageDescriptor::bytes() const {
  MPI_Count size = 0;
  MPI_Type_size_x(type, &size);
  return size * count;
}

/// The address as MPI counts it.
MPI_Aint absolute(void const* pointer) {
  // Not every MPI has a null pointer for MPI_BOTTOM, and MPI_Get_address would treat it as an ordinary pointer.
  if (pointer == MPI_BOTTOM) return 0;
  MPI_Aint address = 0;
  MPI_Get_address(const_cast<void*>(pointer), &address);
  return address;
}

/// A single piece needs no datatype of its own.
MessageDescriptor descriptor_of(Piece const& piece, int partner) {
  // The integer is an address that a caller has given, as a pointer or relative to MPI_BOTTOM.
  void* const address =
      piece.address == 0 ? MPI_BOTTOM : reinterpret_cast<void*>(piece.address);  // NOLINT(performance-no-int-to-ptr)
  return {address, piece.type, piece.count, partner};
}

/// A struct type of the pieces.
OwnType::OwnType(std::span<Piece const> pieces) {
  std::vector<int> counts;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Datatype> types;
  for (Piece const& piece : pieces) {
    counts.push_back(piece.count);
    addresses.push_back(piece.address);
    types.push_back(piece.type);
  }
  PMPI_Type_create_struct(static_cast<int>(counts.size()), counts.data(), addresses.data(), types.data(), &type_);
  PMPI_Type_commit(&type_);
}

OwnType::~OwnType() {
  if (type_ != MPI_DATATYPE_NULL) PMPI_Type_free(&type_);
}

OwnType::OwnType(OwnType&& other) noexcept : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}

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

namespace {

/// Makes a pointer of an address that a caller has given, as a pointer or relative to MPI_BOTTOM.
void* pointer(MPI_Aint address) { return reinterpret_cast<void*>(address); }  // NOLINT(performance-no-int-to-ptr)

}  // namespace

LocalCopy::LocalCopy(Slot const& from, Slot const& into)
    : from_(pointer(from.piece.address)),
      into_(pointer(into.piece.address)),
      bytes_(static_cast<std::size_t>(from.bytes.value)) {
  if (bytes_ == 0 || (from.piece.type == into.piece.type && dense(from.piece.type))) return;
  packing_ = std::make_unique<Packing>(Packing{element(from.piece), element(into.piece), {}});
  int size = 0;
  check(MPI_Pack_size(1, packing_->from.type.handle(), MPI_COMM_SELF, &size));
  packing_->between.resize(static_cast<std::size_t>(size));
}

LocalCopy::LocalCopy(Slot const& arriving, Slot const& present, Join join, Combine const& combine)
    : bytes_(static_cast<std::size_t>(present.bytes.value)),
      joining_(std::make_unique<Joining>(Joining{arriving, present, join, &combine})) {}

/// Makes one element of a block. MPICH's MPI_Pack refuses MPI_BOTTOM, which a caller may have given as its buffer. So
/// the element begins at the first byte of the data.
LocalCopy::Element LocalCopy::element(Piece const& piece) {
  MPI_Aint first = 0;
  MPI_Aint extent = 0;
  check(MPI_Type_get_true_extent(piece.type, &first, &extent));
  Piece const shifted{-first, piece.count, piece.type};
  return {pointer(piece.address + first), OwnType(std::span(&shifted, 1))};
}

void LocalCopy::run() const {
  if (bytes_ == 0) return;
  if (joining_ != nullptr) return (*joining_->combine)(joining_->arriving, joining_->present, joining_->join);
  if (packing_ == nullptr) {
    std::memcpy(into_, from_, bytes_);
    return;
  }
  auto& [from, into, between] = *packing_;
  int const size = static_cast<int>(between.size());
  int end = 0;
  check(MPI_Pack(from.first, 1, from.type.handle(), between.data(), size, &end, MPI_COMM_SELF));
  int position = 0;
  check(MPI_Unpack(between.data(), end, &position, into.first, 1, into.type.handle(), MPI_COMM_SELF));
}

}  // namespace rondo::mpi
