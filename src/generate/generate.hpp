#pragma once

// The catalogue of schedule generators: pure functions from a problem to a Schedule.

#include <vector>

#include "base/units.hpp"
#include "generate/block_sizes.hpp"
#include "schedule/schedule.hpp"
#include "topology/decomposition.hpp"
#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo::generate {

// Isomorphic all-to-all and allgather on a torus [Traeff16]. `dimension_order` is a permutation of 0 .. d-1
// (topology/dimension_order.hpp); `ports` is k, the most sends and receives a rank posts in a round, 0: unlimited. What
// leads back to the rank itself is a local copy. An all-to-all may give each neighbor its own block size.
// With topology/equivalent.hpp's shortest_wrap(neighborhood) in place of the neighborhood all of them keep their promise.

/// Each block straight to R (+) C^i, k neighbors a round: ceil(s'/k) rounds for the s' that are not the rank itself
/// [Traeff16, Listing 4 and Section 3].
Schedule isomorphic_alltoall_straightforward(Torus const& torus, Neighborhood const& neighborhood,
                                             BlockSizes const& sizes, int ports = 1);
Schedule isomorphic_allgather_straightforward(Torus const& torus, Neighborhood const& neighborhood, Bytes block,
                                              int ports = 1);

/// All messages of the straightforward algorithm in one round, as MPI libraries do their neighborhood collectives
/// [Traeff16, Section 4, the baseline].
Schedule isomorphic_alltoall_posted(Torus const& torus, Neighborhood const& neighborhood, BlockSizes const& sizes);
Schedule isomorphic_allgather_posted(Torus const& torus, Neighborhood const& neighborhood, Bytes block);

/// Message combining along the dimensions in their order, hop by hop between immediate neighbors: D rounds and V
/// blocks, without copies: a block alternates between the receive and the intermediate buffer so that its last hop
/// ends in the receive buffer [Traeff16, Algorithm 1, corrected: a block leaves the send buffer on its first hop only].
/// Dimensions of one rank need no hops. On k ports k pairs of dimension and direction are used at once (Section 5).
Schedule isomorphic_alltoall_torus(Torus const& torus, Neighborhood const& neighborhood, BlockSizes const& sizes,
                                   std::vector<int> const& dimension_order, int ports = 1);
/// The same for allgather: D rounds and W blocks, the hops of the prefix trie, which the children of a node share; each
/// block is received straight into its receive slot [Traeff16, Section 3.2, corrected].
Schedule isomorphic_allgather_torus(Torus const& torus, Neighborhood const& neighborhood, Bytes block,
                                    std::vector<int> const& dimension_order, int ports = 1);

/// Message combining along the dimensions, one message straight to each different coordinate but 0: as many rounds
/// [Traeff16, Section 5, torus direct].
Schedule isomorphic_alltoall_direct(Torus const& torus, Neighborhood const& neighborhood, BlockSizes const& sizes,
                                    std::vector<int> const& dimension_order, int ports = 1);
Schedule isomorphic_allgather_direct(Torus const& torus, Neighborhood const& neighborhood, Bytes block,
                                     std::vector<int> const& dimension_order, int ports = 1);

/// One round for each vector of an additive basis (topology/additive_basis.hpp) [Traeff16, Section 5].
Schedule isomorphic_alltoall_basis(Torus const& torus, Decomposition const& basis, BlockSizes const& sizes,
                                   int ports = 1);
Schedule isomorphic_allgather_basis(Torus const& torus, Decomposition const& basis, Bytes block, int ports = 1);

}  // namespace rondo::generate
