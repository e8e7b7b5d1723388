#pragma once

#include "scenario/scenario.hpp"

namespace rondo::rules {

/// Selection trees for all collectives of MPICH 4.0, which aborts where a file has none for one that is called: without
/// rules of their own they are chosen by the sizes at which MPICH itself changes.
scenario::Json mpich_rest();

}  // namespace rondo::rules
