#pragma once

// The parent's side of a simulation on SMPI. Each simulation has a child process of its own, because SimGrid can only
// run once in a process, and may abort it.

#include "engine/smpi/program.hpp"
#include "engine/smpi/run.hpp"

namespace rondo {

/// Runs one simulation on SimGrid/SMPI: checks the platform, starts one child process, and translates how it ended.
/// `make` is called in the child. The function uses the time-out, the log and the arrivals of the options. Throws
/// InputError if the platform cannot carry the ranks, and for bad input that the child found.
Outcome<ProgramRun> simulate_in_child(int ranks, MakePrograms const& make, Platform const& platform,
                                      EngineOptions const& options, SmpiSettings const& settings = {});

/// Runs `work` with SimGrid in a child process, which writes `ready`, results and a timing to `answer` (answer.hpp),
/// and translates how it ended. Throws InputError for bad input that the child found.
Outcome<ProgramRun> in_child(std::function<void(int answer)> const& work, Platform const& platform, Seconds timeout,
                             SmpiSettings const& settings = {});

/// The outcome of programs that leave no results.
Outcome<Timing> timing_of(Outcome<ProgramRun> outcome);

}  // namespace rondo
