#pragma once

// Lower bounds on rounds and volumes of isomorphic collectives that hold for every schedule of a link class.

#include "theory/prediction.hpp"
#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo::theory {

/// Lower bounds that hold for every schedule of a link class on a machine with `ports` send and receive ports at each
/// rank.
struct Bounds {
  std::int64_t rounds = 0;
  std::int64_t volume_blocks = 0;  ///< of the rank that sends most
  std::int64_t chain =
      0;  ///< the length of a chain of messages, each of which can only start when the previous one has arrived
  Bytes volume_bytes = {};  ///< 0 unless block sizes were given
};
/// A lower bound of the time of every schedule: the larger of a chain of messages with a block each, and of all blocks
/// of a rank through its ports after one start-up. This is max(chain (alpha + beta m), alpha + beta m volume / ports);
/// 0 without blocks.
TimeBound time_bound(Bounds const& bounds, Bytes block, int ports, LinearCost const& cost);
/// The bound with block sizes, in which the chain carries at least the smallest block.
TimeBound time_bound_irregular(Bounds const& bounds, Bytes smallest, int ports, LinearCost const& cost);

// For each problem and link class there is one bound, the strongest that is proved here. A bound for messages between
// any two ranks also holds for messages between immediate neighbors, and is included in their bounds.

/// Bounds for messages between immediate torus neighbors only. Volume: the sum of the torus distances. This is the mean
/// over the ranks, so some rank sends at least as much, and it is never less than with any links, because no target is
/// nearer than one hop. Rounds: how fast a block can spread among neighbors (rounds_to_reach in spreading.hpp), which
/// is at least the largest distance and at least the bound for any links; on one port also the rounds of a straight way
/// (rounds_of_a_straight_way). `sizes` has an entry for each neighbor, or is empty.
Bounds alltoall_bounds_unit(Torus const& torus, Neighborhood const& neighborhood, int ports,
                            std::vector<Bytes> const& sizes = {});
/// Bounds for messages between any two ranks. Volume: the blocks that leave the rank. Rounds: the number of ranks that
/// hold a block of one origin grows by a factor of at most ports + 1 in a round. With s' distinct targets this takes
/// ceil(log_(ports+1)(s' + 1)) rounds.
Bounds alltoall_bounds_any(Torus const& torus, Neighborhood const& neighborhood, int ports,
                           std::vector<Bytes> const& sizes = {});

/// A lower bound of the rounds on links between immediate neighbors with one port. It applies if some neighbor is M
/// hops straight along a closed dimension, with a single shortest route. If this neighbor is served in M rounds, every
/// rank sends in that direction in each of them, because all ranks have such a neighbor. Then nothing else moves, and a
/// block for a neighbor that does not lie on that route takes one more round. The result is 0 if there is no such
/// neighbor, or with more ports.
std::int64_t rounds_of_a_straight_way(Torus const& torus, Boundary const& boundary, Neighborhood const& neighborhood,
                                      int ports);

/// Bounds for immediate torus neighbors only. Volume: the moves of one rank's block connect the rank with all its
/// targets, so their number is at least that of the links of a Steiner tree, which has at least one link for each
/// target. This is also the mean over the ranks. Rounds are as for all-to-all.
Bounds allgather_bounds_unit(Torus const& torus, Neighborhood const& neighborhood, int ports);
/// Bounds for any two ranks. Volume: each distinct target receives the block. Rounds are as for all-to-all.
Bounds allgather_bounds_any(Torus const& torus, Neighborhood const& neighborhood, int ports);

/// The bounds on a mesh, or if some dimensions are open and others closed. Volumes: the mean over the ranks and, for
/// all-to-all, the blocks that some rank has to send of its own. On unit links every block of an all-to-all travels its
/// distance, and the moves of a block of an allgather connect a rank with its targets. Rounds: as on the torus, for the
/// rank whose block needs most. If no offset moves along an open dimension, they are the bounds of the torus.
Bounds alltoall_bounds_on_mesh_unit(Torus const& torus, Boundary const& boundary, Neighborhood const& neighborhood,
                                    int ports, std::vector<Bytes> const& sizes = {});
Bounds alltoall_bounds_on_mesh_any(Torus const& torus, Boundary const& boundary, Neighborhood const& neighborhood,
                                   int ports, std::vector<Bytes> const& sizes = {});
Bounds allgather_bounds_on_mesh_unit(Torus const& torus, Boundary const& boundary, Neighborhood const& neighborhood,
                                     int ports);
Bounds allgather_bounds_on_mesh_any(Torus const& torus, Boundary const& boundary, Neighborhood const& neighborhood,
                                    int ports);

/// The links of a smallest tree on the torus that connects rank 0 with its neighbors, or a lower bound of their number.
struct SteinerBound {
  std::int64_t links = 0;
  bool exact = false;
};
/// Limits up to which the tree is found exactly (Dreyfus and Wagner 1971): the ranks of the torus, and 3^targets * p.
inline constexpr int most_steiner_ranks = 1 << 16;
inline constexpr double most_steiner_steps = 5e7;
/// The largest number of targets for which the spanning tree is computed.
inline constexpr int most_spanning_targets = 2048;
/// Beyond these limits, the bound is the largest of these numbers: the distinct targets; the distance of the farthest;
/// the sum over the dimensions of the links that cover the coordinates on their ring; and half the length of a minimum
/// spanning tree of the distances, times t/(t-1) for t terminals. (A walk around a Steiner tree with t leaves, without
/// its longest stretch, is a spanning tree: Kou, Markowsky, Berman 1981.)
SteinerBound steiner_bound(Torus const& torus, Neighborhood const& neighborhood);

}  // namespace rondo::theory
