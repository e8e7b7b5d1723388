#pragma once

#include "engine/engine.hpp"

namespace rondo {

/// The child's whole work: simulates the schedule on SimGrid/SMPI and writes `ready` and one answer (see answer.hpp).
/// Once a process: SimGrid's clock and state cannot be set back. Throws InputError for a platform that cannot carry the
/// schedule. Ends the process itself on a deadlock.
void run_smpi(Schedule const& schedule, Collective const& collective, Platform const& platform, bool verified,
              int answer);

}  // namespace rondo
