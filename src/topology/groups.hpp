#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "topology/torus.hpp"

namespace rondo {

/// What passes between two groups. `allgather`: every receiver gets the block of every sender. `exchange`: both groups
/// send, full duplex; every rank gets the block of every rank of the other group. `gather`: the first receiver, the
/// root, gets the block of every sender. `scatter`: the first sender, the root, has a block for each receiver.
/// `reduce`: the first receiver gets the reduction of the senders' vectors, by an operator that commutes.
enum class IntergroupCollective : std::uint8_t { allgather, exchange, gather, scatter, reduce };

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
/// Throws InputError unless there are as many senders as receivers or more: what receiver_allgather is made for.
void expect_enough_senders(Groups const& groups);
/// Throws InputError unless the torus has a place for each rank, and the senders are all ranks of some places along its
/// first dimension.
void expect_rows(Groups const& groups, Torus const& torus);

}  // namespace rondo
