#pragma once

// How much memory the system lets this process have, so that a simulation that cannot fit is refused before it
// starts.

#include "base/units.hpp"

namespace rondo {

/// The most memory that this process can get: the machine's memory and swap, or less if the process or its control
/// group has a limit. A request for more can only fail.
Bytes most_memory();

}  // namespace rondo
