#pragma once

// Algorithm 2 of [Mirsadeghi17], which pairs friends, as one rank carries it out. Only common_neighbors.cpp uses it.

#include <cstdint>
#include <optional>
#include <vector>

#include "generate/common_neighbors.hpp"
#include "mpi/runtime/short_messages.hpp"

namespace rondo::mpi {

/// Another rank that has at least theta common neighbors with this one, and their number.
struct Friend {
  Rank rank;
  int common = 0;
};

/// The tags of the two messages of a round: a rank tells its friends first its choice and then its state.
enum PairingTag : int { choice_tag = 1, state_tag = 2 };

/// The partner, if there is one, and the messages that finding it took.
struct Pairing {
  std::optional<Rank> partner;
  int rounds = 0;                     ///< until this rank was paired or terminal
  std::int64_t messages = 0;          ///< that it sent
  std::int64_t messages_printed = 0;  ///< that it would send as printed, to the friends in F only
};

/// Pairs this rank, `self`, with one of its friends, or leaves it without a partner. `friends` must be in the order of
/// ranks, and all of them must call this at the same time. Throws ContractViolation if it takes more than p * p rounds.
Pairing pair_with_a_friend(ShortMessages& messages, Rank self, int ranks, std::vector<Friend> const& friends,
                           problem::CommonNeighbors const& options);

}  // namespace rondo::mpi
