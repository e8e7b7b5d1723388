#pragma once

// The catalogue of schedule generators: pure functions from a problem to a Schedule, and to the promise that the
// schedule keeps. The generators of collectives on all ranks have a catalogue of their own, problem/catalogue.def.
// collective_of turns a promise without an algorithm into a Collective: for each rank the content of every send slot
// at the start and of every receive slot at the end. Custom schedules are verified against it.

#include <vector>

#include "decomposition/routes.hpp"
#include "generate/classical.hpp"
#include "generate/common_neighbors.hpp"
#include "problem/graph_collectives.hpp"
#include "problem/intergroup.hpp"
#include "problem/isomorphic.hpp"
#include "problem/promise.hpp"
#include "schedule/collective.hpp"
#include "schedule/schedule.hpp"

namespace rondo::generate {

using problem::BlockSizes;
using problem::Broadcast;
using problem::IntraAllgather;

/// Makes the schedule of the algorithm that the problem names, by one of the functions below. Each of those makes the
/// schedule of one algorithm and ignores the member `algorithm`. The graph must have been made
/// (problem/graph_collectives.hpp), and sizes must be numbers, not expressions.
Schedule generate(problem::Isomorphic const& problem);
Schedule generate(problem::Intergroup const& problem);
Schedule generate(problem::Neighbor const& problem);
Schedule generate(problem::SparseOnGraph const& problem);
/// The promise of the problem: the blocks that its schedule must deliver.
Collective promise(problem::Isomorphic const& problem);
Collective promise(problem::Intergroup const& problem);
Collective promise(problem::Neighbor const& problem);
Collective promise(problem::SparseOnGraph const& problem);

// Isomorphic all-to-all and allgather on a torus [Traeff16]. Rank R sends to R (+) C^i, where C^i is offset i of the
// neighborhood. D, V and W are the rounds and volumes of Propositions 1 and 2 (theory/isomorphic.hpp). k is the number
// of ports: the most sends, and receives, of a rank in a round. P and N are the most hops that a block takes in the
// positive and in the negative direction of a dimension. If an offset leads back to the rank itself, its block is
// copied. In an all-to-all each neighbor may have its own block size. With the offsets that shortest_wrap chooses, all
// schedules keep the promise for the given neighborhood.

/// Sends each block directly to R (+) C^i, to k neighbors in a round: ceil(s'/k) rounds for the s' neighbors that are
/// not the rank itself [Traeff16, Listing 4 and Section 3].
Schedule isomorphic_straightforward(problem::Isomorphic const& problem);

/// Posts all messages of the straightforward algorithm in one round, as MPI libraries carry out their neighborhood
/// collectives [Traeff16, Section 4, the baseline].
Schedule isomorphic_posted(problem::Isomorphic const& problem);

/// Message combining along the dimensions in their order, hop by hop between immediate neighbors.
/// All-to-all: D rounds and V blocks, without copies. A block alternates between the receive and the intermediate
/// buffer so that its last hop ends in the receive buffer [Traeff16, Algorithm 1, corrected: a block leaves the send
/// buffer on its first hop only].
/// Allgather: D rounds and W blocks. The hops form the prefix trie of the offsets, so blocks share the hops of a
/// common prefix, and each block is received directly into its receive slot [Traeff16, Section 3.2, corrected].
/// Dimensions of one rank need no hops.
/// On k ports up to k pairs of dimension and direction are used at once (Section 5). The number of rounds never rises
/// with k. For up to 8 neighbors, and unless the search grows too large, it is the smallest for which each block takes
/// its hops in this order (generate/lanes.hpp). `reading` chooses the printed or the repaired text of an
/// all-to-all (problem/isomorphic.hpp).
Schedule isomorphic_dimension_wise(problem::Isomorphic const& problem);

/// Message combining along the dimensions, with one message directly to each different coordinate except 0, in as many
/// rounds [Traeff16, Section 5, torus direct]. An allgather takes coordinates modulo the extents of closed dimensions,
/// so a block is sent once to a rank at which several offsets end. k ports are used as above, with coordinates
/// instead of directions.
Schedule isomorphic_direct(problem::Isomorphic const& problem);

/// Beyond the paper: odd-even pairwise exchange in the dimensions of even extent in which P and N are at least 2. On
/// one port it takes max(P,N)+1 rounds there instead of P+N, with the same V, so Proposition 1 is not round-optimal
/// (docs/notes.md#parity). Ranks of different parity follow different programs. In all other dimensions it works as
/// isomorphic_dimension_wise. On several ports the schedule is that of isomorphic_dimension_wise, unless the exchange
/// on one port takes fewer rounds.
Schedule isomorphic_parity(problem::Isomorphic const& problem);

/// One step for each vector of an additive basis: the basis that is stated, or else the one that
/// decomposition/additive_basis.hpp finds [Traeff16, Section 5]. On one port each step is a round; on k ports up to k
/// steps share a round.
Schedule isomorphic_basis(problem::Isomorphic const& problem);
Schedule isomorphic_basis(problem::Isomorphic const& problem, Decomposition const& basis);

/// For allgather only, and beyond the paper: single hops, on one port in D rounds, in an order in which blocks share
/// more of their routes than in the prefix trie (decomposition/steiner_steps.hpp). On k ports up to k steps share a
/// round. So Proposition 2 is not volume-optimal (docs/notes.md#volume-of-an-allgather).
Schedule isomorphic_steiner(problem::Isomorphic const& problem);
Schedule isomorphic_steiner(problem::Isomorphic const& problem, Decomposition const& steps);

/// The schedule of the problem's algorithm on the closed torus, whatever the problem's boundary. All ranks follow one
/// program, except in isomorphic_parity.
Schedule isomorphic_of_all(problem::Isomorphic const& problem);

/// The schedule on a mesh, which is a torus with open dimensions. Blocks whose origin or target would lie outside are
/// left out, so ranks near the sides follow other programs [Traeff16, Section 7]. `periodic` is an isomorphic schedule,
/// in which all ranks do the same, for fitting(torus, neighborhood) (topology/torus.hpp) and a problem with that
/// boundary. Throws InputError if a block would leave the box between its origin and its target, as with some bases and
/// Steiner steps.
Schedule isomorphic_on_mesh(Schedule const& periodic, Neighborhood const& neighborhood,
                            Boundary const& boundary = Boundary::open);
/// The program of a single rank, computed locally.
Program isomorphic_on_mesh(Schedule const& periodic, Neighborhood const& neighborhood, Rank rank,
                           Boundary const& boundary = Boundary::open);

// Neighborhood collectives on a process graph. In allgather a rank sends its one block to each target, in all-to-all
// one block along each edge. Self loops are copies in round 0. Ports are unlimited: the messages of a round are posted
// at once.

/// Sends every edge as a message of its own, all in one round, as MPI libraries do. This includes parallel edges.
Schedule neighbor_naive(problem::Neighbor const& problem);

/// The naive schedule of a reduction [Traeff21, Section 2]. Arriving blocks are joined in receive slot 0, in the order
/// of the sources, after the rank's own block if it has an edge to itself. Only the graph and the size of the problem
/// matter.
Schedule neighbor_reduction(problem::Neighbor const& problem);

/// A reduction by common neighbors, beyond the paper. It works as neighbor_common_neighbors, but friends join their
/// blocks, so an onloaded neighbor gets one block instead of two. Of parallel edges, all but the first are
/// messages of their own in the last round.
Schedule neighbor_reduction_combined(problem::Neighbor const& problem, CombiningPattern const& pattern);

/// A reduction on a graph that is made of a torus, for every rank or for the root only: the dimension-wise allgather in
/// reverse, with its rounds and volume. Contributions are joined where their routes meet [Traeff19].
Schedule sparse_reduction_dimension_wise(problem::SparseOnGraph const& problem);

/// Combining by common neighbors [Mirsadeghi17, Algorithm 3]. The pattern has iterations 1 to t. Iteration k of a
/// single pattern exchanges blocks between friends in round 2k-1, and sends the combined messages to the onloaded
/// neighbors in round 2k. The remaining blocks are sent in round 2t+1, if there are any. A cumulative pattern exchanges
/// in round k, and sends everything in round t+1. Parallel edges share a message; in allgather it carries the block
/// once, and local copies fill the other slots. The blocks of friends wait in the intermediate buffer. In allgather a
/// friend does not get a block again that it already holds, except for the sender's own block.
Schedule neighbor_common_neighbors(problem::Neighbor const& problem, CombiningPattern const& pattern);

// Inter-group all-to-all broadcast: the block of each of p senders goes to each of q receivers, for any p, q >= 1.
// Sender a_i is rank i, and receiver b_i is rank p + i.
// torus_rings also has other collectives of two groups. On k ports a rank has up to k sends and receives in a round on
// fully connected machines, and one on rings and tori. The promise is IntergroupPromise: the groups, the collective,
// and the pieces of intergroup_pieces. Every broadcast except binomial cuts its message into n segments of ceil(bytes /
// n) bytes; the last ones may be shorter or empty. n is the number r of its ranks, or floor(log2 r) for
// multiple_messages, but at least 1. A round exists even if its messages are empty, so that the number of rounds does
// not depend on the sizes of the blocks.

/// Fully connected [Kang19, Section III]. If p >= q, sender a_i sends to b_i, and then the receivers and the p-q
/// remaining senders allgather. If p < q, each sender broadcasts to every p-th receiver, and then subgroups of p
/// receivers allgather. If p does not divide q, the senders a_j, j >= q mod p, complete the last subgroup.
Schedule intergroup_group_allgather(problem::Intergroup const& problem);

/// Fully connected, p >= q: the alternative that [Kang19, Section III] rejects. Each receiver gets the blocks of p/q
/// senders (some of one more), up to k in a round, and then the receivers allgather. No sender receives a block. On one
/// port it takes ceil(p/q) rounds and those of the allgather, ceil(log2 q) with bruck. Throws InputError for p < q.
Schedule intergroup_receiver_allgather(problem::Intergroup const& problem);

/// Fully connected, as MPI libraries do it: a binomial gather to a_0, one message with all blocks to b_0, and a
/// broadcast among the receivers [Kang19, Section II-A].
Schedule intergroup_root_gathering(problem::Intergroup const& problem);

/// The number of pieces into which the problem's algorithm cuts each block; empty if it cuts no block.
std::vector<int> intergroup_pieces(problem::Intergroup const& problem);

/// On a ring, as a baseline: every block travels around once, to the right, in p+q-1 rounds. It is the allgather of all
/// ranks, in which receivers contribute nothing [Kang19, Table II].
Schedule intergroup_ring_allgather(problem::Intergroup const& problem);

/// On a ring: the message sequences #1 to #4 (the labels of the messages) in p + q/2 rounds [Kang19, Algorithms 1 and
/// 3]. Algorithm 3 (p < q) is repaired in four places, and still sends some blocks twice. As printed, it fails for
/// every p < q. Throws InputError, which names ring_optimal, unless p and q are even.
Schedule intergroup_ring_sequences(problem::Intergroup const& problem);

/// On a ring, beyond the paper: p + ceil(q/2) - 1 rounds (q/2 + 1 if p = 1 and q is even), the fewest with one block in
/// a message. One copy of each block goes to the right, to the first receivers, and another copy to the left, to the
/// others.
Schedule intergroup_ring_optimal(problem::Intergroup const& problem);

/// On a torus, beyond the paper, which names it as future work [Kang19, Section VI]: rings along one dimension after
/// the other, between neighbors only, on one port.
/// - Allgather: ring_optimal along the first dimension; then the receivers gather along the other dimensions.
/// - Exchange: all ranks gather along the first dimension, and then each group along the other dimensions.
/// - Gather and reduce: along both arms of the rings to the first rank of each row, the last dimension first, and then
/// from row to row to the root.
/// - Scatter: a gather in reverse.
Schedule intergroup_torus_rings(problem::Intergroup const& problem);

/// `promise.pieces` states into how many pieces each block is cut; the slots of a block's pieces take the place of its
/// slot. Graphs must already be generated (problem/graph_collectives.hpp). Throws InputError if the contributions to
/// one reduction are cut into different numbers of pieces.
Collective collective_of(problem::Promise const& promise);

}  // namespace rondo::generate
