// Turns programs into descriptors, round by round, in flat arrays.

#include "mpi/runtime/rounds.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "mpi/runtime/datatypes.hpp"
#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

namespace {

Slot slot_in(Buffers const& buffers, Place place) {
  Bytes const bytes = buffers.layout->bytes(place);
  auto const [type, count] = typed_count(bytes);
  return {{absolute(buffers.slot(place).data()), count, type}, bytes};
}

/// A message of this size for the mode without payload. Nobody reads its bytes: SMPI copies messages that it sends
/// eagerly, but not from this address.
MessageDescriptor plain(Bytes size, int partner) {
  auto const [type, count] = typed_count(size);
  return {MPI_BOTTOM, type, count, partner};
}

bool is_named(MPI_Datatype type) {
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  check(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
  return combiner == MPI_COMBINER_NAMED;
}

/// Whether the elements of two pieces, of which the second one begins where the data of the first one end, are elements
/// of one longer piece.
bool extends(Piece const& first, Piece const& second) {
  return first.type == second.type && first.count <= std::numeric_limits<int>::max() - second.count &&
         dense(first.type);
}

std::uint32_t end_of(auto const& list) { return static_cast<std::uint32_t>(list.size()); }

}  // namespace

/// The rounds of one rank, with addresses.
Rounds::Rounds(Schedule const& schedule, Rank rank, SlotTable slots, Combine combine)
    : payload_(std::make_unique<Payload>()) {
  payload_->slots = std::move(slots);
  payload_->combine = std::move(combine);
  add_program(schedule, rank, [this](Place place) { return payload_->slots[place]; });
}

Rounds::Rounds(Schedule const& schedule, Rank rank, Buffers const& buffers, Combine combine)
    : payload_(std::make_unique<Payload>()) {
  payload_->combine = std::move(combine);
  add_program(schedule, rank, [&](Place place) { return slot_in(buffers, place); });
}

/// One round of messages between buffers of the caller.
Rounds::Rounds(SingleRound const& round) : payload_(std::make_unique<Payload>()) {
  for (auto const& [from, into] : round.copies) payload_->copies.emplace_back(from, into);
  payload_->copies_end.push_back(end_of(payload_->copies));
  ends_.push_back({});
  if (round.receives.empty() && round.sends.empty()) return;
  for (Message const& message : round.receives)
    messages_.push_back(descriptor_of_pieces({&message.slot.piece, 1}, message.partner));
  std::uint32_t const receives_end = end_of(messages_);
  for (Message const& message : round.sends)
    messages_.push_back(descriptor_of_pieces({&message.slot.piece, 1}, message.partner));
  ends_.push_back({receives_end, end_of(messages_)});
  payload_->copies_end.push_back(end_of(payload_->copies));
}

/// The sizes alone, shared by the ranks of a program.
Rounds::Rounds(Program const& program) {
  ends_.push_back({});
  for (int round = 1; round <= program.rounds(); ++round) {
    for (Transfer const& each : program.receives(round)) messages_.push_back(plain(program.bytes(each), each.peer));
    std::uint32_t const receives_end = end_of(messages_);
    for (Transfer const& each : program.sends(round)) messages_.push_back(plain(program.bytes(each), each.peer));
    ends_.push_back({receives_end, end_of(messages_)});
  }
}

/// Joined contents arrive in memory of their own, and are joined after the round.
void Rounds::add_program(Schedule const& schedule, Rank rank, SlotOf const& slot_of) {
  Program const& program = schedule.program(rank);
  expects(program.joins() == 0 || payload_->combine, "an operator for a schedule that reduces");
  std::vector<Slot> const rooms = make_rooms(program, slot_of);
  auto room = rooms.begin();
  for (int round = 0; round <= program.rounds(); ++round) {
    std::vector<LocalCopy> joins;
    for (Transfer const& receive : program.receives(round)) {
      std::vector<Slot> slots;
      for (Place const place : program.places(receive)) {
        Slot const slot = slot_of(place);
        slots.push_back(receive.join == Join::none ? slot : *room++);
        if (receive.join != Join::none) joins.emplace_back(slots.back(), slot, receive.join, payload_->combine);
      }
      add_message(slots, schedule.peer(rank, receive).value);
    }
    std::uint32_t const receives_end = end_of(messages_);
    for (Transfer const& send : program.sends(round)) {
      std::vector<Slot> slots;
      for (Place const place : program.places(send)) slots.push_back(slot_of(place));
      add_message(slots, schedule.peer(rank, send).value);
    }
    ends_.push_back({receives_end, end_of(messages_)});
    std::move(joins.begin(), joins.end(), std::back_inserter(payload_->copies));
    for (Copy const& copy : program.copies(round)) add_copy(copy, slot_of, copy.join == Join::none ? Slot() : *room++);
    payload_->copies_end.push_back(end_of(payload_->copies));
  }
}

/// The memory for contents to be joined, each under the datatype of its place. All rounds share it.
std::vector<Slot> Rounds::make_rooms(Program const& program, SlotOf const& slot_of) {
  std::vector<Slot> rooms;
  MPI_Aint next = 0;
  MPI_Aint most = 0;
  auto const add = [&](Place place) {
    Slot const like = slot_of(place);
    Reach const needed = reach(like.piece.type, like.piece.count);
    constexpr auto step = static_cast<MPI_Aint>(alignof(std::max_align_t));
    rooms.push_back({{next - needed.first, like.piece.count, like.piece.type}, like.bytes});
    next += (needed.end - needed.first + step - 1) / step * step;
    most = std::max(most, next);
  };
  for (int round = 0; round <= program.rounds(); ++round) {
    next = 0;
    for (Transfer const& receive : program.receives(round)) {
      if (receive.join == Join::none) continue;
      for (Place const place : program.places(receive)) add(place);
    }
    for (Copy const& copy : program.copies(round)) {
      if (copy.join != Join::none) add(copy.into);
    }
  }
  payload_->beside_bytes = static_cast<std::size_t>(most);
  payload_->beside.reset(new std::byte[payload_->beside_bytes]);  // not initialized
  for (Slot& room : rooms) room.piece.address += absolute(payload_->beside.get());
  return rooms;
}

/// Empty slots are left out of a message.
void Rounds::add_message(std::span<Slot const> slots, int partner) {
  std::vector<Piece> pieces;
  MPI_Aint end = 0;  // of the last piece in memory
  for (Slot const& slot : slots) {
    if (slot.bytes.value == 0) continue;
    // Slots that follow each other in memory are one piece, because MPI libraries send contiguous data faster than a
    // datatype of several pieces.
    if (!pieces.empty() && slot.piece.address == end && extends(pieces.back(), slot.piece)) {
      pieces.back().count += slot.piece.count;
    } else {
      pieces.push_back(slot.piece);
    }
    end = slot.piece.address + slot.bytes.value;
  }
  messages_.push_back(descriptor_of_pieces(pieces, partner));
}

/// `room` is where the content waits if the copy joins it.
void Rounds::add_copy(Copy const& copy, SlotOf const& slot_of, Slot const& room) {
  Slot const from = slot_of(copy.from);
  Slot const into = slot_of(copy.into);
  if (from.bytes != into.bytes) {
    payload_->copies_failure = MPI_ERR_TRUNCATE;
  } else if (copy.join == Join::none) {
    payload_->copies.emplace_back(from, into);
  } else {
    payload_->copies.emplace_back(from, room);
    payload_->copies.emplace_back(room, into, copy.join, payload_->combine);
  }
}

/// The descriptor for some pieces. A single piece of a named datatype keeps that datatype, because SMPI would pack and
/// unpack a derived one. All else gets a datatype of its own, because the owners of other datatypes may free them
/// before the operation starts. (SMPI crashes on a duplicate of a datatype that has been freed.)
MessageDescriptor Rounds::descriptor_of_pieces(std::span<Piece const> pieces, int partner) {
  if (pieces.empty()) return {nullptr, MPI_BYTE, 0, partner};
  if (pieces.size() == 1 && is_named(pieces.front().type)) return descriptor_of(pieces.front(), partner);
  return {MPI_BOTTOM, payload_->types.emplace_back(pieces).handle(), 1, partner};
}

RoundMessages Rounds::messages(int round) const {
  auto const r = static_cast<std::size_t>(round);
  std::uint32_t const first = ends_[r - 1].all;
  return {std::span(messages_).subspan(first, ends_[r].all - first), ends_[r].receives - first};
}

/// The copies of a round.
std::span<LocalCopy const> Rounds::copies(int round) const {
  if (payload_ == nullptr) return {};
  auto const r = static_cast<std::size_t>(round);
  std::uint32_t const first = r == 0 ? 0 : payload_->copies_end[r - 1];
  return std::span(payload_->copies).subspan(first, payload_->copies_end[r] - first);
}

}  // namespace rondo::mpi
