#pragma once

// A Collective is a promise that is independent of any schedule: what each rank holds at the start, and what must
// lie in its receive buffer at the end. `verify` replays a schedule against it and knows no algorithm.
//
// Every slot is owed the join of the contributions of some ranks to one block. The contribution of a single rank is
// its block as it was sent. A reduction over ranks R is the join of what they hold under the same block number:
// Content{r, block} for r in R.

#include <cstdint>
#include <variant>
#include <vector>

#include "base/ids.hpp"
#include "topology/classical_collective.hpp"
#include "topology/groups.hpp"
#include "topology/neighborhood.hpp"
#include "topology/process_graph.hpp"
#include "topology/stated_promise.hpp"
#include "topology/torus.hpp"

namespace rondo {

/// Every rank R sends its block i to R (+) C^i: send slot i of R ends in receive slot i of R (+) C^i
/// [Traeff16, Section 2]. On an open torus a block whose target falls outside goes nowhere, and a receive slot whose
/// source falls outside is nobody's.
struct IsomorphicAlltoall {
  Torus torus;
  Neighborhood neighborhood;
  Boundary boundary = Boundary::periodic;
};

/// Every rank R sends its one block, in send slot 0, to all R (+) C^i: receive slot i of R gets the block of R (-) C^i
/// [Traeff16, Section 2]. Open tori as above.
struct IsomorphicAllgather {
  Torus torus;
  Neighborhood neighborhood;
  Boundary boundary = Boundary::periodic;
};

/// What passes between two groups (topology/groups.hpp). In an allgather senders are owed nothing [Kang19, Section
/// III]. A block of it may be cut in pieces: block i in pieces[i] >= 1 of them, or `pieces` is empty and every block is
/// whole. Send slot k of sender i holds its piece k; the receive slots hold the pieces by sender, then by piece: whole
/// block i in slot i. So do the receive slots of an exchange, of the ranks of the other group, and of the root of a
/// gather. In a scatter send slot i of the root comes to receive slot 0 of receiver i; in a reduce the root is owed
/// block 0 of all senders, joined, in receive slot 0.
struct IntergroupPromise {
  Groups groups;
  std::vector<int> pieces = {};
  IntergroupCollective collective = IntergroupCollective::allgather;
};

/// Every rank sends its one block, in send slot 0, along all its edges: receive slot j of R gets the block of its j-th
/// source (MPI_Neighbor_allgather).
struct NeighborAllgather {
  ProcessGraph graph;
};

/// Every rank sends its block i along the edge to its i-th target, to the receive slot of that edge there
/// (MPI_Neighbor_alltoall).
struct NeighborAlltoall {
  ProcessGraph graph;
};

/// Every rank contributes its one block, in send slot 0, along all its edges: receive slot 0 of R gets the reduction of
/// the blocks of its sources, of each as often as it is one; a rank without sources is owed nothing. The operator
/// commutes (a neighborhood reduction as [Traeff21, Section 2] has it).
struct NeighborReduction {
  ProcessGraph graph;
};

/// A collective of MPI on all ranks. In a bcast the send buffer of the root holds its vector, cut in `pieces` blocks,
/// that the receive buffers of all other ranks get. In a gather and an allgather every rank has one block in send slot
/// 0, that of rank i comes to receive slot i of the root or of all ranks, its own too. In a scatter send slot i of the
/// root comes to receive slot 0 of rank i, and in an alltoall send slot i of rank R to receive slot R of rank i.
///
/// In reductions send slot k of every rank holds its contribution to block k. In a reduce, of vectors cut in `pieces`
/// blocks, the root is owed each of them from all ranks, in receive slot k, in an allreduce and a barrier every rank;
/// in a scan rank r is owed it from the ranks 0 to r, in an exscan from those before r. In a reduce_scatter there is a
/// block for each rank, and rank i is owed block i from all ranks in receive slot 0.
struct Classical {
  ClassicalCollective collective = ClassicalCollective::bcast;
  int ranks = 1;
  Rank root{0};
  std::uint32_t pieces = 1;
  ReductionRules rules = {};
};

using Collective = std::variant<IsomorphicAlltoall, IsomorphicAllgather, IntergroupPromise, NeighborAllgather,
                                NeighborAlltoall, NeighborReduction, Classical, StatedPromise>;

/// The number of ranks.
int ranks(Collective const& collective);
/// The blocks in the send buffer of `rank` at the start, by slot.
std::vector<Content> held(Collective const& collective, Rank rank);
/// What must lie in the receive buffer of `rank` at the end, by slot.
std::vector<Owed> owed(Collective const& collective, Rank rank);
/// The rules by which contributions may be joined; those of collectives that do not reduce have no effect.
ReductionRules reduction_rules(Collective const& collective);
/// The most contributions that a slot is owed, or more than that.
std::size_t longest_reduction(Collective const& collective);
/// The promise with its blocks cut: those of rank r into pieces[r] >= 1 pieces each, or all of them into the only
/// number of `pieces`. The pieces of a block lie in successive slots, in the place of the block's slot. A piece of a
/// reduction is the reduction of pieces. Throws InputError if contributions to one reduction are cut into different
/// numbers of pieces.
Collective in_pieces(Collective const& collective, std::vector<int> const& pieces);
/// Whether the promise looks the same from every rank under the translations of `torus`.
bool same_from_every_rank(Collective const& collective, Torus const& torus);

}  // namespace rondo
