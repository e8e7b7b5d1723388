#pragma once

// A Writer turns messages of pieces between ranks into programs. The generators of collectives on all ranks share it,
// for this folder alone. Reduce and reduce_scatter have a Reducer instead (classical_reducer.hpp), and scans write
// their programs themselves (classical_reductions.cpp). Generators name pieces; the Writer finds the slot of each.
//
// A piece is data that is never divided. Its number depends on the collective:
// - bcast, allreduce and barrier: the segments of the vector, from 0;
// - gather, scatter and allgather: the block of (or for) rank i is piece i; if a Cut divides each block of an allgather
//   into n pieces, these are i * n to i * n + n - 1;
// - alltoall: the block from rank s to rank t is piece s * p + t.

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

/// The piece that is the block of, or for, a rank.
constexpr std::uint32_t piece_of(std::int64_t rank) { return static_cast<std::uint32_t>(rank); }
/// The piece that is the block from one of p ranks to another in an alltoall.
constexpr std::uint32_t piece_of(std::int64_t source, std::int64_t target, std::int64_t p) {
  return static_cast<std::uint32_t>(source * p + target);
}

/// How `target` joins a content that arrives from `source`, so that the content of the lower rank comes first.
inline Join join_from(int source, int target) { return source < target ? Join::before : Join::after; }

/// A vector that is cut into parts. Part k consists of the pieces parts[k]. No piece is empty, unless the vector is
/// empty. So a part of a short vector may have no piece.
struct Cut {
  std::vector<Bytes> sizes;  ///< by piece
  std::vector<Pieces> parts;

  Pieces all() const;
};
/// The cut that the algorithm of a problem uses; a single part if it does not cut the vector.
Cut cut_of(problem::Classical const& problem);

/// Maps the pieces of a collective to the slots of the send and receive buffers.
class PieceSlots {
 public:
  /// If `cut` is empty, each block is one piece.
  PieceSlots(problem::Classical const& problem, Cut const& cut);

  int ranks() const { return promise_.ranks; }
  std::uint32_t pieces() const { return pieces_; }
  /// The slot of the send buffer in which the piece starts, if it starts at this rank.
  std::optional<std::uint32_t> send_slot_of(int rank, std::uint32_t piece) const;
  /// The slot of the receive buffer to which the piece is owed, if it is owed to this rank.
  std::optional<std::uint32_t> receive_slot_of(int rank, std::uint32_t piece) const;
  /// Whether every rank contributes to every piece, as in an allreduce or a barrier.
  bool reduces() const { return rondo::reduces(promise_.collective); }
  Bytes size(std::uint32_t piece) const { return sizes_.empty() ? block_ : sizes_[piece]; }
  /// Whether no list of sizes is needed, because each piece has the size of the problem's block.
  bool uniform() const { return sizes_.empty(); }
  /// The send and the receive buffer of a rank.
  Layout layout(int rank) const;
  /// The pieces in the send or the receive buffer of a rank, slot by slot.
  std::vector<std::uint32_t> in_slots(int rank, Buffer buffer) const;

 private:
  Classical promise_;
  Bytes block_;
  std::vector<Bytes> sizes_;  ///< by piece; empty if all have the size block_
  std::uint32_t pieces_ = 0;
  std::uint32_t pieces_per_block_ = 1;  ///< how many pieces a block of a gather or an allgather has
};

/// Writes the programs of all ranks together, round by round. A message is posted at both ends when it is written. The
/// receiver can forward its pieces in the next round.
class Writer {
 public:
  /// Before the first round, each rank copies its own contribution to where it is owed.
  Writer(problem::Classical const& problem, Cut const& cut);

  void begin_round();
  /// Writes a message of these pieces, in this order; it may be empty. In an allreduce or a barrier a rank has one
  /// content of each piece. It sends the content that it has at the start of the round. The receiver joins the arriving
  /// content with its own; with Join::none the arriving content replaces it.
  void message(int from, int to, std::span<std::uint32_t const> pieces, Join join = Join::none);
  void message(int from, int to, std::uint32_t piece) { message(from, to, {&piece, 1}); }
  /// Whether the rank holds the piece at the start of this round.
  bool holds(int rank, std::uint32_t piece) const { return place(rank, piece).has_value(); }
  int ranks() const { return slots_.ranks(); }

  /// `ports` is the promise of the schedule: the most sends, and receives, that a rank posts in a round; 0: unlimited.
  Schedule finish(int ports) &&;

 private:
  /// A piece that a round brings; it may be used from the next round on.
  struct Arrival {
    int rank;
    std::uint32_t piece;
    Place place;
  };
  std::uint64_t key(int rank, std::uint32_t piece) const {
    return static_cast<std::uint64_t>(rank) * slots_.pieces() + piece;
  }
  std::optional<Place> place(int rank, std::uint32_t piece) const;
  /// The builder of a rank's program, after it has begun the current round.
  ProgramBuilder& builder(int rank);
  /// Adds a slot for this piece to the intermediate buffer.
  Place free_slot(int rank, std::uint32_t piece);
  void place_arrivals();

  PieceSlots slots_;
  std::vector<ProgramBuilder> builders_;
  std::vector<int> written_;  ///< by rank: how many rounds its program has
  /// The places of received pieces: by rank and piece, or by key if that table would be too large.
  std::vector<Place> table_;
  std::unordered_map<std::uint64_t, Place> sparse_table_;
  std::vector<Arrival> arrivals_;  ///< of the current round
  std::vector<Place> places_;      ///< of one end of the message that is being written
  int round_ = 0;
};

/// The schedule that `write` writes into a Writer.
template <typename Write>
Schedule written(problem::Classical const& problem, Cut const& cut, int ports, Write const& write) {
  Writer writer(problem, cut);
  write(writer);
  return std::move(writer).finish(ports);
}

}  // namespace rondo::generate::classical
