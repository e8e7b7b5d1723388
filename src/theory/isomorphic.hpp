#pragma once

// Counts of the isomorphic algorithms on a torus, from the neighborhood alone.

#include <optional>
#include <vector>

#include "theory/cost.hpp"
#include "topology/mesh.hpp"
#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo::theory {

/// One size a neighbor, or empty: then nothing is said of bytes.
using Sizes = std::vector<Bytes>;

/// D and V of Proposition 1 on this torus [Traeff16, corrected: the largest positive and the largest negative
/// coordinate of each dimension are added]: D = sum_j (max_i max(c_j,0) + max_i max(-c_j,0)), V = sum_i |C^i|_1, both
/// over the dimensions with more than one rank, because a message of a rank to itself does not count.
Counts alltoall_dimension_wise(Torus const& torus, Neighborhood const& neighborhood, Sizes const& sizes = {});
/// D and W of Proposition 2 [Traeff16, corrected]: W = the sum over the nodes of the prefix trie of the largest
/// positive and the largest negative coordinate of its children, whose hops are shared.
Counts allgather_dimension_wise(Torus const& torus, Neighborhood const& neighborhood,
                                std::vector<int> const& dimension_order);

/// What a combining algorithm takes on k ports.
struct PortedCounts {
  Counts counts;                  ///< the volume is right in any case
  std::int64_t least_rounds = 0;  ///< no schedule in which each block takes its hops in their order takes fewer
  /// Whether the algorithm takes these rounds, with these messages, since nothing takes fewer. Else there is no closed
  /// form: it takes from least_rounds to counts.rounds.
  bool known = true;
};

/// On k ports (0: unlimited) the pairs of dimension and direction (+ before -) that are in use are taken k' <= k at a
/// time, with the k' that takes the fewest rounds, the largest of those. In a group a block takes its hops one after
/// the other: rounds = sum over the groups of the most hops of a block.
PortedCounts alltoall_dimension_wise_ported(Torus const& torus, Neighborhood const& neighborhood,
                                            std::vector<int> const& dimension_order, int ports,
                                            Sizes const& sizes = {});
PortedCounts allgather_dimension_wise_ported(Torus const& torus, Neighborhood const& neighborhood,
                                             std::vector<int> const& dimension_order, int ports);

/// ceil(s'/k) rounds and s' blocks for the s' neighbors that are not the rank itself [Traeff16, Listing 4]; the same
/// for allgather, which sends the block to each.
Counts alltoall_straightforward(Torus const& torus, Neighborhood const& neighborhood, int ports = 1,
                                Sizes const& sizes = {});
Counts allgather_straightforward(Torus const& torus, Neighborhood const& neighborhood, int ports = 1);

/// One round with all s' messages.
Counts alltoall_posted(Torus const& torus, Neighborhood const& neighborhood, Sizes const& sizes = {});
Counts allgather_posted(Torus const& torus, Neighborhood const& neighborhood);
/// The time of messages that are posted at once on a machine with k ports: each port takes the next one when it is
/// free, and by symmetry so does the target's. `messages`: their sizes in the order of posting.
Seconds posted_time(std::vector<Bytes> const& messages, int ports, Bytes envelope, LinearCost const& cost);

/// As many rounds as there are coordinates but 0 in the dimensions, and as many blocks as coordinates, both modulo the
/// extents for 0 [Traeff16, Section 5]. Coordinates that are different integers count as different.
Counts alltoall_direct(Torus const& torus, Neighborhood const& neighborhood, Sizes const& sizes = {});
/// The same for the coordinates modulo the extents: a round for each but 0 of each dimension, and a block for each edge
/// of the prefix trie whose coordinate is not 0.
Counts allgather_direct(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& dimension_order);
PortedCounts alltoall_direct_ported(Torus const& torus, Neighborhood const& neighborhood,
                                    std::vector<int> const& dimension_order, int ports, Sizes const& sizes = {});
PortedCounts allgather_direct_ported(Torus const& torus, Neighborhood const& neighborhood,
                                     std::vector<int> const& dimension_order, int ports);

/// Odd-even pairwise exchange, beyond the paper (docs/notes.md#parity): max(P,N)+1 rounds instead of P+N in each
/// dimension of even extent where that is fewer (P, N >= 2), and the same V; the other dimensions as `torus`. In such a
/// dimension half of the blocks of a direction wait for the first round, so in round r a rank passes on those with r
/// and those with r-1 hops to go: the largest message of round r has max(F(r) + F(r-1), B(r) + B(r-1)) blocks, where
/// F(r) and B(r) are the neighbors with at least r >= 1 hops that way.
Counts alltoall_parity(Torus const& torus, Neighborhood const& neighborhood, Sizes const& sizes = {});
/// The same for the block that all neighbors want: it goes as far from each node of the prefix trie, so that F(r) and
/// B(r) are nodes, and V is that of allgather_dimension_wise.
Counts allgather_parity(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& dimension_order);
/// The exchange needs one port. On more it is left for `torus` on all of them, unless that takes more rounds.
PortedCounts alltoall_parity_ported(Torus const& torus, Neighborhood const& neighborhood,
                                    std::vector<int> const& dimension_order, int ports, Sizes const& sizes = {});
PortedCounts allgather_parity_ported(Torus const& torus, Neighborhood const& neighborhood,
                                     std::vector<int> const& dimension_order, int ports);

/// What ranks do on a mesh, where they differ.
struct MeshCounts {
  std::optional<std::int64_t> rounds;  ///< unset: not known
  std::int64_t volume_blocks = 0;      ///< most blocks any rank sends
  std::int64_t total_blocks = 0;       ///< blocks sent by all ranks
  Bytes volume_bytes;                  ///< with sizes: most bytes any rank sends
};
/// The algorithms on the open torus: offsets that do not fit are left out, and at each rank the blocks whose origin or
/// target would lie outside. What is left out saves no round: somewhere on the mesh each kind of block exists.
MeshCounts alltoall_dimension_wise_on_mesh(Torus const& torus, Neighborhood const& neighborhood,
                                           std::vector<int> const& dimension_order, int ports, Sizes const& sizes = {});
MeshCounts allgather_dimension_wise_on_mesh(Torus const& torus, Neighborhood const& neighborhood,
                                            std::vector<int> const& dimension_order, int ports);
MeshCounts alltoall_direct_on_mesh(Torus const& torus, Neighborhood const& neighborhood,
                                   std::vector<int> const& dimension_order, int ports, Sizes const& sizes = {});
MeshCounts allgather_direct_on_mesh(Torus const& torus, Neighborhood const& neighborhood,
                                    std::vector<int> const& dimension_order, int ports);
/// For all-to-all and allgather; `posted` is the same with ports 0.
MeshCounts straightforward_on_mesh(Torus const& torus, Neighborhood const& neighborhood, int ports,
                                   Sizes const& sizes = {});

}  // namespace rondo::theory
