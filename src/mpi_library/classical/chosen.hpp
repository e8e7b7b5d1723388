#pragma once

// The blocking collectives of MPI, each by the algorithm that was chosen for it, or by the MPI library's own. What they
// return is what was wrong in Rondo's; of its own errors the MPI library has told the communicator's handler.

#include <mpi.h>

namespace rondo::mpi::chosen {

int barrier(MPI_Comm comm);
int bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);
int gather(void const* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
           MPI_Datatype receive_type, int root, MPI_Comm comm);
int gatherv(void const* send, int send_count, MPI_Datatype send_type, void* receive, int const* counts,
            int const* displacements, MPI_Datatype receive_type, int root, MPI_Comm comm);
int scatter(void const* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
            MPI_Datatype receive_type, int root, MPI_Comm comm);
int scatterv(void const* send, int const* counts, int const* displacements, MPI_Datatype send_type, void* receive,
             int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm);
int allgather(void const* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
              MPI_Datatype receive_type, MPI_Comm comm);
int allgatherv(void const* send, int send_count, MPI_Datatype send_type, void* receive, int const* counts,
               int const* displacements, MPI_Datatype receive_type, MPI_Comm comm);
int alltoall(void const* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
             MPI_Datatype receive_type, MPI_Comm comm);
int alltoallv(void const* send, int const* send_counts, int const* send_displacements, MPI_Datatype send_type,
              void* receive, int const* counts, int const* displacements, MPI_Datatype receive_type, MPI_Comm comm);
int reduce(void const* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm);
int allreduce(void const* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int reduce_scatter(void const* send, void* receive, int const* counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int reduce_scatter_block(void const* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int scan(void const* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int exscan(void const* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);

}  // namespace rondo::mpi::chosen
