#pragma once

// Closed forms and lower bounds, derived from the problem alone: nothing here sees a generator or a schedule.

#include <cstdint>

#include "base/units.hpp"
#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo::theory {

/// The linear cost model: a message of n bytes takes alpha + beta * n.
struct LinearCost {
  Seconds alpha;
  BytesPerSecond bandwidth;  ///< 1 / beta
};

/// What a closed form says of an algorithm on a one-ported machine.
struct Counts {
  std::int64_t rounds = 0;
  std::int64_t volume_blocks = 0;  ///< blocks sent by each rank
};

/// rounds * alpha + beta * (volume * block + rounds * envelope): each round one message of each rank
/// [Traeff16, Section 3.1]. The envelope is what the machine adds to every message.
Seconds time(Counts const& counts, Bytes block, Bytes envelope, LinearCost const& cost);

/// D and V of Proposition 1 on this torus [Traeff16, corrected: the largest positive and the largest negative
/// coordinate of each dimension are added]: D = sum_j (max_i max(c_j,0) + max_i max(-c_j,0)), V = sum_i |C^i|_1, both
/// over the dimensions with more than one rank, because a message of a rank to itself is none.
Counts alltoall_torus(Torus const& torus, Neighborhood const& neighborhood);
/// One round and one block for each neighbor that is not the rank itself [Traeff16, Listing 4].
Counts alltoall_straightforward(Torus const& torus, Neighborhood const& neighborhood);

/// For which block sizes m message combining is faster than the straightforward algorithm in the linear model, that is
/// D alpha + V m beta < s alpha + s m beta [Traeff16, Section 3.1, corrected].
struct Cutoff {
  enum class Faster : std::uint8_t { never, always, below, above };
  Faster faster = Faster::never;
  double bytes = 0;  ///< (alpha/beta) (s - D) / (V - s), for `below` and `above`
  friend bool operator==(Cutoff const&, Cutoff const&) = default;
};
Cutoff cutoff(Counts const& combining, Counts const& straightforward, LinearCost const& cost);

/// Lower bounds that hold for every schedule of a link class on a machine with `ports` send and receive ports a rank.
struct Bounds {
  std::int64_t rounds = 0;
  std::int64_t volume_blocks = 0;  ///< of the rank that sends most
  std::int64_t chain = 0;          ///< messages of which each can start only when the one before has arrived
};
/// No schedule is faster: a chain of messages with a block each, and all the blocks of a rank through its ports after
/// one start-up: max(chain (alpha + beta m), alpha + beta m volume / ports); 0 without blocks.
Seconds time_bound(Bounds const& bounds, Bytes block, int ports, LinearCost const& cost);

/// Messages between immediate torus neighbors only. Volume: the sum of the torus distances (the mean over the ranks,
/// so some rank sends as much). Rounds: the largest distance; on one port in one dimension max(P, N) + 1 where both
/// directions are needed.
Bounds alltoall_bounds_unit(Torus const& torus, Neighborhood const& neighborhood, int ports);
/// Messages between any two ranks. Volume: the blocks that do not stay. Rounds: the number of ranks that hold a block
/// of one origin grows at most (ports + 1)-fold in a round: ceil(log_(ports+1)(s' + 1)) with s' distinct targets.
Bounds alltoall_bounds_any(Torus const& torus, Neighborhood const& neighborhood, int ports);

}  // namespace rondo::theory
