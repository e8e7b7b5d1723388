#pragma once

// The parent's side of a simulation on SMPI. Each simulation has a child process of its own, because SimGrid can only
// run once in a process, and may abort the process.
// simulate_program() calls an MPI program, from mpi/, in every rank of one simulation. Dynamic protocols are such
// programs and no schedules, because the sends of a rank depend on its earlier receives.

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "engine/engine.hpp"
#include "engine/smpi/rank_programs.hpp"
#include "mpi/exchange/requests.hpp"

namespace rondo {

/// The work of every rank between MPI_Init and MPI_Finalize. `world` has all ranks. The bytes that a rank writes to
/// `result` are returned to the caller of the simulation. A message of a rank to itself takes no time. All ranks are
/// actors of one process and share its variables. No send is buffered: it ends when its receive has taken the message,
/// so MPI_Send behaves like MPI_Ssend.
using RankProgram = std::function<void(MPI_Comm world, std::vector<std::byte>& result)>;

/// Begins a wait, in a rank of a program that simulate_program runs, for the way back of an acknowledgement. It lasts
/// for the start-up of a message from `from` to the calling rank, occupies no port and is no message. SMPI ends a
/// synchronous send in the moment in which its message has arrived, but a real sender learns of it a latency later.
/// Ranks are those of `world`. The receive and the send end when the wait is over.
mpi::Acknowledgement begin_acknowledgement(MPI_Comm world, Rank from);

/// Called once in each rank of a program that simulate_program runs, at the begin of the timed work. The rank waits
/// until its arrival (EngineOptions::arrival).
void await_arrival(MPI_Comm world);

/// The result of a run.
struct ProgramRun {
  Timing timing;                                ///< of the program alone; its messages include those of collectives
  std::vector<std::vector<std::byte>> results;  ///< the bytes that each rank left
};

/// Runs the program on SimGrid/SMPI in a child process. All ranks start it at the same simulated time, from which times
/// count. Payload is always moved. A probe or test that finds nothing takes platform.poll, so that polling takes time;
/// ranks that poll forever are only ended by the time-out. If ranks wait forever, the result is a Failure::deadlock
/// that names them. If an exception leaves a rank, the result is a Failure::crash with its text. Throws InputError if
/// the platform cannot carry the program, or if a rank throws one.
Outcome<ProgramRun> simulate_program(int ranks, RankProgram const& program, Platform const& platform,
                                     EngineOptions const& options);

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
