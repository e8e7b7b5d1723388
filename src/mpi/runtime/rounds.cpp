#include "mpi/runtime/rounds.hpp"

#include <utility>

#include "mpi/runtime/failure.hpp"
#include "mpi/runtime/units.hpp"

namespace rondo::mpi {

namespace {

Slot slot_in(Buffers const& buffers, Place place) {
  Bytes const bytes = buffers.layout->bytes(place);
  auto const [type, count] = units(bytes);
  return {{absolute(buffers.slot(place).data()), count, type}, bytes};
}

/// A message of this size, of which nobody reads a byte.
MessageDescriptor plain(Bytes size, int partner) {
  static std::byte nothing{};
  auto const [type, count] = units(size);
  return {&nothing, type, count, partner};
}

bool is_named(MPI_Datatype type) {
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  check(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
  return combiner == MPI_COMBINER_NAMED;
}

std::uint32_t end_of(auto const& list) { return static_cast<std::uint32_t>(list.size()); }

}  // namespace

Rounds::Rounds(Schedule const& schedule, Rank rank, SlotTable slots) : payload_(std::make_unique<Payload>()) {
  payload_->slots = std::move(slots);
  add_program(schedule, rank, [this](Place place) { return payload_->slots[place]; });
}

Rounds::Rounds(Schedule const& schedule, Rank rank, Buffers const& buffers) : payload_(std::make_unique<Payload>()) {
  add_program(schedule, rank, [&](Place place) { return slot_in(buffers, place); });
}

Rounds::Rounds(SingleRound const& round) : payload_(std::make_unique<Payload>()) {
  for (auto const& [from, into] : round.copies) payload_->copies.emplace_back(from, into);
  payload_->copies_end.push_back(end_of(payload_->copies));
  ends_.push_back({});
  if (round.receives.empty() && round.sends.empty()) return;
  for (Message const& message : round.receives)
    messages_.push_back(described({&message.slot.piece, 1}, message.partner));
  std::uint32_t const receives_end = end_of(messages_);
  for (Message const& message : round.sends) messages_.push_back(described({&message.slot.piece, 1}, message.partner));
  ends_.push_back({receives_end, end_of(messages_)});
  payload_->copies_end.push_back(end_of(payload_->copies));
}

Rounds::Rounds(Program const& program) {
  ends_.push_back({});
  for (int round = 1; round <= program.rounds(); ++round) {
    for (Transfer const& each : program.receives(round)) messages_.push_back(plain(program.bytes(each), each.peer));
    std::uint32_t const receives_end = end_of(messages_);
    for (Transfer const& each : program.sends(round)) messages_.push_back(plain(program.bytes(each), each.peer));
    ends_.push_back({receives_end, end_of(messages_)});
  }
}

void Rounds::add_program(Schedule const& schedule, Rank rank, SlotOf const& slot_of) {
  Program const& program = schedule.program(rank);
  auto const add = [&](std::span<Transfer const> transfers) {
    for (Transfer const& transfer : transfers) {
      std::vector<Piece> pieces;
      for (Place const place : program.places(transfer)) {
        Slot const slot = slot_of(place);
        if (slot.bytes.value > 0) pieces.push_back(slot.piece);
      }
      messages_.push_back(described(pieces, schedule.peer(rank, transfer).value));
    }
    return end_of(messages_);
  };
  for (int round = 0; round <= program.rounds(); ++round) {
    std::uint32_t const receives_end = add(program.receives(round));
    ends_.push_back({receives_end, add(program.sends(round))});
    add_copies(program.copies(round), slot_of);
  }
}

void Rounds::add_copies(std::span<Copy const> copies, SlotOf const& slot_of) {
  for (Copy const& copy : copies) {
    Slot const from = slot_of(copy.from);
    Slot const into = slot_of(copy.into);
    if (from.bytes == into.bytes)
      payload_->copies.emplace_back(from, into);
    else
      payload_->copies_failure = MPI_ERR_TRUNCATE;
  }
  payload_->copies_end.push_back(end_of(payload_->copies));
}

/// A single piece of a named datatype is described by that datatype: a derived one would make SMPI pack and unpack it.
/// All else gets a datatype of its own, as the owners of other datatypes may free them before the operation starts.
/// (SMPI crashes on a duplicate of a datatype that has been freed.)
MessageDescriptor Rounds::described(std::span<Piece const> pieces, int partner) {
  if (pieces.empty()) return {nullptr, MPI_BYTE, 0, partner};
  if (pieces.size() == 1 && is_named(pieces.front().type)) return descriptor_of(pieces.front(), partner);
  return {MPI_BOTTOM, payload_->types.emplace_back(pieces).handle(), 1, partner};
}

RoundMessages Rounds::messages(int round) const {
  auto const r = static_cast<std::size_t>(round);
  std::uint32_t const first = ends_[r - 1].all;
  return {std::span(messages_).subspan(first, ends_[r].all - first), ends_[r].receives - first};
}

std::span<LocalCopy const> Rounds::copies(int round) const {
  if (payload_ == nullptr) return {};
  auto const r = static_cast<std::size_t>(round);
  std::uint32_t const first = r == 0 ? 0 : payload_->copies_end[r - 1];
  return std::span(payload_->copies).subspan(first, payload_->copies_end[r] - first);
}

}  // namespace rondo::mpi
