#pragma once

// MPI programs on the simulated machine. Dynamic protocols are not schedules, because the sends of a rank depend on its
// earlier receives. Such a program, from mpi/, is called in every rank of one simulation.

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "mpi/exchange/acknowledgement.hpp"

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

}  // namespace rondo
