#pragma once

// Counts of the isomorphic algorithms on a torus or mesh, from the neighborhood alone. A neighborhood has s neighbors,
// and c_j is a coordinate of an offset in dimension j. The prefix trie has a path for each offset, along the
// coordinates in `dimension_order`, which is a permutation of all dimensions. A combining algorithm passes blocks on
// over other ranks.

#include <optional>
#include <vector>

#include "theory/prediction.hpp"
#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo::theory {

/// The size of each neighbor's block. If the list is empty, bytes are not counted and stay 0.
using Sizes = std::vector<Bytes>;

/// D and V of Proposition 1 on this torus [Traeff16, corrected: the largest positive and the largest negative
/// coordinate of each dimension are added]: D = sum_j (max_i max(c_j,0) + max_i max(-c_j,0)), V = sum_i |C^i|_1, both
/// over the dimensions with more than one rank, because a message of a rank to itself does not count.
Counts alltoall_dimension_wise(Torus const& torus, Neighborhood const& neighborhood, Sizes const& sizes = {});
/// D and W of Proposition 2 [Traeff16, corrected]: W = the sum over the nodes of the prefix trie of the largest
/// positive and the largest negative coordinate of its children, whose hops are shared.
Counts allgather_dimension_wise(Torus const& torus, Neighborhood const& neighborhood,
                                std::vector<int> const& dimension_order);

/// The counts of a combining algorithm on k ports.
struct PortedCounts {
  Counts counts;                  ///< the volume is exact in any case
  std::int64_t least_rounds = 0;  ///< a lower bound for all schedules in which each block takes its hops in order
  /// Whether the algorithm takes exactly these rounds and messages, because no schedule takes fewer rounds. If not,
  /// there is no closed form: it takes between least_rounds and counts.rounds.
  bool has_closed_form = true;
};

/// On k ports (0: unlimited) the pairs of dimension and direction (+ before -) that are in use are taken in groups of
/// k' <= k, with the k' that takes the fewest rounds, and the largest of these. Within a group a block takes its hops
/// one after the other. The number of rounds is the sum over the groups of the most hops of a block.
PortedCounts alltoall_dimension_wise_ported(Torus const& torus, Neighborhood const& neighborhood,
                                            std::vector<int> const& dimension_order, int ports,
                                            Sizes const& sizes = {});
PortedCounts allgather_dimension_wise_ported(Torus const& torus, Neighborhood const& neighborhood,
                                             std::vector<int> const& dimension_order, int ports);

/// ceil(s'/k) rounds and s' blocks for the s' neighbors that are not the rank itself [Traeff16, Listing 4]. An
/// allgather has the same counts, because it sends the block to each neighbor.
Counts alltoall_straightforward(Torus const& torus, Neighborhood const& neighborhood, int ports = 1,
                                Sizes const& sizes = {});
Counts allgather_straightforward(Torus const& torus, Neighborhood const& neighborhood, int ports = 1);

/// One round with all s' messages.
Counts alltoall_posted(Torus const& torus, Neighborhood const& neighborhood, Sizes const& sizes = {});
Counts allgather_posted(Torus const& torus, Neighborhood const& neighborhood);
/// The time of messages that are posted at once on a machine with k >= 1 ports; 0 without messages. Each port takes the
/// next message when it is free and, by symmetry, so does the port of the target. `messages` has their sizes in the
/// order of posting.
Seconds posted_time(std::vector<Bytes> const& messages, int ports, Bytes envelope, LinearCost const& cost);

/// One round for each different coordinate other than 0 of each dimension, and one block for each coordinate; 0 is
/// understood modulo the extents [Traeff16, Section 5]. Different integers count as different coordinates.
Counts alltoall_direct(Torus const& torus, Neighborhood const& neighborhood, Sizes const& sizes = {});
/// The same for coordinates modulo the extents: a round for each value other than 0 of each dimension, and a block for
/// each edge of the prefix trie whose coordinate is not 0.
Counts allgather_direct(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& dimension_order);
PortedCounts alltoall_direct_ported(Torus const& torus, Neighborhood const& neighborhood,
                                    std::vector<int> const& dimension_order, int ports, Sizes const& sizes = {});
PortedCounts allgather_direct_ported(Torus const& torus, Neighborhood const& neighborhood,
                                     std::vector<int> const& dimension_order, int ports);

/// Odd-even pairwise exchange, beyond the paper (docs/notes.md#parity). Each dimension of even extent in which it saves
/// a round (P, N >= 2) takes max(P,N)+1 rounds instead of P+N, with the same V; the other dimensions are as in `torus`.
/// In such a dimension half of the blocks of a direction wait for the first round. So in round r a rank passes on the
/// blocks that go r hops or more and those that go r - 1 hops or more in one direction: the largest message of round r
/// has max(F(r) + F(r-1), B(r) + B(r-1)) blocks, where F(r) and B(r) are the numbers of neighbors with at least r >= 1
/// hops in that direction.
Counts alltoall_parity(Torus const& torus, Neighborhood const& neighborhood, Sizes const& sizes = {});
/// The same for the block that goes to all neighbors. From a node of the prefix trie it goes as far as the farthest
/// child in each direction. So F(r) and B(r) count nodes, and V is that of allgather_dimension_wise.
Counts allgather_parity(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& dimension_order);
/// The exchange needs one port. On more ports `torus` replaces it, unless that takes more rounds.
PortedCounts alltoall_parity_ported(Torus const& torus, Neighborhood const& neighborhood,
                                    std::vector<int> const& dimension_order, int ports, Sizes const& sizes = {});
PortedCounts allgather_parity_ported(Torus const& torus, Neighborhood const& neighborhood,
                                     std::vector<int> const& dimension_order, int ports);

/// Counts on a mesh, where ranks send different numbers of blocks.
struct MeshCounts {
  std::optional<std::int64_t> rounds;  ///< unset if there is no closed form
  std::int64_t volume_blocks = 0;      ///< of the rank that sends most
  std::int64_t total_blocks = 0;       ///< blocks sent by all ranks
  Bytes volume_bytes;                  ///< with sizes: of the rank that sends most
};
/// The algorithms on the open torus. Offsets that do not fit are left out, and, at each rank, blocks whose origin or
/// target would lie outside. This saves no round, because each kind of block exists somewhere on the mesh.
MeshCounts alltoall_dimension_wise_on_mesh(Torus const& torus, Neighborhood const& neighborhood,
                                           std::vector<int> const& dimension_order, int ports, Sizes const& sizes = {});
MeshCounts allgather_dimension_wise_on_mesh(Torus const& torus, Neighborhood const& neighborhood,
                                            std::vector<int> const& dimension_order, int ports);
MeshCounts alltoall_direct_on_mesh(Torus const& torus, Neighborhood const& neighborhood,
                                   std::vector<int> const& dimension_order, int ports, Sizes const& sizes = {});
MeshCounts allgather_direct_on_mesh(Torus const& torus, Neighborhood const& neighborhood,
                                    std::vector<int> const& dimension_order, int ports);
/// For all-to-all and allgather. `posted` is the same with ports = 0.
MeshCounts straightforward_on_mesh(Torus const& torus, Neighborhood const& neighborhood, int ports,
                                   Sizes const& sizes = {});

}  // namespace rondo::theory
