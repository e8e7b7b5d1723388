#pragma once

// How a collective on all ranks is put together from collectives on groups of ranks: the groups, the algorithm of
// each phase, and how many ranks of a group talk to other groups. problem/composition.hpp takes it apart.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/units.hpp"
#include "problem/enums.hpp"

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

}  // namespace rondo::problem
