#pragma once

// Takes a hierarchical collective, or one by several rings, apart into parts: which ranks carry out which collective
// by which algorithm, on which of the data, and after which other parts. Generators carry the parts out, and theory
// adds them up. A CompositionForm is a possible form of a composition, with the possible algorithms of its phases.
// `rondo tune` tries the forms.
//
// With one lane a group has a leader: its lowest rank, or the root. With k lanes, k ranks of each group (the lowest
// ones; in the root's group the root is one of them) each talk to the ranks of the same lane in the other groups. A
// lane has a part of the vector, or the blocks of those ranks of the group that it serves [Traeff20]. Lane l serves
// its own rank and every k-th of the other ranks. Between the groups there is a collective on one rank of each group;
// with more levels it is hierarchical again.
//
// Several rings are copies of the collective, hierarchical or not, that run side by side. Each goes through the ranks
// in an order of its own (composition_parts.hpp) and has a part of the vector or of each block.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "problem/classical.hpp"

namespace rondo::problem {

/// A piece of one block. Data are counted in units: bytes, or blocks if blocks have no bytes. A collective of vectors
/// has one block with the number 0. Other collectives have the block of or for rank r, or in an alltoall the block s *
/// p + t from s to t.
struct Slice {
  std::uint32_t block = 0;
  std::int64_t first = 0, last = 0;  ///< its units first .. last-1
};
/// Slices in a row, which together are the data of a rank.
using Share = std::vector<Slice>;
std::int64_t units_of(Share const& share);

/// A collective on some of the ranks, with an algorithm of its own. Its sizes are in units.
struct SubCollective {
  Classical problem;
  std::size_t level = 0;     ///< of the hierarchy, from the inside out; the last one is between the outermost groups
  std::vector<int> members;  ///< its ranks, by their numbers among all
  /// The vector; or the block of each member; or in an alltoall the block of each source and target, ordered by source.
  std::vector<Share> shares;

  bool has_units() const;  ///< whether messages carry anything
};

/// Parts that begin at the same time, when all parts of the stage before have ended. A rank may be in several parts;
/// each has different data. The order of the parts is the order in which a rank posts their messages.
struct Stage {
  std::vector<SubCollective> parts;
  std::vector<std::string> names;  ///< of each part: its level and its collective, "intra reduce"
};

/// The number of units of each block, by its number.
std::vector<std::int64_t> units_by_block(Classical const& problem);

/// The stages in their order. Throws HierarchyError if the hierarchy does not fit the problem.
std::vector<Stage> stages_of(Classical const& problem);

/// Throws HierarchyError if the hierarchy does not fit the problem, and InputError if an algorithm or the number of
/// rings does not. It does not look at the data.
void expect_composition_fits(Classical const& problem);
/// Throws InputError if the problem cannot have as many rings as it states.
void expect_rings_fit(Classical const& problem);

/// The pairs of collectives by which, one after the other, the collective between the outermost groups can be replaced,
/// in the order in which they are tried: a level uses the first pair for which it states both algorithms.
std::vector<std::pair<ClassicalCollective, ClassicalCollective>> replacement_pairs(ClassicalCollective collective);

/// Whether some part reads this option of its algorithm.
bool any_part_reads(Classical const& problem, ClassicalOption option);

/// The possible algorithms of a collective on a level. One is chosen for all parts that carry this collective out
/// there.
struct PhaseChoice {
  std::size_t level = 0;
  ClassicalCollective collective = ClassicalCollective::bcast;
  std::vector<ClassicalAlgorithm> algorithms = {};  ///< those that accept the numbers of ranks of all these parts
};

/// A composition without its algorithms: groups, lanes, segment, rings, and whether the collective between the
/// outermost groups is a single one or a pair; or several rings of one algorithm.
struct CompositionForm {
  Classical problem;  ///< with an arbitrary algorithm for each phase
  std::vector<PhaseChoice> choices;
  std::vector<Stage> stages;  ///< of the first segment: one a phase

  /// The problem with these algorithms, one for each choice.
  Classical with(std::vector<ClassicalAlgorithm> const& algorithms) const;
};

/// The values that are tried.
struct CompositionSpace {
  std::vector<int> lanes;       ///< 0: all
  std::vector<Bytes> segments;  ///< 0: the whole vector
  std::vector<int> rings = {1};
};

/// All forms of the groups in the problem's hierarchy. Lanes, segments and rings that do not fit are left out, and so
/// are segments that hold the whole vector. If the groups themselves do not fit, there are no forms. Several rings
/// without levels exist only as in NCCL: rings, chains and double trees.
std::vector<CompositionForm> composition_forms(Classical problem, CompositionSpace const& space);

}  // namespace rondo::problem
