#pragma once

// The parts of an MPICH selection file that no rule of Rondo's decides.

#include "scenario/scenario.hpp"

namespace rondo::rules {

/// Selection trees for all collectives of MPICH 4.0, because it aborts if a collective is called for which a file has
/// no tree. Collectives without rules of their own switch at the sizes of MPICH's control variables.
scenario::Json mpich_rest();

}  // namespace rondo::rules
