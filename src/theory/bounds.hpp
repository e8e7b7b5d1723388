#pragma once

// Lower bounds that hold for every schedule of a link class.

#include "theory/cost.hpp"
#include "theory/prediction.hpp"
#include "topology/mesh.hpp"
#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo::theory {

/// Lower bounds that hold for every schedule of a link class on a machine with `ports` send and receive ports a rank.
struct Bounds {
  std::int64_t rounds = 0;
  std::int64_t volume_blocks = 0;  ///< sent by the rank that sends most
  std::int64_t chain = 0;          ///< messages of which each can start only when the one before has arrived
  Bytes volume_bytes = {};         ///< 0 unless block sizes were given
};
/// No schedule is faster: a chain of messages with a block each, and all the blocks of a rank through its ports after
/// one start-up: max(chain (alpha + beta m), alpha + beta m volume / ports); 0 without blocks.
TimeBound time_bound(Bounds const& bounds, Bytes block, int ports, LinearCost const& cost);
/// The bound with block sizes: the chain carries at least the smallest block.
TimeBound time_bound_irregular(Bounds const& bounds, Bytes smallest, int ports, LinearCost const& cost);

// One bound a problem and link class, the strongest that is proved here. What holds for messages between any two ranks
// holds for those between immediate neighbors too, and is part of their bounds.

/// Messages between immediate torus neighbors only. Volume: the sum of the torus distances (the mean over the ranks,
/// so some rank sends as much), never less than with any links, as no target is nearer than one hop. Rounds: as fast as
/// a block can spread among neighbors (rounds_to_reach in spreading.hpp: never less than the largest distance, nor than
/// with any links); on one port also what a straight way takes (rounds_of_a_straight_way). `sizes` has one
/// entry for each neighbor, or is empty.
Bounds alltoall_bounds_unit(Torus const& torus, Neighborhood const& neighborhood, int ports,
                            std::vector<Bytes> const& sizes = {});
/// Messages between any two ranks. Volume: the blocks that do not stay. Rounds: the number of ranks that hold a block
/// of one origin grows at most (ports + 1)-fold in a round: ceil(log_(ports+1)(s' + 1)) with s' distinct targets.
Bounds alltoall_bounds_any(Torus const& torus, Neighborhood const& neighborhood, int ports,
                           std::vector<Bytes> const& sizes = {});

/// Rounds that any schedule takes on links between immediate neighbors with one port, because of a neighbor M hops
/// straight along a closed dimension, on a single shortest way. If it is served in M rounds, every rank sends that way
/// in each of them, as all ranks have such a neighbor; then nothing else moves, and a block for a neighbor that does
/// not lie on that way takes a round more. 0 where there is none, or with more ports.
std::int64_t rounds_of_a_straight_way(Torus const& torus, Boundary const& boundary, Neighborhood const& neighborhood,
                                      int ports);

/// Immediate torus neighbors only. Volume: the moves of one rank's block join the rank and all its targets, so there
/// are at least as many as links in a Steiner tree of them, which has at least one for each target; that is the mean
/// over the ranks. Rounds as for all-to-all.
Bounds allgather_bounds_unit(Torus const& torus, Neighborhood const& neighborhood, int ports);
/// Any two ranks. Volume: each distinct target receives the block. Rounds as for all-to-all.
Bounds allgather_bounds_any(Torus const& torus, Neighborhood const& neighborhood, int ports);

/// The bounds on a mesh, or where some dimensions are open and others closed. Volumes: the mean over the ranks, and for
/// all-to-all what some rank has to send of its own. On unit links every block of an all-to-all travels its distance,
/// and the moves of an allgather's join a rank with its targets. Rounds: as on the torus, of the rank whose block needs
/// most. Where no offset moves along an open dimension: the bounds of the torus.
Bounds alltoall_bounds_on_mesh_unit(Torus const& torus, Boundary const& boundary, Neighborhood const& neighborhood,
                                    int ports, std::vector<Bytes> const& sizes = {});
Bounds alltoall_bounds_on_mesh_any(Torus const& torus, Boundary const& boundary, Neighborhood const& neighborhood,
                                   int ports, std::vector<Bytes> const& sizes = {});
Bounds allgather_bounds_on_mesh_unit(Torus const& torus, Boundary const& boundary, Neighborhood const& neighborhood,
                                     int ports);
Bounds allgather_bounds_on_mesh_any(Torus const& torus, Boundary const& boundary, Neighborhood const& neighborhood,
                                    int ports);

/// The links of a smallest tree on the torus that joins rank 0 with its neighbors, or less.
struct SteinerBound {
  std::int64_t links = 0;
  bool exact = false;
};
/// Up to which the tree is found exactly (Dreyfus and Wagner 1971): ranks of the torus, and 3^targets * p.
inline constexpr int most_steiner_ranks = 1 << 16;
inline constexpr double most_steiner_steps = 5e7;
/// Up to so many targets the spanning tree is looked at.
inline constexpr int most_spanning_targets = 2048;
/// Beyond these limits the largest of: the distinct targets; the farthest; the sum over the dimensions of the links
/// that cover the coordinates on their ring; half a minimum spanning tree of the distances, times t/(t-1) for t
/// terminals (a tree with t leaves, walked around, less its longest stretch, is a spanning tree: Kou, Markowsky, Berman
/// 1981).
SteinerBound steiner_bound(Torus const& torus, Neighborhood const& neighborhood);

}  // namespace rondo::theory
