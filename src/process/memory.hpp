#pragma once

// Finds out how much memory this process can get at most, so that a simulation that cannot fit is refused before it
// starts.

#include "base/units.hpp"

namespace rondo {

/// Returns the most memory that this process can get: the machine's memory and swap, or less if the address space of
/// the process (ulimit -v) or its control group has a limit. Memory that is in use is not subtracted. A limit that
/// cannot be read does not count.
Bytes most_memory();

}  // namespace rondo
