#pragma once

#include <functional>
#include <memory>

#include "engine/rank_programs.hpp"

namespace rondo {

/// Makes the programs of a simulation once its machine stands, which stays where it is while they run.
using MakePrograms = std::function<std::unique_ptr<RankPrograms>(SmpiMachine const& machine)>;

/// The child's whole work: simulates the programs on SimGrid/SMPI and writes `ready` and one answer (see answer.hpp).
/// Once a process: SimGrid's clock and state cannot be set back. Throws InputError for a platform that cannot carry the
/// ranks. Ends the process itself.
[[noreturn]] void run_smpi(int ranks, MakePrograms const& make, Platform const& platform, Log log, int answer);

}  // namespace rondo
