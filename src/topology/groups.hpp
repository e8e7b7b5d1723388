#pragma once

// Two disjoint groups of ranks that exchange data, as the groups of an MPI inter-communicator do, and the collectives
// between them.

#include <cstdint>

#include "base/ids.hpp"
#include "topology/torus.hpp"

namespace rondo {

/// The collectives of two groups.
/// allgather: every receiver gets the block of every sender.
/// exchange: both groups send; every rank gets the block of every rank of the other group.
/// gather: the first receiver, the root, gets the block of every sender.
/// scatter: the first sender, the root, has a block for each receiver.
/// reduce: the first receiver gets the reduction of the senders' vectors by a commutative operator.
enum class IntergroupCollective : std::uint8_t { allgather, exchange, gather, scatter, reduce };

/// Two disjoint groups of ranks. The senders a_0 .. a_(p-1) are the ranks 0 .. p-1, and the receivers b_0 .. b_(q-1)
/// are the ranks p .. p+q-1. On a ring they lie in this order, closed to a circle [Kang19, Section III].
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

/// Throws InputError, which names ring_optimal, unless both groups have an even size, as the message sequences of
/// [Kang19, Section IV] require.
void expect_even(Groups const& groups);
/// Throws InputError unless there are at least as many senders as receivers, as receiver_allgather requires.
void expect_enough_senders(Groups const& groups);
/// Throws InputError unless the torus has as many ranks as the groups, and the senders are whole rows (all ranks with
/// some coordinates of the first dimension).
void expect_rows(Groups const& groups, Torus const& torus);

}  // namespace rondo
