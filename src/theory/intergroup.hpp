#pragma once

// Collectives between two groups: counts of their algorithms and lower bounds, from the sizes of the groups, and of the
// torus they lie on, alone. With p senders, q receivers and one block of m bytes a sender, in a scatter a receiver.

#include <cstdint>
#include <vector>

#include "base/units.hpp"
#include "problem/words.hpp"
#include "theory/theory.hpp"
#include "topology/groups.hpp"

namespace rondo::theory {

using problem::Broadcast;
using problem::IntraAllgather;

/// What a closed form says of an algorithm whose ranks do different things. Volumes are in blocks, fractions where
/// blocks are cut.
struct IntergroupCounts {
  std::int64_t rounds = 0;
  double critical_blocks = 0;  ///< sum over the rounds of the largest message
  double total_blocks = 0;     ///< sent by all ranks
  double received_blocks = 0;  ///< most any rank receives
  Bytes critical_bytes;
  Bytes total_bytes;

  /// Messages of which each waits for the one before.
  struct Chain {
    std::int64_t messages = 0;
    Bytes bytes;
  };
  /// The longest ones: the time is that of the slowest. One with all rounds and all critical bytes, but where
  /// broadcasts among groups of different sizes take different times.
  std::vector<Chain> chains;
  /// Whether the time is that of a machine with as many ports, and not only an upper bound.
  bool exact_time = true;
};

/// The slowest chain: messages * (alpha + beta * envelope) + beta * bytes.
Seconds time(IntergroupCounts const& counts, Bytes envelope, LinearCost const& cost);

/// [Kang19, Section III], exact. With A(n) = ceil(log2 n) (bruck, and recursive_doubling for powers of two; else
/// 2 + floor(log2 n); n - 1 for ring): p >= q: 1 + A(p) rounds. p < q, g = ceil(q/p) + 1: ceil(log2 g) + A(p), or
/// 2 ceil(log2 g) + A(p) with scatter_allgather, ceil(log2 g) + g - 1 + A(p) with scatter_ring_allgather. Without
/// recursive_doubling p critical blocks for p >= q; with a binomial broadcast ceil(log2 g) + p - 1 for p < q.
/// With multiple_messages a broadcast to 2^k > 2 members takes 2k rounds of 1/k of a block, which takes as long as
/// [Kang19, Section III] says: 2 log2(q/p + 1) start-ups and 2 blocks.
/// On k ports the logarithms of bruck and of trees are to the base k + 1.
IntergroupCounts group_allgather(Groups const& groups, Bytes block, IntraAllgather allgather, Broadcast broadcast,
                                 int ports = 1);

/// [Kang19, Section III, the alternative], p >= q, exact: ceil(p/q) + A(q) rounds, p q blocks in all. On k ports a
/// receiver takes k blocks at a time: ceil(ceil(p/q) / k) + A(q), to the base k + 1.
IntergroupCounts receiver_allgather(Groups const& groups, Bytes block, IntraAllgather allgather, int ports = 1);

/// [Kang19, Section II-A], exact: ceil(log2 p) + 1 + ceil(log2 q) rounds, 2p - 1 + p ceil(log2 q) critical blocks with
/// a binomial broadcast; ceil(log2 p) + 1 + 2 ceil(log2 q) rounds, 2p - 1 + 2p (q-1)/q critical blocks with
/// scatter_allgather, where q divides p m; as many with scatter_ring_allgather, in ceil(log2 p) + ceil(log2 q) + q.
/// On k ports to the base k + 1.
IntergroupCounts root_gathering(Groups const& groups, Bytes block, Broadcast broadcast, int ports = 1);

/// p + q - 1 rounds of one block [Kang19, Table II].
IntergroupCounts ring_allgather(Groups const& groups, Bytes block);
/// p + q/2 rounds of one block [Kang19, Algorithms 1 and 3, the latter repaired]; throws InputError unless p and q are
/// even.
IntergroupCounts ring_sequences(Groups const& groups, Bytes block);
/// p + ceil(q/2) - 1 rounds of one block; q/2 + 1 if p = 1 and q is even.
IntergroupCounts ring_optimal(Groups const& groups, Bytes block);

/// [Kang19, Section VI], exact. On a torus of extents a, b_1, b_2, ... with the senders in s of the a rows, B = b_1 b_2
/// ... ranks a row and r = a - s. With G(n) = n/2 for an even n, else n - 1, and T(n) = ceil(n/2), but 0 for n = 1:
/// allgather: R + G(b_1) + ... rounds, R + s(B - 1) critical blocks, where R is the rounds of ring_optimal(s, r).
/// exchange: G(a) + G(b_1) + ... rounds, a - 1 + max(s, r)(B - 1) blocks.
/// gather: s + T(b_1) + ... rounds, p + B - 1 blocks; reduce: as many rounds of one vector.
/// scatter: r + T(b_1) + ... rounds, q + B - 1 blocks.
IntergroupCounts torus_rings(IntergroupCollective collective, Groups const& groups, Torus const& torus, Bytes block);

/// Lower bounds that hold for every schedule of a link class.
struct IntergroupBounds {
  std::int64_t rounds = 0;
  double critical_blocks = 0;        ///< sum over the rounds of the largest message
  std::int64_t total_blocks = 0;     ///< sent by all ranks
  std::int64_t received_blocks = 0;  ///< by the rank that receives most
  /// Messages of at least a block each that end before some receiver, which needs all p blocks, can get its first one.
  std::int64_t lead = 0;
  bool whole_blocks = false;  ///< holds for schedules that never cut a block
  std::int64_t row = 1;       ///< of senders, on a torus: the ranks of one place along the first dimension
};

/// Of an allgather. Messages between any two ranks, blocks cut or not.
IntergroupBounds intergroup_bounds_any(Groups const& groups, int ports);
/// Of an allgather. Messages between neighbors on the ring a_0 .. a_(p-1) b_0 .. b_(q-1), blocks never cut. On one port
/// critical_blocks is p + ceil(q/2) - 1 (q/2 + 1 if p = 1 and q is even). Messages of one block each, as those of all
/// algorithms for the ring, take as many rounds: ring_optimal is optimal in both. Where messages combine blocks fewer
/// rounds may do: ceil((p+q)/2), which neighbors that swap all they hold reach if p + q is even.
enum class RingMessages : std::uint8_t { of_one_block, any };
IntergroupBounds intergroup_bounds_ring(Groups const& groups, int ports, RingMessages messages);

/// Messages between any two ranks, blocks cut or not.
IntergroupBounds intergroup_bounds_any(IntergroupCollective collective, Groups const& groups, int ports);
/// Messages between neighbors on a torus whose first rows are the senders, blocks never cut, any number in a message.
/// No round is spared where data go to the largest distance of two ranks; on a ring as intergroup_bounds_ring.
IntergroupBounds intergroup_bounds_torus(IntergroupCollective collective, Groups const& groups, Torus const& torus,
                                         int ports);

/// What the bounds read where senders have blocks of different sizes, in bytes.
struct IntergroupBytes {
  std::int64_t smallest = 0;  ///< block
  std::int64_t received = 0;  ///< by each receiver
  std::int64_t total = 0;     ///< sent by all ranks
  double critical = 0;        ///< sum over the rounds of the largest message
};
IntergroupBytes in_bytes(IntergroupBounds const& bounds, Groups const& groups, int ports,
                         std::vector<Bytes> const& sizes);
/// No schedule is faster.
TimeBound time_bound(IntergroupBounds const& bounds, IntergroupBytes const& bytes, LinearCost const& cost);

/// No schedule is faster: the bound on the rounds as a chain of messages, and the critical blocks one after the other.
TimeBound time_bound(IntergroupBounds const& bounds, Bytes block, LinearCost const& cost);

}  // namespace rondo::theory
