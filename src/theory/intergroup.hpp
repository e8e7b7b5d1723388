#pragma once

// Counts and lower bounds of collectives between two groups, from the sizes of the groups and of their torus alone.
// There are p senders and q receivers. Each sender has one block of m bytes; in a scatter each receiver gets one. On
// k ports a rank sends and receives up to k messages in a round.

#include <cstdint>
#include <vector>

#include "base/units.hpp"
#include "problem/enums.hpp"
#include "theory/prediction.hpp"
#include "topology/groups.hpp"
#include "topology/torus.hpp"

namespace rondo::theory {

using problem::Broadcast;
using problem::IntraAllgather;

/// The counts of an algorithm whose ranks do different things. Volumes are in blocks; they are fractions if blocks are
/// cut.
struct IntergroupCounts {
  std::int64_t rounds = 0;
  double critical_blocks = 0;  ///< sum over the rounds of the largest message
  double total_blocks = 0;     ///< sent by all ranks
  double received_blocks = 0;  ///< of the rank that receives most
  Bytes critical_bytes;        ///< as critical_blocks, in bytes
  Bytes total_bytes;           ///< as total_blocks, in bytes

  /// A chain of messages, each of which waits for the previous one.
  struct Chain {
    std::int64_t messages = 0;
    Bytes bytes;
  };
  /// The longest chains; the time is that of the slowest one. Usually there is a single chain with all rounds and all
  /// critical bytes. There are several if broadcasts in groups of different sizes take different times.
  std::vector<Chain> chains;
  /// Whether this is the exact time on a machine with this many ports, and not only an upper bound.
  bool exact_time = true;
};

/// The time of the slowest chain: messages * (alpha + beta * envelope) + beta * bytes.
Seconds time(IntergroupCounts const& counts, Bytes envelope, LinearCost const& cost);

/// The counts of [Kang19, Section III], exact. An allgather of n members takes A(n) rounds: ceil(log2 n) for bruck, and
/// for recursive_doubling on a power of two, else 2 + floor(log2 n); n - 1 for ring. With p >= q there are 1 + A(p)
/// rounds and, except for recursive_doubling, p critical blocks. With p < q and g = ceil(q/p) + 1 there are ceil(log2
/// g) + A(p) rounds with a binomial broadcast (and, except for recursive_doubling, ceil(log2 g) + p - 1 critical
/// blocks), 2 ceil(log2 g) + A(p) with scatter_allgather, and ceil(log2 g) + g - 1 + A(p) with scatter_ring_allgather.
/// With multiple_messages a broadcast to 2^k > 2 members takes 2k rounds of 1/k of a block. This takes the time of
/// [Kang19, Section III]: 2 log2(q/p + 1) start-ups and 2 blocks. On k ports the logarithms of bruck and of trees have
/// the base k + 1.
IntergroupCounts group_allgather(Groups const& groups, Bytes block, IntraAllgather allgather, Broadcast broadcast,
                                 int ports = 1);

/// The counts of the alternative in [Kang19, Section III], p >= q, exact: ceil(p/q) + A(q) rounds, and p q blocks in
/// total. On k ports a receiver gets k blocks at a time: ceil(ceil(p/q) / k) + A(q) rounds, with logarithms to the base
/// k + 1.
IntergroupCounts receiver_allgather(Groups const& groups, Bytes block, IntraAllgather allgather, int ports = 1);

/// The counts of [Kang19, Section II-A], exact. With a binomial broadcast: ceil(log2 p) + 1 + ceil(log2 q) rounds and
/// 2p - 1 + p ceil(log2 q) critical blocks. With scatter_allgather: ceil(log2 p) + 1 + 2 ceil(log2 q) rounds and, if q
/// divides p m, 2p - 1 + 2p (q-1)/q critical blocks. With scatter_ring_allgather: as many blocks in ceil(log2 p) +
/// ceil(log2 q) + q rounds. On k ports logarithms have the base k + 1.
IntergroupCounts root_gathering(Groups const& groups, Bytes block, Broadcast broadcast, int ports = 1);

/// p + q - 1 rounds of one block [Kang19, Table II].
IntergroupCounts ring_allgather(Groups const& groups, Bytes block);
/// p + q/2 rounds of one block [Kang19, Algorithms 1 and 3, the latter repaired]. Throws InputError unless p and q are
/// even.
IntergroupCounts ring_sequences(Groups const& groups, Bytes block);
/// p + ceil(q/2) - 1 rounds of one block; q/2 + 1 if p = 1 and q is even.
IntergroupCounts ring_optimal(Groups const& groups, Bytes block);

/// The counts of torus_rings [Kang19, Section VI], exact. The torus has extents a, b_1, b_2, ..., the senders have s of
/// the a rows, a row has B = b_1 b_2 ... ranks, and r = a - s. Let G(n) = n/2 for even n, else n - 1, and T(n) =
/// ceil(n/2), but T(1) = 0.
/// - allgather: R + G(b_1) + ... rounds and R + s(B - 1) critical blocks, where R is the number of rounds of
/// ring_optimal(s, r).
/// - exchange: G(a) + G(b_1) + ... rounds, a - 1 + max(s, r)(B - 1) blocks.
/// - gather: s + T(b_1) + ... rounds, p + B - 1 blocks; reduce: as many rounds of one vector.
/// - scatter: r + T(b_1) + ... rounds, q + B - 1 blocks.
IntergroupCounts torus_rings(IntergroupCollective collective, Groups const& groups, Torus const& torus, Bytes block);

/// Lower bounds that hold for every schedule of a link class.
struct IntergroupBounds {
  std::int64_t rounds = 0;
  double critical_blocks = 0;        ///< sum over the rounds of the largest message
  std::int64_t total_blocks = 0;     ///< sent by all ranks
  std::int64_t received_blocks = 0;  ///< by the rank that receives most
  /// The number of messages, of at least a block each, that end before some receiver can get the first of the p blocks
  /// that it needs.
  std::int64_t lead = 0;
  bool whole_blocks = false;  ///< the bounds hold for schedules that never cut a block
  std::int64_t row = 1;       ///< on a torus: the number of ranks in a row, which have the same first coordinate
};

/// Bounds of an allgather, for messages between any two ranks, whether blocks are cut or not.
IntergroupBounds intergroup_bounds_any(Groups const& groups, int ports);
/// Whether a message on the ring has one block, as in all algorithms for the ring, or any number of blocks.
enum class RingMessages : std::uint8_t { of_one_block, any };
/// Bounds of an allgather, for messages between neighbors on the ring a_0 .. a_(p-1) b_0 .. b_(q-1), if blocks are
/// never cut. On one port critical_blocks is p + ceil(q/2) - 1 (q/2 + 1 if p = 1 and q is even). Messages of one block
/// need as many rounds, so ring_optimal is optimal in both. If messages combine blocks, fewer rounds may suffice:
/// ceil((p+q)/2). If p + q is even, neighbors that exchange all they hold need no more.
IntergroupBounds intergroup_bounds_ring(Groups const& groups, int ports, RingMessages messages);

/// Bounds for messages between any two ranks, whether blocks are cut or not.
IntergroupBounds intergroup_bounds_any(IntergroupCollective collective, Groups const& groups, int ports);
/// Bounds for messages between neighbors on a torus whose first rows are the senders, if blocks are never cut; a
/// message may have any number of blocks. If data go to the largest distance of two ranks, this distance bounds the
/// rounds. On a ring the bounds are those of intergroup_bounds_ring.
IntergroupBounds intergroup_bounds_torus(IntergroupCollective collective, Groups const& groups, Torus const& torus,
                                         int ports);

/// Bounds in bytes of an allgather in which senders have blocks of different sizes.
struct IntergroupBytes {
  std::int64_t smallest = 0;  ///< the bytes of the smallest block
  std::int64_t received = 0;  ///< by each receiver
  std::int64_t total = 0;     ///< sent by all ranks
  double critical = 0;        ///< sum over the rounds of the largest message
};
/// The bounds in bytes for blocks of these sizes, one for each sender; otherwise throws ContractViolation.
IntergroupBytes in_bytes(IntergroupBounds const& bounds, Groups const& groups, int ports,
                         std::vector<Bytes> const& sizes);
/// The same as below for blocks of different sizes; the messages of the chain have at least the smallest one.
TimeBound time_bound(IntergroupBounds const& bounds, IntergroupBytes const& bytes, LinearCost const& cost);

/// No schedule is faster than this. The larger one of two times counts: that of a chain of as many messages as there
/// are rounds at least, and that of the critical blocks one after the other.
TimeBound time_bound(IntergroupBounds const& bounds, Bytes block, LinearCost const& cost);

}  // namespace rondo::theory
