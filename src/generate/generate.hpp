#pragma once

// The catalogue of schedule generators: pure functions from a problem to a Schedule, and to the promise that it keeps.
// The generators of collectives on all ranks have a catalogue of their own, classical.hpp.

#include <vector>

#include "decomposition/decomposition.hpp"
#include "generate/classical.hpp"
#include "generate/common_neighbors.hpp"
#include "problem/graph_collectives.hpp"
#include "problem/intergroup.hpp"
#include "problem/isomorphic.hpp"
#include "schedule/collective.hpp"
#include "schedule/schedule.hpp"

namespace rondo::generate {

using problem::BlockSizes;
using problem::Broadcast;
using problem::IntraAllgather;

/// What the problem's algorithm does: of the functions below, which each make the schedule of one algorithm whatever
/// `algorithm` says, the one that the problem names. Graphs have been made (problem/graph_source.hpp), and sizes are no
/// expressions any more.
Schedule generate(problem::Isomorphic const& problem);
Schedule generate(problem::Intergroup const& problem);
Schedule generate(problem::Neighbor const& problem);
Schedule generate(problem::SparseOnGraph const& problem);
/// What such a schedule must deliver.
Collective promise(problem::Isomorphic const& problem);
Collective promise(problem::Intergroup const& problem);
Collective promise(problem::Neighbor const& problem);
Collective promise(problem::SparseOnGraph const& problem);

// Isomorphic all-to-all and allgather on a torus [Traeff16]. What leads back to the rank itself is a local copy. An
// all-to-all may give each neighbor its own block size. With the offsets that shortest_wrap chooses all of them keep
// their promise to the given neighborhood.

/// Each block straight to R (+) C^i, k neighbors a round: ceil(s'/k) rounds for the s' that are not the rank itself
/// [Traeff16, Listing 4 and Section 3].
Schedule isomorphic_straightforward(problem::Isomorphic const& problem);

/// All messages of the straightforward algorithm in one round, as MPI libraries do their neighborhood collectives
/// [Traeff16, Section 4, the baseline].
Schedule isomorphic_posted(problem::Isomorphic const& problem);

/// Message combining along the dimensions in their order, hop by hop between immediate neighbors. All-to-all: D rounds
/// and V blocks, without copies: a block alternates between the receive and the intermediate buffer so that its last
/// hop ends in the receive buffer [Traeff16, Algorithm 1, corrected: a block leaves the send buffer on its first hop
/// only]. Allgather: D rounds and W blocks, the hops of the prefix trie, which the children of a node share; each block
/// is received straight into its receive slot [Traeff16, Section 3.2, corrected]. Dimensions of one rank need no hops.
/// On k ports up to k pairs of dimension and direction are used at once (Section 5), in as few rounds as can be found,
/// which never rise with k; up to 8 neighbors in the fewest of all in which each block takes its hops in this order
/// (generate/lane_rounds.hpp). An all-to-all may be read as it is printed (problem/isomorphic.hpp).
Schedule isomorphic_dimension_wise(problem::Isomorphic const& problem);

/// Message combining along the dimensions, one message straight to each different coordinate but 0: as many rounds
/// [Traeff16, Section 5, torus direct]. An allgather takes coordinates modulo the extents of closed dimensions, so that
/// a block is sent once to a rank at which several offsets end. On k ports as above, with a coordinate for a direction.
Schedule isomorphic_direct(problem::Isomorphic const& problem);

/// Beyond the paper: odd-even pairwise exchange in the dimensions of even extent in which blocks go
/// both ways, with max(P,N)+1 rounds instead of P+N, and the same V on one port: Proposition 1 is not round-optimal
/// (docs/notes.md#parity). Ranks of different parity follow different programs. On odd extents, and on several ports
/// unless the exchange takes fewer rounds on one, as `torus`.
Schedule isomorphic_parity(problem::Isomorphic const& problem);

/// One round for each vector of an additive basis: the one that is stated, or else the one that
/// decomposition/additive_basis.hpp finds [Traeff16, Section 5].
Schedule isomorphic_basis(problem::Isomorphic const& problem);
Schedule isomorphic_basis(problem::Isomorphic const& problem, Decomposition const& basis);

/// Allgather alone, beyond the paper: D rounds of single hops in an order that lets blocks share more of their ways
/// than the prefix trie does (decomposition/steiner_steps.hpp): Proposition 2 is not volume-optimal
/// (docs/notes.md#volume-of-an-allgather).
Schedule isomorphic_steiner(problem::Isomorphic const& problem);
Schedule isomorphic_steiner(problem::Isomorphic const& problem, Decomposition const& steps);

/// The schedule of the problem's algorithm on the closed torus, where all ranks do the same.
Schedule isomorphic_of_all(problem::Isomorphic const& problem);

/// The schedule on a mesh, a torus with open dimensions: blocks whose origin or target lies outside are left out, and
/// ranks near the sides follow programs of their own [Traeff16, Section 7]. `periodic` is an isomorphic schedule for
/// fitting(torus, neighborhood) (topology/mesh.hpp) and a problem with that boundary, in which all ranks do the same.
/// Throws InputError if a block would not stay between its origin and its target, as with some bases and Steiner steps.
Schedule isomorphic_on_mesh(Schedule const& periodic, Neighborhood const& neighborhood,
                            Boundary const& boundary = Boundary::open);
/// The program of one rank alone, computed locally.
Program isomorphic_on_mesh(Schedule const& periodic, Neighborhood const& neighborhood, Rank rank,
                           Boundary const& boundary = Boundary::open);

// Neighborhood collectives on a process graph. In allgather a rank sends its one block to each target, in all-to-all
// one block along each edge. Self loops are copies in round 0. Ports are unlimited: the messages of a round are posted
// at once.

/// Every edge is a message of its own, all in one round, as MPI libraries do; parallel edges too.
Schedule neighbor_naive(problem::Neighbor const& problem);

/// The naive schedule of a reduction [Traeff21, Section 2]: what arrives is joined in receive slot 0, in the order of
/// the sources, behind the rank's own block where it has an edge to itself. Of the problem only the graph and the size
/// count.
Schedule neighbor_reduction(problem::Neighbor const& problem);

/// A reduction by common neighbors, beyond the paper: as neighbor_common_neighbors, but that friends join their blocks,
/// so that an onloaded neighbor gets one block for two. Of parallel edges the further ones are messages of their own in
/// the last round.
Schedule neighbor_reduction_combined(problem::Neighbor const& problem, CombiningPattern const& pattern);

/// A reduction on a graph that is made of a torus, for every rank, or for the root alone: the dimension-wise allgather
/// backwards, with its rounds and volume. Contributions are joined where their ways meet [Traeff19].
Schedule sparse_reduction_dimension_wise(problem::SparseOnGraph const& problem);

/// [Mirsadeghi17, Algorithm 3] Iteration k of a single pattern exchanges blocks between friends in round 2k-1 and sends
/// the onloaded neighbors the combined messages in round 2k; what is left goes out in round 2t+1, where there is any. A
/// cumulative pattern exchanges in round k, and sends all in round t+1. Parallel edges share a message; in allgather it
/// carries the block once, and local copies fill the other slots. Friends' blocks wait in the intermediate buffer; in
/// allgather a friend is not sent again what it holds already, but for the sender's own block.
Schedule neighbor_common_neighbors(problem::Neighbor const& problem, CombiningPattern const& pattern);

// Inter-group all-to-all broadcast: the block of each of p senders goes to each of q receivers, any p, q >= 1; with
// torus_rings other collectives of two groups too. On k ports up to k sends and receives a rank and round on fully
// connected machines, one on rings and tori. The promise is
// IntergroupPromise{groups}, with the pieces of intergroup_pieces where a broadcast by scatter and allgather cuts
// blocks; the segment of a cut is ceil(bytes / ranks of the broadcast), the last ones may be shorter or empty. A round
// is taken even if its messages are empty, so that the rounds do not depend on m.

/// Fully connected [Kang19, Section III]. p >= q: a_i sends to b_i, then the receivers and the p-q senders left
/// allgather. p < q: each sender broadcasts to every p-th receiver, then subgroups of p receivers allgather; if p does
/// not divide q, the senders a_j, j >= q mod p, fill the last one.
Schedule intergroup_group_allgather(problem::Intergroup const& problem);

/// Fully connected, p >= q: the alternative that [Kang19, Section III] sets aside. Each receiver takes the blocks of
/// p/q senders (some one more), one a round, then the receivers allgather: no block is sent where it is not needed, but
/// it takes ceil(p/q) + ceil(log2 q) rounds. Throws InputError for p < q.
Schedule intergroup_receiver_allgather(problem::Intergroup const& problem);

/// Fully connected, what MPI libraries do: a binomial gather to a_0, all blocks in one message to b_0, a broadcast
/// among the receivers [Kang19, Section II-A].
Schedule intergroup_root_gathering(problem::Intergroup const& problem);

/// How many pieces the problem's algorithm cuts each block in; empty if it cuts no block.
std::vector<int> intergroup_pieces(problem::Intergroup const& problem);

/// Ring, the baseline: every block travels once around, to the right, in p+q-1 rounds. The allgather of all ranks in
/// which receivers have nothing to give [Kang19, Table II].
Schedule intergroup_ring_allgather(problem::Intergroup const& problem);

/// Ring: the message sequences #1 to #4 (the labels of the messages) in p + q/2 rounds [Kang19, Algorithms 1 and 3].
/// Algorithm 3 (p < q) is repaired in four places, and still sends some blocks twice. Printed, it fails for every p <
/// q. Throws InputError that names ring_optimal unless p and q are even.
Schedule intergroup_ring_sequences(problem::Intergroup const& problem);

/// Ring, beyond the paper: p + ceil(q/2) - 1 rounds (q/2 + 1 if p = 1 and q is even), the fewest with one block a
/// message. A copy of each block goes right to the first receivers, another one left to the others.
Schedule intergroup_ring_optimal(problem::Intergroup const& problem);

/// Torus, beyond the paper, which names it as future work [Kang19, Section VI]: rings along one dimension after the
/// other, between neighbors only, on one port. Allgather: ring_optimal along the first dimension, then the receivers
/// gather along the others. Exchange: all ranks gather along the first dimension, then each group along the others.
/// Gather, and reduce: along both arms of the rings to the first rank of each row, the last dimension first, then from
/// row to row to the root; scatter: a gather backwards.
Schedule intergroup_torus_rings(problem::Intergroup const& problem);

}  // namespace rondo::generate
