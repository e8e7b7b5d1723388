#pragma once

// Whether a communicator joins one group or two. The MPI library knows of its own inter-communicators only: ours are
// communicators of the local group to it (mpi_library/intergroup/inter_comm.hpp), and carry a mark.

#include <mpi.h>

namespace rondo::mpi {

/// From now on the communicator stands for two groups, until it is freed. Throws MpiFailure.
void mark_inter(MPI_Comm comm);

/// Whether the communicator is marked; false for MPI_COMM_NULL. Quick while no communicator of the program has been
/// marked. Throws MpiFailure.
bool is_inter(MPI_Comm comm);

/// Throws MpiFailure, MPI_ERR_COMM, unless it is a communicator of one group.
void expect_intra(MPI_Comm comm);

}  // namespace rondo::mpi
