// The slots of pieces, collective by collective (class PieceSlots), and the programs that messages make of them (class
// Writer).

#include "generate/classical_writer.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/error.hpp"
#include "base/units.hpp"
#include "generate/classical_forest.hpp"

namespace rondo::generate::classical {
namespace {

/// Means "nowhere" in the table of places.
constexpr Place nowhere = intermediate_slot((std::uint32_t{1} << 30) - 1);
/// The largest table of pairs of a rank and a piece: 256 MiB.
constexpr std::uint64_t most_in_table = std::uint64_t{1} << 26;

/// Cuts `bytes` bytes into n parts of `segment` bytes. Parts past the end of the bytes are empty.
void append_parts(Cut& cut, std::int64_t bytes, std::int64_t segment, std::int64_t n) {
  for (std::int64_t k = 0; k < n; ++k) {
    std::int64_t const size = std::min(segment, bytes - k * segment);
    Pieces part;
    if (size > 0) {
      part.push_back(static_cast<std::uint32_t>(cut.sizes.size()));
      cut.sizes.emplace_back(size);
    }
    cut.parts.push_back(std::move(part));
  }
}

/// An empty vector is still one piece, in its first part.
Cut or_empty_piece(Cut cut) {
  if (cut.sizes.empty()) {
    cut.sizes.emplace_back(0);
    cut.parts.front().push_back(0);
  }
  return cut;
}

/// Two halves, one after the other, each cut into segments. The second has as many parts as the first.
Cut cut_in_halves(Bytes vector, Bytes segment) {
  std::int64_t const first = ceil_div(vector.value, 2);
  std::int64_t const size = segment == Bytes(0) ? std::max<std::int64_t>(first, 1) : segment.value;
  std::int64_t const parts = std::max<std::int64_t>(1, ceil_div(first, size));
  Cut cut;
  append_parts(cut, first, size, parts);
  append_parts(cut, vector.value - first, size, parts);
  return or_empty_piece(std::move(cut));
}

/// n parts as in cut_evenly, each cut into equally many segments.
Cut cut_in_segments_of_parts(Bytes vector, int n, Bytes segment) {
  std::int64_t const part = std::max<std::int64_t>(1, ceil_div(vector.value, n));
  std::int64_t const size = segment == Bytes(0) ? part : std::min(segment.value, part);
  Cut cut;
  for (std::int64_t k = 0; k < n; ++k) {
    append_parts(cut, std::clamp<std::int64_t>(vector.value - k * part, 0, part), size, ceil_div(part, size));
  }
  return or_empty_piece(std::move(cut));
}

}  // namespace

Pieces Cut::all() const {
  Pieces pieces(sizes.size());
  std::iota(pieces.begin(), pieces.end(), 0U);
  return pieces;
}

namespace {

/// n parts of ceil(m / n) bytes of a vector of m bytes; the last ones are shorter or empty.
Cut cut_evenly(Bytes vector, int n) {
  Cut cut;
  append_parts(cut, vector.value, std::max<std::int64_t>(1, ceil_div(vector.value, n)), n);
  return or_empty_piece(std::move(cut));
}

/// Parts of `segment` bytes, of which the last one may be shorter; one part if `segment` is 0.
Cut cut_by_segment(Bytes vector, Bytes segment) {
  std::int64_t const size = segment == Bytes(0) ? std::max<std::int64_t>(vector.value, 1) : segment.value;
  Cut cut;
  append_parts(cut, vector.value, size, std::max<std::int64_t>(1, ceil_div(vector.value, size)));
  return or_empty_piece(std::move(cut));
}

}  // namespace

/// The cut that the algorithm's row in the catalogue states: segments, parts, or both.
Cut cut_of(problem::Classical const& problem) {
  using enum problem::VectorCut;
  Bytes const vector = problem.sizes.block;
  problem::ClassicalRow const* const row = row_of(problem.collective, problem.algorithm);
  switch (row == nullptr ? segments : row->cut) {
    case segments:
      break;
    case parts:
      return cut_evenly(vector, problem.ranks);
    case core_parts:
      return cut_evenly(vector, static_cast<int>(std::bit_floor(static_cast<unsigned>(problem.ranks))));
    case segmented_parts:
      return cut_in_segments_of_parts(vector, problem.ranks, problem.segment);
    case halves:
      return cut_in_halves(vector, problem.segment);
    case trees:
      if (problem.collective == ClassicalCollective::bcast) return cut_by_segment(vector, forest_segment(problem));
      return cut_evenly(vector, problem.ranks * static_cast<int>(forest_pieces(problem)));
  }
  return cut_by_segment(vector, problem.segment);
}

/// Counts the pieces of the collective.
PieceSlots::PieceSlots(problem::Classical const& problem, Cut const& cut)
    : promise_{problem.collective, problem.ranks, Rank(problem.root)}, block_(problem.sizes.block) {
  auto const p = static_cast<std::uint32_t>(problem.ranks);
  switch (promise_.collective) {
    case ClassicalCollective::bcast:
    case ClassicalCollective::allreduce:
    case ClassicalCollective::barrier:
      pieces_ = static_cast<std::uint32_t>(cut.sizes.size());
      if (pieces_ > 1) sizes_ = cut.sizes;
      return;
    case ClassicalCollective::alltoall:
      pieces_ = p * p;
      break;
    default:
      pieces_ = cut.sizes.empty() ? p : static_cast<std::uint32_t>(cut.sizes.size());
  }
  pieces_per_block_ = pieces_ / p;
  sizes_ = cut.sizes.empty() ? problem.sizes.each : cut.sizes;
  expects(sizes_.empty() || sizes_.size() == pieces_, "no sizes, or one for each block");
}

std::optional<std::uint32_t> PieceSlots::send_slot_of(int rank, std::uint32_t piece) const {
  auto const r = static_cast<std::uint32_t>(rank);
  auto const p = static_cast<std::uint32_t>(ranks());
  auto const if_so = [](bool so, std::uint32_t slot) { return so ? std::optional(slot) : std::nullopt; };
  switch (promise_.collective) {
    case ClassicalCollective::bcast:
    case ClassicalCollective::scatter:
      return if_so(Rank(rank) == promise_.root, piece);
    case ClassicalCollective::gather:
    case ClassicalCollective::allgather:
      return if_so(piece / pieces_per_block_ == r, piece % pieces_per_block_);
    case ClassicalCollective::alltoall:
      return if_so(piece / p == r, piece % p);
    case ClassicalCollective::allreduce:
    case ClassicalCollective::barrier:
      return piece;
    default:  // reductions that a Reducer writes
      break;
  }
  throw ContractViolation("what each collective starts with");
}

std::optional<std::uint32_t> PieceSlots::receive_slot_of(int rank, std::uint32_t piece) const {
  auto const r = static_cast<std::uint32_t>(rank);
  auto const p = static_cast<std::uint32_t>(ranks());
  auto const if_so = [](bool so, std::uint32_t slot) { return so ? std::optional(slot) : std::nullopt; };
  switch (promise_.collective) {
    case ClassicalCollective::bcast:
      return if_so(Rank(rank) != promise_.root, piece);
    case ClassicalCollective::gather:
      return if_so(Rank(rank) == promise_.root, piece);
    case ClassicalCollective::allgather:
      return piece;
    case ClassicalCollective::scatter:
      return if_so(piece == r, 0);
    case ClassicalCollective::alltoall:
      return if_so(piece % p == r, piece / p);
    case ClassicalCollective::allreduce:
    case ClassicalCollective::barrier:
      return piece;
    default:
      break;
  }
  throw ContractViolation("what each collective owes");
}

std::vector<std::uint32_t> PieceSlots::in_slots(int rank, Buffer buffer) const {
  std::vector<std::uint32_t> pieces;
  auto const slot = [&](std::uint32_t piece) {
    return buffer == Buffer::send ? send_slot_of(rank, piece) : receive_slot_of(rank, piece);
  };
  if (promise_.collective == ClassicalCollective::alltoall) {
    auto const p = static_cast<std::uint32_t>(ranks());
    auto const r = static_cast<std::uint32_t>(rank);
    for (std::uint32_t i = 0; i < p; ++i) pieces.push_back(buffer == Buffer::send ? r * p + i : i * p + r);
    return pieces;
  }
  for (std::uint32_t piece = 0; piece < pieces_; ++piece) {
    if (slot(piece)) pieces.push_back(piece);
  }
  return pieces;
}

/// If all pieces have the same size, a layout needs no list of sizes.
Layout PieceSlots::layout(int rank) const {
  Layout layout{block_, {}};
  for (Buffer const buffer : {Buffer::send, Buffer::receive}) {
    std::vector<std::uint32_t> const pieces = in_slots(rank, buffer);
    layout[buffer].slots = static_cast<std::uint32_t>(pieces.size());
    if (uniform()) continue;
    for (std::uint32_t const piece : pieces) layout[buffer].sizes.push_back(size(piece));
  }
  return layout;
}

Writer::Writer(problem::Classical const& problem, Cut const& cut)
    : slots_(problem, cut), written_(static_cast<std::size_t>(problem.ranks), 0) {
  for (int r = 0; r < problem.ranks; ++r) {
    ProgramBuilder& builder = builders_.emplace_back(slots_.layout(r));
    for (std::uint32_t const piece : slots_.in_slots(r, Buffer::send)) {
      if (auto const kept = slots_.receive_slot_of(r, piece)) {
        builder.copy(send_slot(*slots_.send_slot_of(r, piece)), receive_slot(*kept));
      }
    }
  }
  std::uint64_t const pairs = key(problem.ranks, 0);
  if (pairs <= most_in_table && !slots_.reduces()) table_.assign(pairs, nowhere);
}

/// Where a rank has a piece now; unset if it does not have it.
std::optional<Place> Writer::place(int rank, std::uint32_t piece) const {
  // Copies before the first round have put each rank's contribution where it is reduced.
  if (slots_.reduces()) return receive_slot(piece);
  if (auto const slot = slots_.send_slot_of(rank, piece)) return send_slot(*slot);
  if (!table_.empty()) {
    Place const found = table_[key(rank, piece)];
    return found == nowhere ? std::nullopt : std::optional(found);
  }
  auto const found = sparse_table_.find(key(rank, piece));
  return found == sparse_table_.end() ? std::nullopt : std::optional(found->second);
}

/// The pieces that arrived in this round can be sent from now on.
void Writer::place_arrivals() {
  for (Arrival const& arrival : arrivals_) {
    if (!table_.empty()) {
      Place& stored = table_[key(arrival.rank, arrival.piece)];
      if (stored == nowhere) stored = arrival.place;
    } else {
      sparse_table_.try_emplace(key(arrival.rank, arrival.piece), arrival.place);
    }
  }
  arrivals_.clear();
}

void Writer::begin_round() {
  place_arrivals();
  ++round_;
}

ProgramBuilder& Writer::builder(int rank) {
  auto const r = static_cast<std::size_t>(rank);
  for (; written_[r] < round_; ++written_[r]) builders_[r].begin_round();
  return builders_[r];
}

Place Writer::free_slot(int rank, std::uint32_t piece) {
  BufferLayout& buffer = builders_[static_cast<std::size_t>(rank)].layout()[Buffer::intermediate];
  if (!slots_.uniform()) buffer.sizes.push_back(slots_.size(piece));
  return intermediate_slot(buffer.slots++);
}

/// Posts the message at both ends. A piece that arrives goes to the receive slot to which it is owed, or to a new
/// intermediate slot.
void Writer::message(int from, int to, std::span<std::uint32_t const> pieces, Join join) {
  places_.clear();
  for (std::uint32_t const piece : pieces) {
    std::optional<Place> const held = place(from, piece);
    expects(held.has_value(), "a rank sends what it holds");
    places_.push_back(*held);
  }
  builder(from).send(to, places_);
  places_.clear();
  for (std::uint32_t const piece : pieces) {
    if (slots_.reduces()) {
      places_.push_back(receive_slot(piece));
      continue;
    }
    std::optional<std::uint32_t> const owed = slots_.receive_slot_of(to, piece);
    places_.push_back(owed && !holds(to, piece) ? receive_slot(*owed) : free_slot(to, piece));
    arrivals_.push_back({to, piece, places_.back()});
  }
  builder(to).receive(from, places_, join);
}

/// Each rank has a program of its own.
Schedule Writer::finish(int ports) && {
  Schedule schedule;
  schedule.ranks = slots_.ranks();
  for (std::uint32_t r = 0; r < builders_.size(); ++r) {
    schedule.programs.push_back(std::move(builders_[r]).finish());
    schedule.program_of.push_back(r);
  }
  schedule.promises = {ports, Links::any};
  return schedule;
}

}  // namespace rondo::generate::classical
