#pragma once

// Code that generators of reductions share, for this folder alone. A Reducer turns messages between ranks into
// programs in which every rank starts with a contribution to every piece. At first a rank holds its own contribution
// to a piece. A message is joined with this content or replaces it.
//
// Reductions by halving also share Folded, the nodes that remain when the ranks past a power of two are folded onto
// neighbors, and the parts that a node keeps.

#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/ids.hpp"
#include "generate/classical_writer.hpp"

namespace rondo::generate::classical {

/// Turns messages of contributions into programs. It runs twice: first to see which places each rank needs, then to
/// write.
class Reducer {
 public:
  /// `pieces`: the sizes of the pieces, in the order of the send slots of every rank. Keeps a reference to the problem.
  Reducer(problem::Classical const& problem, std::vector<Bytes> pieces);

  void begin_round();
  /// Sends the contents of these pieces that the sender holds at the start of the round. The receiver joins them with
  /// its own contents or, with Join::none, stores them in their place.
  void message(int from, int to, std::span<std::uint32_t const> pieces, Join join);
  void message(int from, int to, std::uint32_t piece, Join join) { message(from, to, {&piece, 1}, join); }
  /// As message(), but the receiver stores the pieces aside, in slots of their own. It can pass them on unchanged, and
  /// join them later.
  void message_aside(int from, int to, std::span<std::uint32_t const> pieces);
  /// Sends pieces that the sender has stored aside. The receiver stores them aside too.
  void hand_on(int from, int to, std::span<std::uint32_t const> pieces);
  /// Joins pieces that the rank has stored aside with its own contents, at the end of this round.
  void join_aside(int rank, std::span<std::uint32_t const> pieces, Join join);

 private:
  friend Schedule reduced(problem::Classical const& problem, std::vector<Bytes> const& pieces, int ports,
                          std::function<void(Reducer&)> const& write);
  /// How a rank uses the messages with a piece. none: it gets no such message. stored: it only stores contents.
  /// joined: it joins contents, perhaps with one that it has stored before. joined_then_stored: it joins contents
  /// first, and then stores one that replaces the result.
  enum class Use : std::uint8_t { none, stored, joined, joined_then_stored };

  std::size_t key(int rank, std::uint32_t piece) const { return static_cast<std::size_t>(rank) * pieces_ + piece; }
  std::optional<std::uint32_t> receive_slot_of(int rank, std::uint32_t piece) const;
  Place intermediate(int rank, std::uint32_t piece, std::uint32_t& slot);
  Place home(int rank, std::uint32_t piece);
  Place where_joined(int rank, std::uint32_t piece);
  Place aside(int rank, std::uint32_t piece);
  void keep_aside(int from, int to, std::span<std::uint32_t const> pieces,
                  Place (Reducer::*at_sender)(int, std::uint32_t));
  Place held(int rank, std::uint32_t piece);
  ProgramBuilder& builder(int rank);
  void start_writing();
  void start_rank(int rank);
  Schedule finish(int ports) &&;

  problem::Classical const& problem_;
  std::vector<Bytes> sizes_;
  bool uniform_;          ///< all pieces have the size of the problem's block, so that layouts list no sizes
  std::uint32_t pieces_;  ///< how many there are
  bool writing_ = false;  ///< false in the first pass, which only looks at the messages
  // By key(rank, piece):
  std::vector<Use> uses_;
  std::vector<std::uint32_t> slots_;                            ///< the intermediate slots of pieces that have one
  std::unordered_map<std::size_t, std::uint32_t> early_slots_;  ///< of pieces that are first joined, and stored later
  std::unordered_map<std::size_t, std::uint32_t> aside_slots_;  ///< of pieces that are stored aside
  std::vector<bool> arrived_;          ///< whether a piece has been stored in a round before this one
  std::vector<std::size_t> arrivals_;  ///< the keys of the pieces that are stored in this round
  std::vector<ProgramBuilder> builders_;
  std::vector<int> written_;   ///< by rank: how many rounds its program has
  std::vector<Place> places_;  ///< of the message that is being written
  int round_ = 0;              ///< counted from 1; 0 before the first one
};

/// The schedule of the messages that `write` produces. It is called twice; the first time shows for which pieces a rank
/// needs a place. `ports` as in Writer::finish.
Schedule reduced(problem::Classical const& problem, std::vector<Bytes> const& pieces, int ports,
                 std::function<void(Reducer&)> const& write);

/// Reduces the ranks to q nodes, the largest power of two that is not larger. The first 2 (p - q) ranks form pairs, and
/// the even or the odd one of pair i is node i. The other ranks follow in order.
class Folded {
 public:
  /// Which of two neighbors takes part.
  enum class Node : std::uint8_t { even, odd };
  /// Of the first 2 * removed ranks, one of each pair takes part; all others do.
  Folded(int ranks, Node which)
      : nodes_(static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks)))), removed_(ranks - nodes_) {
    for (int v = 0; v < nodes_; ++v) {
      rank_.push_back(v < removed_ ? 2 * v + (which == Node::odd ? 1 : 0) : v + removed_);
    }
  }
  int nodes() const { return nodes_; }
  int removed() const { return removed_; }
  int rank(int node) const { return rank_[at(node)]; }
  /// The node of a rank, or of the pair of the rank.
  int node(int rank) const { return rank < 2 * removed_ ? rank / 2 : rank - removed_; }
  void replace(int node, int rank) { rank_[at(node)] = rank; }

 private:
  int nodes_, removed_;
  std::vector<int> rank_;
};

/// The parts, of q, that a node keeps when it has halved them at the distances 1, 2, ..., width / 2. It keeps the lower
/// half if its bit is 0.
inline Pieces halved(Cut const& cut, int q, int node, int width) {
  int first = 0;
  int size = q;
  for (int bit = 1; bit < width; bit *= 2) {
    size /= 2;
    if ((node & bit) != 0) first += size;
  }
  Pieces pieces;
  for (int k = first; k < first + size; ++k) {
    pieces.insert(pieces.end(), cut.parts[at(k)].begin(), cut.parts[at(k)].end());
  }
  return pieces;
}

}  // namespace rondo::generate::classical
