// Maps the slots of a schedule to the buffers of a call. Data with gaps (derived datatypes) is packed, so that a
// message of several blocks is contiguous; MPI_IN_PLACE is copied aside if the schedule would overwrite it.

#include "mpi_library/classical/call_memory.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "mpi/runtime/datatypes.hpp"
#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {
namespace {

using enum ClassicalCollective;

Slot slot_of(void const* buffer, int count, MPI_Datatype type) {
  Blocks one = regular(buffer, count, type);
  one.number = 1;
  return slots(one).front();
}

Slot of_bytes(MPI_Aint address, Bytes size) {
  auto const [type, count] = typed_count(size);
  return {{address, count, type}, size};
}

}  // namespace

Unit unit_of(ClassicalCollective collective) { return reduces(collective) ? Unit::elements : Unit::bytes; }

/// Describes both buffers; where MPI_IN_PLACE stands, both are the same memory.
CallMemory::CallMemory(CollectiveCall const& call, int rank, int ranks) : call_(call), rank_(rank), ranks_(ranks) {
  if (call.collective == barrier) return;  // no buffers
  if (call.collective == bcast) {
    describe_bcast();
  } else if (reduces(call.collective)) {
    describe_reduction();
  } else {
    describe_blocks();
  }
}

/// Memory that is not initialized.
MPI_Aint CallMemory::own(std::size_t bytes) {
  bytes_ += bytes;
  memory_.emplace_back(new std::byte[bytes]);
  return absolute(memory_.back().get());
}

/// Memory of Rondo's own for elements of a type, with the offset of its first byte.
Slot CallMemory::own(int count, MPI_Datatype type) {
  Reach const needed = reach(type, count);
  Slot slot = slot_of(nullptr, count, type);
  slot.piece.address = own(static_cast<std::size_t>(needed.end - needed.first)) - needed.first;
  return slot;
}

Slot CallMemory::kept(Slot const& slot) {
  Slot copy = own(slot.piece.count, slot.piece.type);
  copied_in_.emplace_back(slot, copy);
  return copy;
}

/// All ranks have one vector. It is packed at the root and unpacked at the end.
void CallMemory::describe_bcast() {
  Slot const vector = slot_of(call_.send, call_.send_count, call_.send_type);
  MPI_Aint address = vector.piece.address;
  if (!dense(call_.send_type)) {
    packed_ = of_bytes(own(static_cast<std::size_t>(vector.bytes.value)), vector.bytes);
    if (rank_ == call_.root) copied_in_.emplace_back(vector, *packed_);
    address = packed_->piece.address;
  }
  sent_ = received_ = {address, MPI_BYTE};
}

/// Operators work on elements, so vectors keep their datatype. A rank without a result gets memory of Rondo's own.
void CallMemory::describe_reduction() {
  MPI_Datatype const type = call_.send_type;
  int all = call_.send_count;
  if (call_.collective == reduce_scatter) {
    all = call_.counts == nullptr ? call_.receive_count * ranks_
                                  : std::accumulate(call_.counts, call_.counts + ranks_, 0);
  }
  void const* const sent = call_.send == MPI_IN_PLACE ? call_.receive : call_.send;
  Slot const own_vector = slot_of(sent, all, type);
  sent_ = {(call_.send == MPI_IN_PLACE ? kept(own_vector) : own_vector).piece.address, type};
  bool const gets = call_.collective != reduce || rank_ == call_.root;
  received_ = {gets ? absolute(call_.receive) : own(all, type).piece.address, type};
}

/// The blocks that this rank receives from all ranks.
std::vector<Slot> CallMemory::received_blocks() const {
  Blocks blocks = regular(call_.receive, call_.receive_count, call_.receive_type);
  std::vector<MPI_Aint> displacements;
  if (call_.by_counts) {
    displacements.assign(call_.displacements, call_.displacements + ranks_);
    blocks = irregular(call_.receive, call_.counts, displacements.data(), call_.receive_type);
  }
  blocks.number = ranks_;
  return slots(blocks);
}

