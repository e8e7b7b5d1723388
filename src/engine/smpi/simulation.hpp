#pragma once

// The parent's side of a simulation on SMPI. Each simulation has a child process of its own, because SimGrid can only
// run once in a process, and may abort the process.

#include <functional>

#include "base/units.hpp"
#include "engine/engine.hpp"
#include "engine/smpi/program.hpp"
#include "engine/smpi/run.hpp"

namespace rondo {

/// Runs one simulation on SimGrid/SMPI: checks the platform, starts one child process, and turns its end into a
/// result or a failure. `make_programs` is called in the child. The function uses the time-out, the log and the
/// arrivals of the options. Throws InputError if the platform cannot carry the ranks, and for bad input that the child
/// found.
Outcome<ProgramRun> simulate_in_child(int ranks, MakePrograms const& make_programs, Platform const& platform,
                                      EngineOptions const& options, SmpiSettings const& settings = {});

/// Runs `work` with SimGrid in a child process. The child writes `ready`, the results and a timing to the descriptor
/// `answer_pipe` (engine/answer.hpp). `timeout` is real time; 0: no limit. `platform` is only needed to report a
/// platform file that SimGrid cannot read. Throws InputError for bad input that the child found.
Outcome<ProgramRun> run_simgrid_in_child(std::function<void(int answer_pipe)> const& work, Platform const& platform,
                                         Seconds timeout, SmpiSettings const& settings = {});

/// The timing of programs that leave no results, or their failure.
Outcome<Timing> timing_of(Outcome<ProgramRun> outcome);

}  // namespace rondo
