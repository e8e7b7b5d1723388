#pragma once

// The simulated time of a schedule on a machine: the machine as a value (Platform), Rondo's own engine and SimGrid's
// (simulate_native, simulate_smpi). This header belongs to the stable set for C++ users, which docs/library.md
// describes.

#include "engine/engine.hpp"
#include "platform/platform.hpp"
