#pragma once

// The catalogue of the collectives on all ranks: a function for each kind, and what each algorithm does for it. The
// number of ranks is p, L = ceil(log2 p); ranks are counted from the root, v = (rank - root) mod p. Where an algorithm
// takes a part of all ranks or only some numbers of them, problem::expect_ranks_fit says so. Messages that are posted
// at once are one round; where nothing else is said, a rank sends and receives one message a round.

#include "problem/classical.hpp"
#include "schedule/collective.hpp"
#include "schedule/schedule.hpp"

namespace rondo::generate {

/// The schedule of the problem's algorithm. Throws InputError for a number of ranks that it does not know.
Schedule generate(problem::Classical const& problem);
/// What it must deliver.
Collective promise(problem::Classical const& problem);

namespace classical {

/// The vector of the root comes to all others.
///
/// linear: straight from the root, p-1 messages at once [Open MPI coll/base, basic linear].
/// chain: down `radix` chains of equal length; pipeline: down one; segment by segment, a rank sends a segment on while
///   the next one comes [OMPI, chain and pipeline].
/// binary: down a binary tree, segment by segment, to both children at once [OMPI, bintree].
/// split_binary: the two halves of the vector down the two subtrees of the binary tree, then pairs of one rank of each
///   exchange them in a round; with even p the last rank gets its second half from the root [OMPI, split_bintree].
/// binomial: down the binomial tree, L rounds, far ranks first [MPICH] or near ranks first [OMPI, binomial]; with
///   segments to all children at once.
/// knomial: down the tree of radix k, ceil(log_k p) rounds of up to k-1 messages at once [OMPI, knomial].
/// scatter_allgather: p parts down the binomial tree, then an allgather of them by recursive doubling
///   [Thakur05, Section 4.3]; scatter_ring_allgather: the same with the ring.
/// bine: down the Bine tree, L rounds [Desensi25].
Schedule bcast(problem::Classical const& problem);

/// The block of every rank comes to the root.
///
/// linear: straight, p-1 messages at once [OMPI, basic linear].
/// linear_sync: one rank after the other, which waits for a message without bytes from the root [OMPI, linear_sync].
/// binomial: up the binomial tree, L rounds, near ranks first, each rank hands in what it has got [MPICH and OMPI].
/// knomial: the same with radix k; ranks of a round come at once.
/// bine: up the Bine tree [Desensi25].
Schedule gather(problem::Classical const& problem);

/// Every rank gets its own block from the root: what gather does, backwards in time. linear, binomial, knomial, bine.
Schedule scatter(problem::Classical const& problem);

/// The block of every rank comes to all ranks.
///
/// linear: all blocks straight to rank 0, which sends all of them to each other rank [OMPI, basic linear].
/// ring: p-1 rounds, to the next rank what came from the one before [Thakur05, Section 4.1].
/// neighbor_exchange: p/2 rounds between alternating neighbors, one block first, then two; even p [Chen05].
/// recursive_doubling: L rounds with the rank at distance 1, 2, 4, ...; where p is no power of two, ranks whose partner
///   is missing get what they lack down their subtree in up to L more [MPICH, Thakur05].
/// bruck: ceil(log_k p) rounds of k-1 messages at once, to r - j k^i what rank r holds [Bruck97].
/// two_process: both send.
/// bine: L rounds of the Bine butterfly, all that a rank holds to its partner: far ones first with one block (falling),
///   or last with half of all blocks (rising) [Desensi25].
Schedule allgather(problem::Classical const& problem);

/// Every rank has a block for each.
///
/// linear: all at once [OMPI, basic linear]. spread_out: `radix` at once, to r+1, r+2, ... [MPICH, scattered].
/// pairwise: p-1 rounds, to r+i and from r-i [Thakur05, Section 4.4].
/// bruck: for each digit of the distance to its target in base k, lowest first, and each of its values j a message with
///   all blocks that have it, to r + j k^i: the k-1 messages of a digit at once [Bruck97].
/// two_process: both send.
Schedule alltoall(problem::Classical const& problem);

}  // namespace classical
}  // namespace rondo::generate
