#pragma once

/* What SMPI's mpi.h does not declare: MPI 4's persistent collectives, MPI_INTER, and an MPI_ROOT that is no rank.
 * large_counts.h has MPI 4's functions for large counts.
 * Include this after mpi.h, or compile with `-include`, and link with librondo_mpi. Everything else in the library is
 * declared by mpi.h. */

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What MPI_Topo_test answers for an inter-communicator [Traeff21, Section 2]. */
#ifndef MPI_INTER
#define MPI_INTER 4
#endif

#ifndef RONDO_IN_THE_LIBRARY
/* SMPI's own is a null pointer, which is no list at all; the library takes either. An address on the first page, where
 * gcc knows that nothing lies, would be warned of. */
#undef MPI_UNWEIGHTED
#define MPI_UNWEIGHTED ((int*)0x5200)

/* SMPI's own is 0, as the rank of a root in the other group may be: between two groups of one process nothing else
 * tells which of them is the root's. */
#undef MPI_ROOT
#define MPI_ROOT (-3)

/* SMPI's own is MPI_MESSAGE_NULL, which no function receives. */
#undef MPI_MESSAGE_NO_PROC
#define MPI_MESSAGE_NO_PROC ((MPI_Message)0x5300)

/* SMPI's own is 3, as the size of a block may be. */
#undef MPI_DISTRIBUTE_DFLT_DARG
#define MPI_DISTRIBUTE_DFLT_DARG (-1)
#endif
/* Tells the library that this program has these constants. */
extern int const rondo_names_its_constants __attribute__((weak));
/* Brings the library into the program, by whatever words it is linked, or fails to. */
extern char const rondo_mpi_is_linked;
#ifndef RONDO_IN_THE_LIBRARY
int const rondo_names_its_constants = 1;
static char const* const rondo_mpi_linked __attribute__((used)) = &rondo_mpi_is_linked;
#endif

int MPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm, MPI_Request* request);

/* MPI 4's persistent collectives. */
int MPI_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request* request);
int MPI_Bcast_init(void* buf, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
                   MPI_Request* request);
int MPI_Gather_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                    MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request* request);
int MPI_Gatherv_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int const recvcounts[],
                     int const displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                     MPI_Request* request);
int MPI_Scatter_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                     MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request* request);
int MPI_Scatterv_init(void const* sendbuf, int const sendcounts[], int const displs[], MPI_Datatype sendtype,
                      void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                      MPI_Request* request);
int MPI_Allgather_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                       MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request);
int MPI_Allgatherv_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        int const recvcounts[], int const displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                        MPI_Request* request);
int MPI_Alltoall_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                      MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request);
int MPI_Alltoallv_init(void const* sendbuf, int const sendcounts[], int const sdispls[], MPI_Datatype sendtype,
                       void* recvbuf, int const recvcounts[], int const rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                       MPI_Info info, MPI_Request* request);
int MPI_Alltoallw_init(void const* sendbuf, int const sendcounts[], int const sdispls[], MPI_Datatype const sendtypes[],
                       void* recvbuf, int const recvcounts[], int const rdispls[], MPI_Datatype const recvtypes[],
                       MPI_Comm comm, MPI_Info info, MPI_Request* request);
int MPI_Reduce_init(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                    MPI_Comm comm, MPI_Info info, MPI_Request* request);
int MPI_Allreduce_init(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                       MPI_Info info, MPI_Request* request);
int MPI_Reduce_scatter_init(void const* sendbuf, void* recvbuf, int const recvcounts[], MPI_Datatype datatype,
                            MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request);
int MPI_Reduce_scatter_block_init(void const* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                                  MPI_Comm comm, MPI_Info info, MPI_Request* request);
int MPI_Scan_init(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                  MPI_Info info, MPI_Request* request);
int MPI_Exscan_init(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                    MPI_Info info, MPI_Request* request);

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

#ifndef RONDO_IN_THE_LIBRARY
#include "rondo/large_counts.h"
#endif

#ifdef __cplusplus
}
#endif
