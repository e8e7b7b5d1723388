#pragma once

// Tells whether a communicator joins one group or two. The MPI library knows only its own inter-communicators. To
// it, an inter-communicator of Rondo is a communicator of the local group (mpi_library/intergroup/inter_comm.hpp); a
// mark tells it apart.

#include <mpi.h>

namespace rondo::mpi {

/// Marks the communicator as one of two groups, until it is freed. Throws MpiFailure.
void mark_inter(MPI_Comm comm);

/// Whether the communicator is marked; false for MPI_COMM_NULL. This is fast as long as no communicator of the program
/// has been marked. Throws MpiFailure.
bool is_inter(MPI_Comm comm);

/// Throws MpiFailure with MPI_ERR_COMM unless the communicator has one group.
void expect_intra(MPI_Comm comm);

}  // namespace rondo::mpi
