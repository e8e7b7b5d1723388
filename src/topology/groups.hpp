#pragma once

#include <cstdint>

#include "base/ids.hpp"

namespace rondo {

/// Two disjoint groups of ranks: the senders a_0 .. a_(p-1) are ranks 0 .. p-1, the receivers b_0 .. b_(q-1) are ranks
/// p .. p+q-1. On a ring they lie in this order, closed to a circle [Kang19, Section III].
class Groups {
 public:
  /// Throws InputError unless p and q are at least 1 and p + q at most Torus::most_ranks.
  Groups(int senders, int receivers);

  int senders() const { return senders_; }
  int receivers() const { return receivers_; }
  int ranks() const { return senders_ + receivers_; }
  bool is_receiver(Rank rank) const { return rank.value >= senders_; }

  friend bool operator==(Groups const&, Groups const&) = default;

 private:
  int senders_;
  int receivers_;
};

/// Throws InputError, which names ring_optimal, unless both groups have an even size: what the message sequences of
/// [Kang19, Section IV] are made for.
void expect_even(Groups const& groups);

/// How n members of a group give each other one contribution each.
/// `bruck`: ceil(log2 n) rounds for any n. `recursive_doubling`: pairwise exchange in log2 n rounds; if n is no power
/// of two, the members above the largest one hand in their contribution in a round before and get the result in a round
/// after. `ring`: n - 1 rounds of one contribution.
enum class IntraAllgather : std::uint8_t { bruck, recursive_doubling, ring };

/// How one member of a group of n reaches all others: down a binomial tree in ceil(log2 n) rounds, or in n segments
/// that are scattered down that tree and allgathered. `scatter_allgather`: with bruck, twice the rounds, each with less
/// data. `scatter_ring_allgather`: with ring, n - 1 rounds more, each to the next member only, as MPI libraries
/// broadcast long messages.
enum class Broadcast : std::uint8_t { binomial, scatter_allgather, scatter_ring_allgather };

}  // namespace rondo
