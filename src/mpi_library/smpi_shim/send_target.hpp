#pragma once

// Where messages between single ranks go. On an inter-communicator they go over its two communicators of both groups
// (mpi_library/intergroup/inter_comm.hpp), on any other one over the communicator itself.

#include <mpi.h>

namespace rondo::mpi {

/// The rank and the communicator that SMPI sends to.
struct SendTarget {
  int rank;
  MPI_Comm comm;
};

SendTarget send_target(MPI_Comm comm, int rank);
/// The communicator that SMPI receives on.
MPI_Comm receive_comm(MPI_Comm comm);

/// SMPI's MPI_Isend, or another one.
using Send = int (*)(void const* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                     MPI_Request* request);

/// Makes a request that starts a send each time. SMPI loses sends of its own that are started again, and ends the
/// program where their other end is MPI_PROC_NULL.
int init_send(void const* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request* request,
              Send send, char const* function);

}  // namespace rondo::mpi
