#pragma once

// Turns a rank's communication pattern into its program: the messages and copies of a neighborhood collective that
// combines messages over common neighbors [Mirsadeghi17].

#include "mpi/setup/local_pattern.hpp"
#include "mpi_library/graph/neighbor_algorithm.hpp"
#include "mpi_library/graph/process_topology.hpp"
#include "schedule/schedule.hpp"

namespace rondo::mpi {

/// The program of a rank in [Mirsadeghi17, Algorithm 3], made from what the rank itself knows. Its rounds are those of
/// generate::neighbor_allgather_common_neighbors and of its counterpart for all-to-all. All blocks have `block` bytes,
/// and peers are ranks. In allgather repeated edges share a message, and local copies fill the other slots; all-to-all
/// must have no repeated edges. `pattern` is that of the distinct targets and sources without the rank itself.
Program combined_program(NeighborCollective kind, ProcessTopology const& topology, LocalPattern const& pattern,
                         Rank self, Bytes block);

}  // namespace rondo::mpi
