#pragma once

// The catalogue of the collectives on all ranks: a function for each collective, and a description of each of its
// algorithms. The number of ranks is p, and L = ceil(log2 p). Ranks are counted from the root: v = (rank - root) mod p.
// Some algorithms only allow certain numbers of ranks, which problem::expect_ranks_fit lists. Messages that are posted
// at once belong to one round. Unless stated otherwise, a rank sends and receives one message in a round. OMPI stands
// for Open MPI's coll/base, and MPICH for MPICH's src/mpi/coll.

#include "problem/classical.hpp"
#include "schedule/collective.hpp"
#include "schedule/schedule.hpp"

namespace rondo::generate {

/// The schedule of the problem's algorithm. Throws InputError for a number of ranks that it does not know.
Schedule generate(problem::Classical const& problem);
/// The promise of the problem: the blocks that its schedule must deliver.
Collective promise(problem::Classical const& problem);

namespace classical {

/// The vector of the root comes to all others.
///
/// - linear: straight from the root, p-1 messages at once (OMPI basic_linear).
/// - chain: down `radix` chains of equal length; pipeline: down one. A rank sends a segment on while the next one comes
///   (OMPI chain, pipeline).
/// - binary: down a binary tree, segment by segment, to both children at once (OMPI bintree).
/// - split_binary: the halves of the vector down the two subtrees of the binary tree, then pairs of one rank of each
///   exchange them in a round; with even p the last rank gets its second half from the root (OMPI split_bintree).
/// - binomial: down the binomial tree, L rounds, far ranks first (MPICH binomial) or near ranks first (OMPI binomial);
///   with segments, or with Children::at_once, to all children in a round (as OMPI posts them), as many as the height.
/// - knomial: down the tree of radix k, ceil(log_k p) rounds of up to k-1 messages at once (OMPI knomial).
/// - double_tree: one half of the vector down each of two binary trees, of which the inner nodes of one are leaves of
///   the other, segment by segment [Sanders09].
/// - scatter_allgather: p parts down the binomial tree, then an allgather of them by recursive doubling;
///   scatter_ring_allgather: or by the ring [Thakur05, Section 4.3].
/// - circulant: n segments over a circulant graph with skips 1, ..., ceil(p/4), ceil(p/2) in n-1+L rounds, as few as
///   there can be for any p, by the receive schedules of [Traeff23].
/// - bine: down the Bine tree, L rounds; bine_scatter_allgather: p parts down it, then the Bine butterfly backwards,
///   without messages to ranks that have the data [Desensi25].
Schedule bcast(problem::Classical const& problem);

/// The block of every rank comes to the root.
///
/// - linear: straight, p-1 messages at once (OMPI basic_linear).
/// - linear_sync: one rank after the other, which waits for a message without bytes from the root (OMPI linear_sync).
/// - binomial: up the binomial tree, L rounds, near ranks first, each rank hands in what it has got (MPICH, OMPI).
/// - knomial: the same with radix k; the ranks of a round come at once.
/// - bine: up the Bine tree [Desensi25].
Schedule gather(problem::Classical const& problem);

/// Every rank gets its own block from the root: linear, binomial, knomial and bine as gather, backwards in time.
///
/// - linear_nb: straight, `radix` at once, all by default (OMPI linear_nb, whose max_requests that is). Open MPI waits
///   for one message of each such window; here all of a round end before the next.
Schedule scatter(problem::Classical const& problem);

/// The block of every rank comes to all ranks.
///
/// - linear: all blocks straight to rank 0, which sends all of them to each other rank (OMPI basic_linear).
/// - direct_messaging: every rank's block straight to all others, all at once (OMPI direct_messaging).
/// - ring: p-1 rounds, to the next rank what came from the one before [Thakur05, Section 4.1].
/// - neighbor_exchange: p/2 rounds between alternating neighbors, one block first, then two; even p [Chen05].
/// - recursive_doubling: L rounds with the rank at distance 1, 2, 4, ...; where p is no power of two, ranks whose
///   partner is missing get what they lack down their subtree in up to L more rounds [Thakur05] (MPICH).
/// - bruck: ceil(log_k p) rounds of k-1 messages at once, to r - j k^i what rank r holds [Bruck97].
/// - locality_bruck: by groups of k = `group_size` ranks that are near each other, such as those of a host. Bruck's in
///   each group, then rounds i = 0, 1, ... in which rank l of a group, l > 0, gets what rank l of the group l k^i ahead
///   holds, and behind each of them Bruck's in the groups with what is new; the last groups may lie behind each other
///   [Bienz22]. A multiple of k.
/// - two_process: both send.
/// - circulant: L rounds with skips 1, ..., ceil(p/4), ceil(p/2), to rank r what rank r + skip holds and r lacks
///   [Traeff24].
/// - sparbit: L rounds with distances falling from the largest power of two below p, each block a message [Loch21].
/// - swing: the second half of the allreduce of that name, L rounds with all that a rank holds to its partner, the one
///   at distance (1 - (-2)^L) / 3 first and the neighbor last; a power of two [Desensi24].
/// - bine: L rounds of the Bine butterfly, all that a rank holds to its partner: far ones first with one block
///   (falling), or last with half of all blocks (rising); bine_block_by_block: each block a message [Desensi25].
Schedule allgather(problem::Classical const& problem);

/// Every rank has a block for each.
///
/// - linear: all at once (OMPI basic_linear). spread_out: `radix` at once, to r+1, r+2, ... (MPICH scattered).
/// - linear_sync: `radix` at once, all by default, to r-1, r-2, ... and from r+1, r+2, ... (OMPI linear_sync, whose
///   max_requests that is). Open MPI replaces each request as soon as it ends; here all of a round end before the next.
/// - pairwise: p-1 rounds, to r+i and from r-i [Thakur05, Section 4.4].
/// - bruck: for each digit of the distance to its target in base k, lowest first, and each of its values j a message
///   with all blocks that have it, to r + j k^i: the k-1 messages of a digit at once [Bruck97].
/// - two_process: both send.
/// - bine: L rounds of the Bine butterfly, p/2 blocks to the partner in each [Desensi25].
Schedule alltoall(problem::Classical const& problem);

// Reductions. Where the operator does not commute, contributions are joined in rank order: trees lead to rank 0, or for
// in_order_binary to rank p-1, from which the result is sent to the root.

/// The vectors of all ranks come to the root, joined.
///
/// linear: straight, p-1 messages at once [OMPI, basic linear].
/// chain, pipeline, binary, binomial, knomial, bine: up the tree of the bcast of that name, in its rounds backwards;
///   with segments, these follow each other [OMPI, reduce_generic; MPICH, reduce_intra_binomial; Desensi25].
/// in_order_binary: up a binary tree in whose every run of ranks the last one is the top, any order of the operator
///   [OMPI, in-order binary tree].
/// rabenseifner: ranks past a power of two are folded onto their neighbors; then halves of the vector at distance 1,
///   quarters at 2, ..., and back to the root, farthest first [Rabenseifner04; MPICH,
///   reduce_intra_reduce_scatter_gather].
Schedule reduce(problem::Classical const& problem);

/// Every rank gets its block of the joined vectors.
///
/// linear: all vectors to rank 0 at once, then p-1 messages at once from there; any operator [OMPI, basic_linear, where
///   its reduce and its scatter are linear].
/// nonoverlapping: the same up the binomial tree of rank 0 [OMPI, nonoverlapping].
/// ring: p-1 rounds, block b once around from rank b+1 [OMPI, ring]. pairwise: p-1 rounds, to r+k its block
///   [MPICH, pairwise].
/// recursive_halving: half of the blocks at distance q/2, a quarter at q/4, ... among q ranks, a power of two; ranks
/// past
///   it are folded onto their neighbors and get their block in the end [MPICH and OMPI, recursive_halving].
/// recursive_doubling: at distance 1, 2, 4, ... all blocks but those of the ranks heard of; where p is no power of two,
///   ranks whose partner is missing get what the others of their subtree heard, as it came, in up to L more rounds; any
///   operator [MPICH, recursive_doubling].
/// butterfly: half of the blocks at distance 1, a quarter at 2, ... among q ranks, a power of two, the others folded as
///   above; node v then has the blocks of the node of its bits reversed, and hands them over; any operator [OMPI,
///   butterfly].
/// noncommutative: the same with the blocks chosen so that node v ends with its own; any operator [Traeff05; MPICH,
///   noncommutative, which takes powers of two].
/// circulant: ceil(log2 p) rounds and p-1 blocks for any p: skips s' = ceil(s/2), s = p, ..., to r + s' the blocks at
///   distance s' to s-1 [Traeff24].
/// bine: the Bine butterfly, to its partner the blocks of all ranks behind it; a power of two [Desensi25].
Schedule reduce_scatter(problem::Classical const& problem);

/// Rank r gets the vectors of ranks 0 to r joined, or in an exscan of those before it.
///
/// linear: p-1 rounds along the ranks [OMPI, linear]. recursive_doubling: L rounds at distance 1, 2, 4, ... [MPICH and
/// OMPI, recursive_doubling]. Both keep rank order.
Schedule scan(problem::Classical const& problem);
/// Every rank gets the contributions of all ranks, joined. A rank joins what comes from a lower rank before, what comes
/// from a higher one after what it has; which algorithms so keep the order of ranks is for verify to say. Where x = p -
/// 2^floor(log2 p) ranks are too many, they give theirs to a neighbor in a round before and get the result after.
///
/// - linear: all to rank 0, at once, and the result to all (OMPI basic_linear).
/// - nonoverlapping: up the binomial tree of rank 0 and down again (OMPI); knomial: the same with radix k.
/// - double_tree: one half of the vector up and down each of two binary trees [Sanders09].
/// - ring: p parts around the ring, joined in p-1 rounds and told in p-1 more [Patarasuk09].
/// - segmented_ring: the same, segment by segment of all parts in the first half (OMPI).
/// - recursive_doubling: whole vectors at distances 1, 2, 4, ... [Thakur05, Section 4.5].
/// - recursive_multiplying: the same in groups of k, at once [Ruefenacht17] (MPICH).
/// - rabenseifner: halves at distance 1, quarters at distance 2, ..., and back; neighbors share the work of the fold
///   [Rabenseifner04] (OMPI redscat_allgather).
/// - allgather_reduce: ceil(log_k p) rounds of Bruck's allgather of whole vectors, which every rank then joins in the
///   order of ranks (OMPI allgather_reduce, whose allgather is the one that is chosen for its size).
/// - circulant: reduce-scatter and allgather with skips ceil(p/2), ceil(p/4), ..., any p [Traeff24].
/// - swing, bine: halves to the partners of Swing [Desensi24] and the Bine butterfly [Desensi25], nearest first, and
///   back; the distances are the same. swing_latency, bine_latency: whole vectors. With `extents` the partners lie
///   along the dimensions of a torus in turn.
Schedule allreduce(problem::Classical const& problem);

/// Nobody ends before everybody has begun: an allreduce of vectors of no bytes, in which what enters twice does no
/// harm.
///
/// - linear: to rank 0 and back at once. binomial, knomial: up and down the tree. ring: twice around, 2p rounds (OMPI).
/// - recursive_doubling: at distances 1, 2, 4, ...; ranks past the largest power of two q hang on rank - q (OMPI).
/// - dissemination: ceil(log_k p) rounds, to the ranks j k^i ahead [Hensgen88] (MPICH); bruck: the same (OMPI).
Schedule barrier(problem::Classical const& problem);

}  // namespace classical
}  // namespace rondo::generate
