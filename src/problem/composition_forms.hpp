#pragma once

// What there is to choose when a collective is put together from others: the forms that a composition may have, and for
// each the algorithms of its phases.

#include <cstddef>
#include <vector>

#include "problem/composition.hpp"

namespace rondo::problem {

/// The algorithm of a collective on a level, for all parts that carry it out there.
struct PhaseChoice {
  std::size_t level = 0;
  ClassicalCollective collective = ClassicalCollective::bcast;
  std::vector<ClassicalAlgorithm> algorithms = {};  ///< those that know the numbers of ranks of all these parts
};

/// A composition but for its algorithms: groups, lanes, segment, rings, and whether the collective between the
/// outermost groups is one or a pair; or several rings of one algorithm.
struct CompositionForm {
  Classical problem;  ///< with some algorithm for each phase
  std::vector<PhaseChoice> choices;
  std::vector<Stage> stages;  ///< of the first segment: one a phase

  /// The problem by these algorithms, one for each choice.
  Classical with(std::vector<ClassicalAlgorithm> const& algorithms) const;
};

struct CompositionSpace {
  std::vector<int> lanes;       ///< 0: all
  std::vector<Bytes> segments;  ///< 0: the whole vector
  std::vector<int> rings = {1};
};

/// All forms of the groups that the problem's hierarchy has. Lanes, segments and rings that do not fit are left out,
/// and so are segments that hold the whole vector; none is left where the groups themselves do not fit. Several rings
/// without levels are those that NCCL has: rings, chains and double trees.
std::vector<CompositionForm> composition_forms(Classical problem, CompositionSpace const& space);

}  // namespace rondo::problem
