#pragma once

// The collectives of MPI on all ranks, and the algorithm of the literature that carries each one out. A Hierarchy
// states how a collective is put together from collectives on groups of ranks: the groups, the algorithm of each
// phase, and how many ranks of a group talk to other groups. problem/composition.hpp takes it apart.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/units.hpp"
#include "problem/block_sizes.hpp"
#include "problem/enums.hpp"
#include "topology/network.hpp"

namespace rondo::problem {

/// The algorithms of a level: one for all its phases, or one for each phase that it names.
struct PhaseAlgorithms {
  std::optional<ClassicalAlgorithm> default_algorithm = {};
  std::vector<std::pair<ClassicalCollective, ClassicalAlgorithm>> exceptions = {};
  std::string place = {};  ///< where it is stated, below the hierarchy: "/intra/1"

  /// The algorithm of a phase; unset if the level states none for it.
  std::optional<ClassicalAlgorithm> of(ClassicalCollective phase) const {
    for (auto const& [collective, algorithm] : exceptions) {
      if (collective == phase) return algorithm;
    }
    return default_algorithm;
  }
};

/// A hierarchy is stated if it has levels. Ranks r * sizes[0] .. (r + 1) * sizes[0] - 1 form group r of the innermost
/// level; the groups are joined in the same way to the groups of the next level, and so on. The last group of each
/// level may be smaller.
struct Hierarchy {
  std::vector<int> sizes = {};     ///< of the groups of each level, from the inside out
  std::vector<int> group_of = {};  ///< by rank, in the place of sizes: the group, such as the host, of one level
  /// The algorithms within the groups of each level, from the inside out, and at the end those between the outermost
  /// groups.
  std::vector<PhaseAlgorithms> levels = {};
  int lanes = 1;     ///< ranks of a group that talk to other groups, each with a part of the data; 0: all
  Bytes segment{0};  ///< of the vector, so that levels overlap; 0: the whole vector

  bool stated() const { return !levels.empty(); }
};

/// The reason why a hierarchy does not fit, and its place below the hierarchy: "/lanes", "/intra/0/reduce".
class HierarchyError : public InputError {
 public:
  HierarchyError(std::string place, std::string const& what) : InputError(what), place_(std::move(place)) {}
  std::string const& place() const { return place_; }

 private:
  std::string place_;
};

/// A collective of `ranks` ranks numbered from 0. In a bcast, reduce, allreduce, scan or exscan a block is the whole
/// vector of a rank; in a gather, scatter, allgather, alltoall or reduce_scatter it is the part of one rank; a barrier
/// has none. Sizes that differ (the v variants) are one per rank; in an all-to-all they are one for each source and
/// target, row by row by source.
struct Classical {
  ClassicalCollective collective = ClassicalCollective::bcast;
  int ranks = 1;
  BlockSizes sizes;
  ClassicalAlgorithm algorithm = "linear";
  int root = 0;
  /// The bytes of a segment where vectors are pipelined; 0: one segment.
  Bytes segment{0};
  /// The number that descriptions of algorithms call radix, fan-out or window; 0 takes the usual one (radix_of).
  int radix = 0;
  /// How many ranks a group has. A group consists of successive ranks that share a host or are near each other
  /// otherwise. 0: unknown.
  int group_size = 0;
  Distances distances = Distances::falling;  ///< of partners, in algorithms that can take them in either order
  Children children = Children::in_turn;     ///< of the trees of bcast, gather, scatter and reduce
  /// The torus on which the ranks lie row by row; Swing's and Bine's allreduce choose their partners by it. Empty: a
  /// ring.
  std::vector<int> extents = {};
  bool commutative = true;  ///< of a reduction; if false, contributions must be joined in the order of their ranks
  bool same_bits = false;   ///< of an allreduce: every rank must get the result by the same parenthesisation
  /// Timed as benchmarks do it: each rank measures by its own clock from the moment when it has left a barrier, and the
  /// longest time counts.
  bool benchmark = false;
  /// The collectives on groups of ranks from which the algorithm hierarchical puts it together.
  Hierarchy hierarchy = {};
  /// How many rings or trees work at the same time. Each has a part of the vector, or of each block, and goes through
  /// the ranks in an order of its own (composition_parts.hpp), which depends on the host of each rank.
  int rings = 1;
  std::vector<int> host_of = {};  ///< by rank; read only if there are several rings
  /// The routes of the machine for which the algorithm forest builds its trees; null for all other algorithms.
  std::shared_ptr<RoutedNetwork const> network = {};
};

/// The algorithm forest accepts at most so many ranks.
inline constexpr int most_forest_ranks = 256;

/// Whether it is put together from parts, each of which is a collective itself (composition.hpp).
inline bool is_composed(Classical const& problem) { return problem.algorithm == "hierarchical" || problem.rings > 1; }
/// Whether this collective can be done by several rings.
bool has_rings(ClassicalCollective collective);

/// The index of the problem's algorithm in the catalogue. Throws ContractViolation if the collective has no such
/// algorithm.
std::size_t catalogue_index(Classical const& problem);

/// The radix that the problem states, or else the usual one of its algorithm: 4 for k-nomial trees and chains, as in
/// Open MPI; 32 messages at a time for spread-out, as in MPICH; all messages for linear_sync and linear_nb, as in Open
/// MPI; 2 for Bruck's (catalogue.hpp).
int radix_of(Classical const& problem);

/// Whether another value of this option changes the messages of the collective by this algorithm.
bool reads(ClassicalCollective collective, ClassicalAlgorithm algorithm, ClassicalOption option);
/// The same for a whole problem. A composed problem reads an option if any of its parts does. With segments, the option
/// `children` is not read, because children are then always served one after the other.
bool reads(Classical const& problem, ClassicalOption option);

/// Whether its partners lie along the dimensions of a torus, each dimension in its turn.
bool goes_along_extents(Classical const& problem);

/// Throws InputError, which names the accepted numbers, if the algorithm does not accept this number of ranks, group
/// size or these extents, and if the algorithm forest has no machine.
void expect_ranks_fit(Classical const& problem);

inline Kind kind_of(Classical const& problem) { return kind_of(problem.collective); }

}  // namespace rondo::problem
