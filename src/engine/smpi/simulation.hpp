#pragma once

#include "engine/smpi/program.hpp"
#include "engine/smpi/run.hpp"

namespace rondo {

/// Runs one simulation on SimGrid/SMPI as its caller sees it: checks the platform, starts one child process and
/// translates how that ended. `make` is called in the child. From the options it reads the time-out, the log and the
/// arrivals. Throws InputError when the platform cannot carry the ranks, and what the child found to be bad input.
Outcome<ProgramRun> simulate_in_child(int ranks, MakePrograms const& make, Platform const& platform,
                                      EngineOptions const& options, SmpiSettings const& settings = {});

/// Runs `work` with SimGrid in a child process, which writes `ready`, results and a timing to `answer` (answer.hpp),
/// and translates how that ended. Throws InputError for what it found to be bad input.
Outcome<ProgramRun> in_child(std::function<void(int answer)> const& work, Platform const& platform, Seconds timeout,
                             SmpiSettings const& settings = {});

/// The outcome of programs that leave no results.
Outcome<Timing> timing_of(Outcome<ProgramRun> outcome);

}  // namespace rondo
