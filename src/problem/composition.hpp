#pragma once

// A hierarchical collective, or one by several rings, taken apart: which ranks carry out which collective by which
// algorithm, on which of the data, and after which others. Generators carry the parts out, theory adds them up.
//
// With one lane a group has a leader, its lowest rank, or the root. With k lanes its k lowest ranks (of the root's
// group the root among them) each talk to the ranks of the same lane in the other groups, with a part of the vector or
// with the blocks of those ranks of the group that they serve [Traeff20]. Lane l serves its own rank, and of the others
// every k-th. What happens between the groups is a collective on one rank of each: hierarchical again if there are more
// levels.
//
// Several rings are so many copies of the collective, hierarchical or not, side by side, each on the ranks in an order
// of its own (rings.hpp) and with a part of the vector or of each block.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "problem/classical.hpp"

namespace rondo::problem {

/// Data are counted in units: bytes, or blocks where blocks have no bytes. Collectives of vectors have one block, 0;
/// others have the block of or for rank r, or in an alltoall block s * p + t from s to t.
struct Slice {
  std::uint32_t block = 0;
  std::int64_t first = 0, last = 0;  ///< its units first .. last-1
};
/// Slices one behind the other.
using Share = std::vector<Slice>;
std::int64_t units_of(Share const& share);

/// A collective on some of the ranks, by an algorithm of its own; sizes are in units.
struct Part {
  Classical problem;
  std::size_t level = 0;     ///< of the hierarchy, from the inside out; the last one is between the outermost groups
  std::vector<int> members;  ///< its ranks, by their numbers among all
  /// The vector; or the block of each member; or of an alltoall that of each source and target, source by source.
  std::vector<Share> shares;

  bool has_units() const;  ///< whether messages carry anything
};

/// Parts that begin at the same time, when all of the stage before have ended. A rank may be in several, of which each
/// has other data. Parts of a stage are in the order in which a rank posts their messages.
struct Stage {
  std::vector<Part> parts;
  std::vector<std::string> names;  ///< of each part: its level and its collective, "intra reduce"
};

/// The units of each block, by its number.
std::vector<std::int64_t> unit_sizes(Classical const& problem);

/// In their order. Throws HierarchyError where the hierarchy does not fit the problem.
std::vector<Stage> stages_of(Classical const& problem);

/// Throws HierarchyError where the hierarchy does not fit the problem, InputError where an algorithm or several rings
/// do not, without looking at the data.
void expect_composition_fits(Classical const& problem);
/// Throws InputError where the problem cannot have as many rings as it has.
void expect_rings_fit(Classical const& problem);

/// The two collectives, one after the other, of which one between the outermost groups may be made, as often as there
/// are such pairs.
std::vector<std::pair<ClassicalCollective, ClassicalCollective>> pairs_for(ClassicalCollective collective);

/// Whether a part looks at the option.
bool parts_read(Classical const& problem, ClassicalOption option);

}  // namespace rondo::problem