/// Finds the blocks that the rank sends and receives, for calls with counts and without.
void CallMemory::describe_blocks() {
  bool const is_root = rank_ == call_.root;
  bool const in_place = call_.send == MPI_IN_PLACE;
  bool const to_all = call_.collective == allgather || call_.collective == alltoall;
  if (to_all || (call_.collective == gather && is_root)) receive_ = received_blocks();
  if (call_.collective == scatter) {
    bool const kept_there = call_.receive == MPI_IN_PLACE;
    int const count = !kept_there ? call_.receive_count : call_.by_counts ? call_.send_counts[rank_] : call_.send_count;
    receive_ = {kept_there ? own(count, call_.send_type) : slot_of(call_.receive, count, call_.receive_type)};
    if (!is_root) return;
  }
  if (in_place) {
    for (Slot const& each : receive_) {
      if (call_.collective == alltoall) send_.push_back(kept(each));
    }
    if (call_.collective != alltoall) send_ = {kept(receive_[static_cast<std::size_t>(rank_)])};
    return;
  }
  send_ = sent_blocks();
}

/// The blocks that this rank sends, unless they are among the blocks that it receives (in place).
std::vector<Slot> CallMemory::sent_blocks() const {
  bool const one = call_.collective == gather || call_.collective == allgather;
  Blocks blocks = regular(call_.send, call_.send_count, call_.send_type);
  std::vector<MPI_Aint> displacements;
  if (call_.by_counts && !one) {
    displacements.assign(call_.send_displacements, call_.send_displacements + ranks_);
    blocks = irregular(call_.send, call_.send_counts, displacements.data(), call_.send_type);
  }
  blocks.number = one ? 1 : ranks_;
  return slots(blocks);
}

/// A part of a vector of so many bytes, which begins `offset` bytes, or elements, after the first one.
Slot CallMemory::part(Vector const& vector, MPI_Aint offset, Bytes size) const {
  if (unit_of(call_.collective) == Unit::bytes) return of_bytes(vector.address + offset, size);
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  check(MPI_Type_get_extent(vector.type, &lower, &extent));
  Slot slot = slot_of(nullptr, static_cast<int>(size.value), vector.type);
  slot.piece.address = vector.address + extent * offset;
  return slot;
}

/// The pieces of a vector in their order.
std::vector<Slot> CallMemory::cut(Vector const& vector, SlotSizes const& sizes, Buffer buffer) {
  MPI_Aint offset = 0;
  std::vector<Slot> result;
  for (std::uint32_t i = 0; i < sizes.slots[buffer].slots; ++i) {
    Bytes const room = sizes.slots.bytes({buffer, i}), filled = sizes.filled.bytes({buffer, i});
    Slot const here = part(vector, offset, filled);
    result.push_back(room == filled ? here : staged(vector, here, room, buffer));
    offset += filled.value;
  }
  return result;
}

/// A slot in Rondo's own memory for a piece of a vector that is smaller than the slot. The rest is filled with the
/// vector's first element, so that operators see no other values than those of the vector.
Slot CallMemory::staged(Vector const& vector, Slot const& filled, Bytes room, Buffer buffer) {
  bool const of_elements = unit_of(call_.collective) == Unit::elements;
  Slot const all = of_elements ? own(static_cast<int>(room.value), vector.type)
                               : of_bytes(own(static_cast<std::size_t>(room.value)), room);
  Slot begin = filled;
  begin.piece.address = all.piece.address;
  if (buffer == Buffer::receive) moved_back_.emplace_back(begin, filled);
  if (buffer != Buffer::send) return all;
  copied_in_.emplace_back(filled, begin);
  if (!of_elements) return all;
  Vector const ours{all.piece.address, vector.type};
  std::int64_t const first = filled.piece.count;
  if (first < room.value) copied_in_.emplace_back(part(vector, 0, Bytes(1)), part(ours, first, Bytes(1)));
  for (std::int64_t next = first + 1, more = 0; next < room.value; next += more) {
    more = std::min(next - first, room.value - next);
    copied_in_.emplace_back(part(ours, first, Bytes(more)), part(ours, next, Bytes(more)));
  }
  return all;
}

