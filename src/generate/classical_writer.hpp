#pragma once

// What the generators of collectives on all ranks share, for this folder alone: a Writer turns messages of pieces
// between ranks into programs. It alone knows in which slot a piece lies.
//
// A piece is what is never parted: a segment of the vectors of a bcast or a reduction, numbered from 0; in a gather,
// scatter or allgather the block of (or for) rank i is piece i, or, if a Cut has n pieces of each, pieces i * n to i *
// n
// + n - 1 in an allgather; in an alltoall the block from s to t is piece s * p +
// t.

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "problem/classical.hpp"
#include "schedule/collective.hpp"
#include "schedule/schedule.hpp"

namespace rondo::generate::classical {

using Pieces = std::vector<std::uint32_t>;

/// The block of or for a rank.
constexpr std::uint32_t piece_of(std::int64_t rank) { return static_cast<std::uint32_t>(rank); }
/// The block from one of p ranks to another in an alltoall.
constexpr std::uint32_t piece_of(std::int64_t source, std::int64_t target, std::int64_t p) {
  return static_cast<std::uint32_t>(source * p + target);
}

/// A rank's content joined with that of another one that is below or above it.
inline Join join_from(int source, int target) { return source < target ? Join::before : Join::after; }

/// A vector cut in parts: part k holds the pieces parts[k], of which none is empty but where the vector itself is. So a
/// part of a short vector may hold no piece.
struct Cut {
  std::vector<Bytes> sizes;  ///< by piece
  std::vector<Pieces> parts;

  Pieces all() const;
};
/// In n parts of ceil(m / n) bytes, the last ones shorter or empty.
Cut cut_evenly(Bytes vector, int n);
/// In parts of `segment` bytes, the last one shorter; with a segment of 0 bytes in one.
Cut cut_by_segment(Bytes vector, Bytes segment);
/// How the algorithm of a problem cuts its vector; one part where it does not.
Cut cut_of(problem::Classical const& problem);

/// In which slots the pieces start and end.
class Roles {
 public:
  Roles(problem::Classical const& problem, Cut const& cut);

  int ranks() const { return promise_.ranks; }
  std::uint32_t pieces() const { return pieces_; }
  std::optional<std::uint32_t> send_slot_of(int rank, std::uint32_t piece) const;
  std::optional<std::uint32_t> receive_slot_of(int rank, std::uint32_t piece) const;
  bool reduces() const { return rondo::reduces(promise_.collective); }
  Bytes size(std::uint32_t piece) const { return sizes_.empty() ? block_ : sizes_[piece]; }
  bool uniform() const { return sizes_.empty(); }
  /// The buffers of a rank, but for the intermediate one.
  Layout layout(int rank) const;
  /// The pieces of the send or the receive buffer of a rank, slot by slot.
  std::vector<std::uint32_t> in_slots(int rank, Buffer buffer) const;

 private:
  Classical promise_;
  Bytes block_;
  std::vector<Bytes> sizes_;  ///< by piece; empty where all have block_
  std::uint32_t pieces_ = 0;
  std::uint32_t each_ = 1;  ///< pieces of a block of a gather or an allgather
};

/// Writes the programs of all ranks at once, round by round. A message is posted at both ends when it is written; what
/// it brings can be sent on from the next round on.
class Writer {
 public:
  Writer(problem::Classical const& problem, Cut const& cut);

  void begin_round();
  /// A message of these pieces, in their order; it may be empty. In a reduction a rank has one content of each piece:
  /// it sends what that is at the start of the round, and what arrives is joined with it, or takes its place.
  void message(int from, int to, std::span<std::uint32_t const> pieces, Join join = Join::none);
  void message(int from, int to, std::uint32_t piece) { message(from, to, {&piece, 1}); }
  /// Whether the rank holds the piece at the start of this round.
  bool holds(int rank, std::uint32_t piece) const { return place(rank, piece).has_value(); }
  int ranks() const { return roles_.ranks(); }

  /// `ports`: most sends, and most receives, of a rank in a round; 0: not said.
  Schedule finish(int ports) &&;

 private:
  struct Arrival {
    int rank;
    std::uint32_t piece;
    Place place;
  };
  std::uint64_t key(int rank, std::uint32_t piece) const {
    return static_cast<std::uint64_t>(rank) * roles_.pieces() + piece;
  }
  std::optional<Place> place(int rank, std::uint32_t piece) const;
  ProgramBuilder& builder(int rank);
  Place free_slot(int rank, std::uint32_t piece);
  void settle();

  Roles roles_;
  std::vector<ProgramBuilder> builders_;
  std::vector<int> written_;  ///< by rank: the rounds of its program so far
  /// Where pieces lie that have been received: by rank, then piece, or where that table would be too large, by key.
  std::vector<Place> table_;
  std::unordered_map<std::uint64_t, Place> scattered_;
  std::vector<Arrival> arrivals_;
  std::vector<Place> places_;
  int round_ = 0;
};

}  // namespace rondo::generate::classical
