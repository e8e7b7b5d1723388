#pragma once

// Collectives that the MPI library itself carries out, simulated: what they send is SMPI's choice, not a schedule's.

#include "engine/engine.hpp"
#include "problem/intergroup.hpp"

namespace rondo {

/// Simulates an inter-group all-to-all broadcast with MPI_Allgather, MPI_Bcast and MPI_Gather
/// (mpi/runtime/library_intergroup.hpp), as simulate_smpi does a schedule, by group_allgather or
/// root_gathering; communicators are made, and it is run once, before the time runs.
/// Payload is verified with Payload::automatic while all buffers take at most most_verified_buffers. No send is
/// buffered: a library's algorithm that counts on that is a Failure::deadlock.
Outcome<Timing> simulate_library(problem::Intergroup const& library, Platform const& platform,
                                 EngineOptions const& options);

}  // namespace rondo
