#pragma once

#include "scenario/scenario.hpp"

namespace rondo::rules {

/// Selection trees for all collectives of MPICH 4.0, which aborts where a file has none for one that is called: those
/// without rules of their own change at the sizes of its control variables.
scenario::Json mpich_rest();

}  // namespace rondo::rules
