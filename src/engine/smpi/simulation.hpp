#pragma once

#include "engine/smpi/program.hpp"
#include "engine/smpi/run.hpp"

namespace rondo {

/// One simulation on SimGrid/SMPI as its caller sees it: checks of the platform, one child process, and its end
/// translated. `make` is called in the child. Of the options, the time-out and the log are its own.
/// Throws InputError when the platform cannot carry the ranks, and what the child found to be bad input.
Outcome<ProgramRun> simulate_in_child(int ranks, MakePrograms const& make, Platform const& platform,
                                      EngineOptions const& options, SmpiSettings const& settings = {});

/// The outcome of programs that leave no results.
Outcome<Timing> timing_of(Outcome<ProgramRun> outcome);

}  // namespace rondo
