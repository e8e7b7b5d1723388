#pragma once

/* MPI's chapter on process topologies, its neighborhood collectives and the calls that complete their requests, over
 * any communicator of any MPI. The arguments, their meaning and the error classes are those of the MPI functions that
 * have MPI_ in place of Rondo_. librondo_mpi defines those names, for programs that are simulated by SMPI, which lacks
 * them.
 *
 * A communicator carries its topology from the call that made it here: Rondo_Cart_create in place of MPI_Cart_create,
 * Rondo_Comm_dup in place of MPI_Comm_dup, and so on. Ranks are not reordered. Errors are returned, also where MPI's
 * own functions would call the communicator's error handler; a rank whose arguments are wrong, or fit none of its
 * neighbors', never leaves the others waiting. */

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What MPI_Topo_test answers for an inter-communicator [Traeff21, Section 2]. */
#ifndef MPI_INTER
#define MPI_INTER 4
#endif

/* Topologies. In the lists of _create_adjacent MPI_PROC_NULL is a neighbor with which nothing is exchanged, as it is
 * outside a Cartesian grid. Info keys are not looked at. */

int Rondo_Dist_graph_create(MPI_Comm comm, int n, int const sources[], int const degrees[], int const destinations[],
                            int const weights[], MPI_Info info, int reorder, MPI_Comm* graphcomm);
int Rondo_Dist_graph_create_adjacent(MPI_Comm comm, int indegree, int const sources[], int const sourceweights[],
                                     int outdegree, int const destinations[], int const destweights[], MPI_Info info,
                                     int reorder, MPI_Comm* graphcomm);
int Rondo_Dist_graph_neighbors_count(MPI_Comm comm, int* indegree, int* outdegree, int* weighted);
int Rondo_Dist_graph_neighbors(MPI_Comm comm, int maxindegree, int sources[], int sourceweights[], int maxoutdegree,
                               int destinations[], int destweights[]);
int Rondo_Topo_test(MPI_Comm comm, int* status);
int Rondo_Cart_create(MPI_Comm comm, int ndims, int const dims[], int const periods[], int reorder, MPI_Comm* cartcomm);
int Rondo_Cart_sub(MPI_Comm comm, int const remain_dims[], MPI_Comm* cartcomm);
int Rondo_Comm_dup(MPI_Comm comm, MPI_Comm* newcomm);
int Rondo_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm);

/* Inter-communicators. What they are to the library is a communicator of the local group: its collectives are those of
 * rondo_collectives.h, and messages between single ranks are not to be had. Two groups need processes that share
 * MPI_COMM_WORLD; MPI_ERR_COMM where they overlap, or for a communicator that is none. */

int Rondo_Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader, int tag,
                           MPI_Comm* newintercomm);
int Rondo_Intercomm_merge(MPI_Comm intercomm, int high, MPI_Comm* newintracomm);
int Rondo_Comm_remote_size(MPI_Comm comm, int* size);
int Rondo_Comm_remote_group(MPI_Comm comm, MPI_Group* group);
int Rondo_Comm_test_inter(MPI_Comm comm, int* flag);

/* Neighborhood collectives: blocking, non-blocking and persistent. */

int Rondo_Neighbor_allgather(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                             MPI_Datatype recvtype, MPI_Comm comm);
int Rondo_Ineighbor_allgather(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                              MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request);
int Rondo_Neighbor_allgather_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                  int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                  MPI_Request* request);
int Rondo_Neighbor_allgatherv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                              int const recvcounts[], int const displs[], MPI_Datatype recvtype, MPI_Comm comm);
int Rondo_Ineighbor_allgatherv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                               int const recvcounts[], int const displs[], MPI_Datatype recvtype, MPI_Comm comm,
                               MPI_Request* request);
int Rondo_Neighbor_allgatherv_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                   int const recvcounts[], int const displs[], MPI_Datatype recvtype, MPI_Comm comm,
                                   MPI_Info info, MPI_Request* request);
int Rondo_Neighbor_alltoall(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                            MPI_Datatype recvtype, MPI_Comm comm);
int Rondo_Ineighbor_alltoall(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                             MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request);
int Rondo_Neighbor_alltoall_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                 int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                 MPI_Request* request);
int Rondo_Neighbor_alltoallv(void const* sendbuf, int const sendcounts[], int const sdispls[], MPI_Datatype sendtype,
                             void* recvbuf, int const recvcounts[], int const rdispls[], MPI_Datatype recvtype,
                             MPI_Comm comm);
int Rondo_Ineighbor_alltoallv(void const* sendbuf, int const sendcounts[], int const sdispls[], MPI_Datatype sendtype,
                              void* recvbuf, int const recvcounts[], int const rdispls[], MPI_Datatype recvtype,
                              MPI_Comm comm, MPI_Request* request);
int Rondo_Neighbor_alltoallv_init(void const* sendbuf, int const sendcounts[], int const sdispls[],
                                  MPI_Datatype sendtype, void* recvbuf, int const recvcounts[], int const rdispls[],
                                  MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request);
int Rondo_Neighbor_alltoallw(void const* sendbuf, int const sendcounts[], MPI_Aint const sdispls[],
                             MPI_Datatype const sendtypes[], void* recvbuf, int const recvcounts[],
                             MPI_Aint const rdispls[], MPI_Datatype const recvtypes[], MPI_Comm comm);
int Rondo_Ineighbor_alltoallw(void const* sendbuf, int const sendcounts[], MPI_Aint const sdispls[],
                              MPI_Datatype const sendtypes[], void* recvbuf, int const recvcounts[],
                              MPI_Aint const rdispls[], MPI_Datatype const recvtypes[], MPI_Comm comm,
                              MPI_Request* request);
int Rondo_Neighbor_alltoallw_init(void const* sendbuf, int const sendcounts[], MPI_Aint const sdispls[],
                                  MPI_Datatype const sendtypes[], void* recvbuf, int const recvcounts[],
                                  MPI_Aint const rdispls[], MPI_Datatype const recvtypes[], MPI_Comm comm,
                                  MPI_Info info, MPI_Request* request);

/* For these requests and all others, alone and together. */

int Rondo_Start(MPI_Request* request);
int Rondo_Startall(int count, MPI_Request requests[]);
int Rondo_Wait(MPI_Request* request, MPI_Status* status);
int Rondo_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]);
int Rondo_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status);
int Rondo_Waitsome(int incount, MPI_Request requests[], int* outcount, int indices[], MPI_Status statuses[]);
int Rondo_Test(MPI_Request* request, int* flag, MPI_Status* status);
int Rondo_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]);
int Rondo_Testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status);
int Rondo_Testsome(int incount, MPI_Request requests[], int* outcount, int indices[], MPI_Status statuses[]);
int Rondo_Request_get_status(MPI_Request request, int* flag, MPI_Status* status);
int Rondo_Request_free(MPI_Request* request);

#ifdef __cplusplus
}
#endif
