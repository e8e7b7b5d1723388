#pragma once

// Code that the generators of reduce and reduce_scatter share, for this folder alone. A Reducer turns messages between
// ranks into programs in which every rank starts with a contribution to every piece. A rank has of a piece its own
// contribution, joined with the contributions that have arrived.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "generate/classical_writer.hpp"

namespace rondo::generate::classical {

/// Turns messages of contributions into programs. It runs twice: first to see which places each rank needs, then to
/// write.
class Reducer {
 public:
  /// `pieces`: the sizes of the pieces, in the order of the send slots of every rank.
  Reducer(problem::Classical const& problem, std::vector<Bytes> pieces);

  void begin_round();
  /// Sends what a rank has of these pieces at the start of the round. The receiver joins it with what it has itself, or
  /// stores it.
  void message(int from, int to, std::span<std::uint32_t const> pieces, Join join);
  void message(int from, int to, std::uint32_t piece, Join join) { message(from, to, {&piece, 1}, join); }
  /// As message(), but the receiver stores the pieces separately. It can pass them on unchanged, until it joins them.
  void message_aside(int from, int to, std::span<std::uint32_t const> pieces);
  /// Sends pieces that the sender has stored separately. The receiver stores them separately too.
  void hand_on(int from, int to, std::span<std::uint32_t const> pieces);
  /// Joins pieces that the rank has stored separately with what it has, at the end of this round.
  void join_aside(int rank, std::span<std::uint32_t const> pieces, Join join);

 private:
  friend Schedule reduced(problem::Classical const& problem, std::vector<Bytes> const& pieces, int ports,
                          std::function<void(Reducer&)> const& write);
  /// Why a rank needs a place for a piece. A content that is stored after contributions have been joined replaces them.
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
  bool uniform_;
  std::uint32_t pieces_;
  bool writing_ = false;  ///< false in the first pass, which only looks at the messages
  std::vector<Use> uses_;
  std::vector<std::uint32_t> slots_;                            ///< the intermediate slots of pieces that have one
  std::unordered_map<std::size_t, std::uint32_t> early_slots_;  ///< of pieces that are first joined, and stored later
  std::unordered_map<std::size_t, std::uint32_t> aside_slots_;
  std::vector<bool> arrived_;  ///< whether a piece that is stored has arrived
  std::vector<std::size_t> arrivals_;
  std::vector<ProgramBuilder> builders_;
  std::vector<int> written_;  ///< by rank: how many rounds its program has
  std::vector<Place> places_;
  int round_ = 0;
};

/// The schedule of the messages that `write` produces. It is called twice; the first time shows for which pieces a rank
/// needs a place. `ports` as in Writer::finish.
Schedule reduced(problem::Classical const& problem, std::vector<Bytes> const& pieces, int ports,
                 std::function<void(Reducer&)> const& write);

}  // namespace rondo::generate::classical
