#pragma once

// The collectives of MPI on all ranks, and by which of the field's algorithms they go.

#include <cstdint>
#include <memory>
#include <vector>

#include "problem/block_sizes.hpp"
#include "problem/hierarchy.hpp"
#include "problem/words.hpp"
#include "topology/routed_network.hpp"

namespace rondo::problem {

/// `ranks` ranks numbered from 0. The size of a block is that of the whole vector of a rank in a bcast or an allreduce,
/// of a rank's block in all others, and nothing in a barrier; sizes that differ are one a rank (the v variants), of an
/// all-to-all one for each source and target, row by row by source.
struct Classical {
  ClassicalCollective collective = ClassicalCollective::bcast;
  int ranks = 1;
  BlockSizes sizes;
  ClassicalAlgorithm algorithm = ClassicalAlgorithm::linear;
  int root = 0;
  /// The bytes of a segment where vectors are pipelined; 0: one segment.
  Bytes segment{0};
  /// What an algorithm's description calls radix, fan-out or window; 0: the one that is usual for it (radix_of).
  int radix = 0;
  /// Ranks of a group, which are those that share a host or what else is near, one after the other; 0: not said.
  int group_size = 0;
  Distances distances = Distances::falling;
  Children children = Children::in_turn;  ///< of the trees of bcast, gather, scatter and reduce
  /// The torus on which the ranks lie row by row, for the partners of Swing's and Bine's allreduce; empty: a ring.
  std::vector<int> extents = {};
  bool commutative = true;  ///< of a reduction: else contributions have to be joined in the order of their ranks
  bool same_bits = false;   ///< of a reduction for all: every rank has to get it by the same parenthesisation
  /// Timed as benchmarks do: each rank by its own clock from when it has left a barrier, and the longest time counts.
  bool benchmark = false;
  /// Of which collectives on groups of ranks it is put together, by the algorithm hierarchical.
  Hierarchy hierarchy = {};
  /// So many rings or trees at once, each with a part of the vector, or of each block, on the ranks in another order
  /// (rings.hpp), which heeds the host of each rank.
  int rings = 1;
  std::vector<int> host_of = {};  ///< by rank; looked at with several rings alone
  /// The ways of the machine that the algorithm forest is made for; null for all others.
  std::shared_ptr<RoutedNetwork const> network = {};
};

/// The most ranks that the algorithm forest is made for.
inline constexpr int most_forest_ranks = 256;

/// Whether it is put together from parts, each a collective by itself (composition.hpp).
inline bool is_composed(Classical const& problem) {
  return problem.algorithm == ClassicalAlgorithm::hierarchical || problem.rings > 1;
}
/// Whether several rings may be asked of the collective.
bool has_rings(ClassicalCollective collective);

/// The radix that the problem states, or else the usual one of its algorithm: 4 for k-nomial trees and chains, as in
/// Open MPI, 32 messages at a time for spread-out, as in MPICH, all for linear_sync and linear_nb, as in
/// Open MPI, and 2 for Bruck's (catalogue.hpp).
int radix_of(Classical const& problem);

/// Whether another value of the option gives the collective another course by this algorithm.
bool reads(ClassicalCollective collective, ClassicalAlgorithm algorithm, ClassicalOption option);
/// The same, of a problem as a whole: children of segments come one after the other whatever is said of them.
bool reads(Classical const& problem, ClassicalOption option);

/// Whether its partners lie along the dimensions of a torus in turn.
bool goes_along_extents(Classical const& problem);

/// Throws InputError where the algorithm does not know this number of ranks, naming what it accepts.
void expect_ranks_fit(Classical const& problem);

inline Kind kind_of(Classical const& problem) { return kind_of(problem.collective); }

}  // namespace rondo::problem
