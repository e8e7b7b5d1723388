// A Reducer runs an algorithm twice. The first time it only notes how pieces are used: a piece that is joined needs a
// slot that already holds the own contribution. The second time it writes.

#include "generate/classical_reducer.hpp"

#include <algorithm>
#include <utility>

#include "base/ids.hpp"

namespace rondo::generate::classical {
namespace {

constexpr std::uint32_t no_slot = ~std::uint32_t{0};

}  // namespace

Reducer::Reducer(problem::Classical const& problem, std::vector<Bytes> pieces)
    : problem_(problem),
      sizes_(std::move(pieces)),
      uniform_(std::all_of(sizes_.begin(), sizes_.end(), [&](Bytes size) { return size == problem.sizes.block; })),
      pieces_(static_cast<std::uint32_t>(sizes_.size())),
      uses_(at(problem.ranks) * pieces_, Use::none) {}

/// The receive slot of a piece; none if the rank is not owed the piece.
std::optional<std::uint32_t> Reducer::receive_slot_of(int rank, std::uint32_t piece) const {
  if (problem_.collective == ClassicalCollective::reduce_scatter) {
    auto const each = pieces_ / static_cast<std::uint32_t>(problem_.ranks);
    return piece / each == piece_of(rank) ? std::optional(piece % each) : std::nullopt;
  }
  bool const owed = !has_root(problem_.collective) || rank == problem_.root;
  return owed ? std::optional(piece) : std::nullopt;
}

ProgramBuilder& Reducer::builder(int rank) {
  for (; written_[at(rank)] < round_; ++written_[at(rank)]) builders_[at(rank)].begin_round();
  return builders_[at(rank)];
}

/// The intermediate slot of a piece, which is made at the first use.
Place Reducer::intermediate(int rank, std::uint32_t piece, std::uint32_t& slot) {
  if (slot == no_slot) {
    BufferLayout& buffer = builders_[at(rank)].layout()[Buffer::intermediate];
    if (!uniform_) buffer.sizes.push_back(sizes_[piece]);
    slot = buffer.slots++;
  }
  return intermediate_slot(slot);
}

/// The place where a rank has a piece in the end.
Place Reducer::home(int rank, std::uint32_t piece) {
  if (auto const slot = receive_slot_of(rank, piece)) return receive_slot(*slot);
  return intermediate(rank, piece, slots_[key(rank, piece)]);
}

/// The place where contributions to a piece are joined. It is not the home if another content will be stored there
/// later.
Place Reducer::where_joined(int rank, std::uint32_t piece) {
  bool const early = uses_[key(rank, piece)] == Use::joined_then_stored && !arrived_[key(rank, piece)];
  if (!early) return home(rank, piece);
  return intermediate(rank, piece, early_slots_.try_emplace(key(rank, piece), no_slot).first->second);
}

/// The place of what a rank has of a piece now: its own contribution in the send buffer, as long as nothing was joined
/// with it.
Place Reducer::held(int rank, std::uint32_t piece) {
  bool const came = uses_[key(rank, piece)] >= Use::joined || arrived_[key(rank, piece)];
  return came ? where_joined(rank, piece) : send_slot(piece);
}

void Reducer::begin_round() {
  for (std::size_t const each : arrivals_) arrived_[each] = true;
  arrivals_.clear();
  ++round_;
}

/// In the first run this notes whether the target stores the pieces or joins them; in the second run it posts the
/// message.
void Reducer::message(int from, int to, std::span<std::uint32_t const> pieces, Join join) {
  if (!writing_) {
    for (std::uint32_t const piece : pieces) {
      Use& use = uses_[key(to, piece)];
      bool const again = join == Join::none && use == Use::joined;
      use = std::max(use, again ? Use::joined_then_stored : join == Join::none ? Use::stored : Use::joined);
    }
    return;
  }
  places_.clear();
  for (std::uint32_t const piece : pieces) places_.push_back(held(from, piece));
  builder(from).send(to, places_);
  places_.clear();
  for (std::uint32_t const piece : pieces) {
    places_.push_back(join == Join::none ? home(to, piece) : where_joined(to, piece));
    if (join == Join::none) arrivals_.push_back(key(to, piece));
  }
  builder(to).receive(from, places_, join);
}

Place Reducer::aside(int rank, std::uint32_t piece) {
  return intermediate(rank, piece, aside_slots_.try_emplace(key(rank, piece), no_slot).first->second);
}

/// Sends pieces that the receiver stores in slots of their own. `at_sender` says where they lie at the sender.
void Reducer::keep_aside(int from, int to, std::span<std::uint32_t const> pieces,
                         Place (Reducer::*at_sender)(int, std::uint32_t)) {
  if (!writing_) return;
  places_.clear();
  for (std::uint32_t const piece : pieces) places_.push_back((this->*at_sender)(from, piece));
  builder(from).send(to, places_);
  places_.clear();
  for (std::uint32_t const piece : pieces) places_.push_back(aside(to, piece));
  builder(to).receive(from, places_, Join::none);
}

void Reducer::message_aside(int from, int to, std::span<std::uint32_t const> pieces) {
  keep_aside(from, to, pieces, &Reducer::held);
}

void Reducer::hand_on(int from, int to, std::span<std::uint32_t const> pieces) {
  keep_aside(from, to, pieces, &Reducer::aside);
}

/// Joins what was stored aside with the rank's own contribution.
void Reducer::join_aside(int rank, std::span<std::uint32_t const> pieces, Join join) {
  for (std::uint32_t const piece : pieces) {
    if (writing_) {
      builder(rank).copy(aside(rank, piece), where_joined(rank, piece), join);
    } else {
      uses_[key(rank, piece)] = std::max(uses_[key(rank, piece)], Use::joined);
    }
  }
}

/// Starts the program of a rank. Its own contribution is copied to where others are joined with it, or to the receive
/// slot if no others exist.
void Reducer::start_rank(int rank) {
  Layout layout{problem_.sizes.block, {}};
  layout[Buffer::send].slots = pieces_;
  if (!uniform_) layout[Buffer::send].sizes = sizes_;
  for (std::uint32_t piece = 0; piece < pieces_; ++piece) {
    if (!receive_slot_of(rank, piece)) continue;
    ++layout[Buffer::receive].slots;
    if (!uniform_) layout[Buffer::receive].sizes.push_back(sizes_[piece]);
  }
  builders_.emplace_back(std::move(layout));
  for (std::uint32_t piece = 0; piece < pieces_; ++piece) {
    Use const use = uses_[key(rank, piece)];
    bool const whole = use == Use::none && receive_slot_of(rank, piece).has_value();
    if (use >= Use::joined || whole) builders_.back().copy(send_slot(piece), where_joined(rank, piece));
  }
}

/// Begins the second pass, in which `write` produces the programs.
void Reducer::start_writing() {
  writing_ = true;
  round_ = 0;
  slots_.assign(uses_.size(), no_slot);
  arrived_.assign(uses_.size(), false);
  written_.assign(at(problem_.ranks), 0);
  for (int rank = 0; rank < problem_.ranks; ++rank) start_rank(rank);
}

/// Each rank has a program of its own.
Schedule Reducer::finish(int ports) && {
  Schedule schedule;
  schedule.ranks = problem_.ranks;
  schedule.promises = {ports, Links::any};
  for (std::uint32_t rank = 0; rank < builders_.size(); ++rank) {
    schedule.programs.push_back(std::move(builders_[rank]).finish());
    schedule.program_of.push_back(rank);
  }
  return schedule;
}

Schedule reduced(problem::Classical const& problem, std::vector<Bytes> const& pieces, int ports,
                 std::function<void(Reducer&)> const& write) {
  Reducer reducer(problem, pieces);
  write(reducer);
  reducer.start_writing();
  write(reducer);
  return std::move(reducer).finish(ports);
}

}  // namespace rondo::generate::classical