/// The slots of whole blocks, or of blocks that are cut into pieces of bytes.
std::vector<Slot> CallMemory::blocks(std::vector<Slot> const& whole, SlotSizes const& sizes, Buffer buffer) {
  std::uint32_t const slots = sizes.slots[buffer].slots;
  if (whole.size() == slots && sizes.full(buffer)) return whole;
  std::vector<Slot> result;
  if (!whole.empty()) {
    auto const pieces = std::max<std::uint32_t>(slots / static_cast<std::uint32_t>(whole.size()), 1);
    for (Slot const& each : whole) add_pieces(each, pieces, sizes, buffer, result);
  }
  // What the call has no buffer for only passes through the rank.
  for (auto i = static_cast<std::uint32_t>(result.size()); i < slots; ++i) {
    result.push_back(packed(sizes.slots.bytes({buffer, i})));
  }
  return result;
}

/// Adds the slots of a block that the schedule cuts into pieces.
void CallMemory::add_pieces(Slot const& block, std::uint32_t pieces, SlotSizes const& sizes, Buffer buffer,
                            std::vector<Slot>& result) {
  Slot from = block;
  if (!dense(block.piece.type)) {
    from = packed(block.bytes);
    if (buffer == Buffer::send) copied_in_.emplace_back(block, from);
  }
  MPI_Aint address = from.piece.address;
  for (std::uint32_t k = 0; k < pieces; ++k) {
    Place const place(buffer, static_cast<std::uint32_t>(result.size()));
    Bytes const room = sizes.slots.bytes(place), filled = sizes.filled.bytes(place);
    Slot here = nowhere(filled);
    here.piece.address = address;
    address += filled.value;
    if (room == filled) {
      result.push_back(here);
      continue;
    }
    result.push_back(packed(room));
    Slot begin = here;
    begin.piece.address = result.back().piece.address;
    if (buffer == Buffer::send) copied_in_.emplace_back(here, begin);
    if (buffer == Buffer::receive) moved_back_.emplace_back(begin, here);
  }
  if (buffer == Buffer::receive && !dense(block.piece.type)) moved_back_.emplace_back(from, block);
}

/// Rondo's own memory for bytes that match the datatypes of any blocks, because they are sent and received as
/// MPI_PACKED.
Slot CallMemory::packed(Bytes size) {
  Slot result = nowhere(size);
  result.piece.address = own(static_cast<std::size_t>(size.value));
  return result;
}

/// Memory for the intermediate slots.
std::vector<Slot> CallMemory::intermediate(Layout const& layout) {
  std::vector<Slot> result;
  for (std::uint32_t i = 0; i < layout[Buffer::intermediate].slots; ++i) {
    Bytes const size = layout.bytes(intermediate_slot(i));
    if (unit_of(call_.collective) == Unit::elements) {
      result.push_back(own(static_cast<int>(size.value), call_.send_type));
      continue;
    }
    result.push_back(packed(size));
  }
  return result;
}

namespace {

/// The messages of a barrier carry no bytes.
SlotTable empty_slots(Layout const& layout) {
  auto const of = [&](Buffer buffer) { return std::vector<Slot>(layout[buffer].slots, nowhere(Bytes(0))); };
  return {of(Buffer::send), of(Buffer::receive), of(Buffer::intermediate)};
}

}  // namespace

/// Vectors are cut into the slots of a schedule; blocks are slots already.
SlotTable CallMemory::table(SlotSizes const& sizes) {
  if (call_.collective == barrier) return empty_slots(sizes.slots);
  std::vector<Slot> between = intermediate(sizes.slots);
  if (sent_) return {cut(*sent_, sizes, Buffer::send), cut(*received_, sizes, Buffer::receive), std::move(between)};
  return {blocks(send_, sizes, Buffer::send), blocks(receive_, sizes, Buffer::receive), std::move(between)};
}

void CallMemory::begin() const {
  for (LocalCopy const& each : copied_in_) each.run();
}

void CallMemory::finish() const {
  for (auto const& [from, into] : moved_back_) LocalCopy(from, into).run();
  if (!packed_ || rank_ == call_.root) return;
  LocalCopy(*packed_, slot_of(call_.send, call_.send_count, call_.send_type)).run();
}

}  // namespace rondo::mpi
