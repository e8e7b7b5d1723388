#pragma once

#include "base/units.hpp"

namespace rondo {

/// All memory that a process here can have at most: the machine's with what it swaps to, or less where the process or
/// its control group is limited. Whoever needs more can only fail.
Bytes most_memory();

}  // namespace rondo
