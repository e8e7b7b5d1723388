#pragma once

// MPI programs on the simulated machine. Dynamic protocols are not schedules: what a rank sends depends on what it has
// received. Such a program, from mpi/, is called in every rank of one simulation.

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "mpi/exchange/way_back.hpp"

namespace rondo {

/// What every rank does between MPI_Init and MPI_Finalize. `world` has all ranks; what the rank leaves in `result` is
/// handed to whoever asked for the simulation. What a rank sends to itself takes no time. All ranks are actors of one
/// process and share its variables. No send is buffered: it ends when its receive has taken the message, so that
/// MPI_Send is MPI_Ssend.
using RankProgram = std::function<void(MPI_Comm world, std::vector<std::byte>& result)>;

/// In a rank of a program that simulate_program runs: begins a wait as long as the way back of an acknowledgement, the
/// start-up of a message from `from` to the calling rank, which holds no port and is no message. SMPI ends a
/// synchronous send at the moment at which its message has arrived; a sender learns of that a latency later. Ranks are
/// those of `world`. The receive ends when the wait is over, and the send with it.
mpi::WayBack begin_way_back(MPI_Comm world, Rank from);

/// In a rank of a program that simulate_program runs, once, where it begins what is timed: it waits until the rank
/// comes (EngineOptions::arrival).
void await_arrival(MPI_Comm world);

struct ProgramRun {
  Timing timing;                                ///< times the program alone; its messages include those of collectives
  std::vector<std::vector<std::byte>> results;  ///< what each rank left
};

/// Runs the program on SimGrid/SMPI inside a child process; all ranks start it at the same simulated time, which its
/// timing counts from. Payload is moved always. A probe or test that finds nothing takes platform.poll, so that polling
/// makes time pass; ranks that poll for ever end by the time-out only. Ranks that wait for ever are a Failure::deadlock
/// that names them, an exception that leaves a rank is a Failure::crash with its text.
/// Throws InputError when the platform cannot carry it, and where a rank throws one.
Outcome<ProgramRun> simulate_program(int ranks, RankProgram const& program, Platform const& platform,
                                     EngineOptions const& options);

}  // namespace rondo
