#pragma once

// The choices in putting a collective together from others: the possible forms of a composition, and for each form
// the possible algorithms of its phases. `rondo tune` tries them.

#include <cstddef>
#include <vector>

#include "problem/composition.hpp"

namespace rondo::problem {

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
