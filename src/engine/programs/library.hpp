#pragma once

// Simulates collectives that the MPI library carries out itself. SMPI's algorithms choose the messages; there is no
// schedule.

#include "engine/engine.hpp"
#include "problem/intergroup.hpp"

namespace rondo {

/// Simulates an inter-group all-to-all broadcast with MPI_Allgather, MPI_Bcast and MPI_Gather
/// (mpi/runtime/library_intergroup.hpp), by group_allgather or root_gathering. Before the timed run the communicators
/// are made, and the collective runs once.
/// With Payload::automatic, payload is verified if all buffers take at most most_verified_buffers. No send is buffered,
/// so an algorithm of the library that relies on buffering is a Failure::deadlock.
Outcome<Timing> simulate_library(problem::Intergroup const& library, Platform const& platform,
                                 EngineOptions const& options);

}  // namespace rondo
