#pragma once

// Collectives that the MPI library itself carries out, simulated: what they send is SMPI's choice, not a schedule's.

#include <cstdint>
#include <string>

#include "base/units.hpp"
#include "engine/engine.hpp"
#include "topology/groups.hpp"

namespace rondo {

/// Inter-group all-to-all broadcast with MPI_Allgather, MPI_Bcast and MPI_Gather (mpi/intergroup/library.hpp).
struct LibraryIntergroup {
  enum class Algorithm : std::uint8_t { group_allgather, root_gathering };
  Groups groups;
  Bytes block;
  Algorithm algorithm = Algorithm::group_allgather;
  std::string selector = "mpich";  ///< whose algorithms SMPI takes: "mpich", "ompi" or "mvapich2"
};

/// Simulates it as simulate_smpi does a schedule; communicators are made, and it is run once, before the time runs.
/// Payload is verified with Payload::automatic while all buffers take at most most_verified_buffers. No send is
/// buffered: a library's algorithm that counts on that is a Failure::deadlock.
Outcome<Timing> simulate_library(LibraryIntergroup const& library, Platform const& platform,
                                 EngineOptions const& options);

}  // namespace rondo
