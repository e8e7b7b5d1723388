#pragma once

// What the generators of reduce and reduce_scatter share, for this folder alone: a Reducer turns messages between ranks
// into programs, where every rank starts with a contribution to every piece. What a rank has of a piece is its own
// contribution, joined with what has come to it.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "generate/classical_writer.hpp"

namespace rondo::generate::classical {

class Reducer {
 public:
  /// `pieces`: their sizes, in the order of the send slots of every rank.
  Reducer(problem::Classical const& problem, std::vector<Bytes> pieces);

  void begin_round();
  /// What a rank has of these pieces at the start of the round comes to another one, which joins it with what it has
  /// itself, or stores it.
  void message(int from, int to, std::span<std::uint32_t const> pieces, Join join);
  void message(int from, int to, std::uint32_t piece, Join join) { message(from, to, {&piece, 1}, join); }
  /// As message(), but the receiver keeps aside what comes, and so can hand it on as it came until it joins it.
  void message_aside(int from, int to, std::span<std::uint32_t const> pieces);
  /// What the sender has kept aside comes to another rank, which keeps it aside, too.
  void hand_on(int from, int to, std::span<std::uint32_t const> pieces);
  /// What a rank has kept aside is joined with what it has, at the end of this round.
  void join_aside(int rank, std::span<std::uint32_t const> pieces, Join join);

 private:
  friend Schedule reduced(problem::Classical const& problem, std::vector<Bytes> const& pieces, int ports,
                          std::function<void(Reducer&)> const& write);
  /// What a place for a rank's piece is needed for. What is stored after others have been joined takes their place.
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
  bool writing_ = false;  ///< else the messages are only looked at
  std::vector<Use> uses_;
  std::vector<std::uint32_t> slots_;  ///< the intermediate slots of pieces, where they have one
  std::unordered_map<std::size_t, std::uint32_t> early_slots_;  ///< of pieces that are joined, then stored
  std::unordered_map<std::size_t, std::uint32_t> aside_slots_;
  std::vector<bool> arrived_;  ///< whether a piece that is stored has come
  std::vector<std::size_t> arrivals_;
  std::vector<ProgramBuilder> builders_;
  std::vector<int> written_;  ///< by rank: the rounds of its program so far
  std::vector<Place> places_;
  int round_ = 0;
};

/// The schedule of the messages that `write` says. It is called twice: the first time to see which pieces a rank needs
/// a place for. `ports` as in Writer::finish.
Schedule reduced(problem::Classical const& problem, std::vector<Bytes> const& pieces, int ports,
                 std::function<void(Reducer&)> const& write);

}  // namespace rondo::generate::classical
