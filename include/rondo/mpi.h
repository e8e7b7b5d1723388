#pragma once

/* What SMPI's mpi.h does not declare: MPI 4's persistent neighborhood collectives, MPI_INTER, and an MPI_ROOT that is
 * no rank. Include this after mpi.h, or compile with `-include`, and link with librondo_mpi. Everything else in the
 * library is declared by mpi.h. */

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What MPI_Topo_test answers for an inter-communicator [Traeff21, Section 2]. */
#ifndef MPI_INTER
#define MPI_INTER 4
#endif

/* SMPI's own is 0, as the rank of a root in the other group may be: between two groups of one process nothing else
 * tells which of them is the root's. */
#undef MPI_ROOT
#define MPI_ROOT (-3)

int MPI_Neighbor_allgather_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                                MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request);
int MPI_Neighbor_allgatherv_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                 int const recvcounts[], int const displs[], MPI_Datatype recvtype, MPI_Comm comm,
                                 MPI_Info info, MPI_Request* request);
int MPI_Neighbor_alltoall_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                               MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request);
int MPI_Neighbor_alltoallv_init(void const* sendbuf, int const sendcounts[], int const sdispls[], MPI_Datatype sendtype,
                                void* recvbuf, int const recvcounts[], int const rdispls[], MPI_Datatype recvtype,
                                MPI_Comm comm, MPI_Info info, MPI_Request* request);
int MPI_Neighbor_alltoallw_init(void const* sendbuf, int const sendcounts[], MPI_Aint const sdispls[],
                                MPI_Datatype const sendtypes[], void* recvbuf, int const recvcounts[],
                                MPI_Aint const rdispls[], MPI_Datatype const recvtypes[], MPI_Comm comm, MPI_Info info,
                                MPI_Request* request);

#ifdef __cplusplus
}
#endif
