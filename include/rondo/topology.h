#pragma once

/* MPI's chapter on process topologies, its neighborhood collectives and the calls that complete their requests, over
 * any communicator of any MPI. The arguments, their meaning and the error classes are those of the MPI functions that
 * have MPI_ in place of Rondo_. librondo_mpi defines those names, for programs that are simulated by SMPI, which lacks
 * them.
 *
 * A communicator carries its topology from the call that made it here: Rondo_Cart_create in place of MPI_Cart_create,
 * Rondo_Comm_dup in place of MPI_Comm_dup, and so on. Ranks are not reordered. Errors are returned, also where MPI's
 * own functions would call the communicator's error handler. If a rank's arguments are wrong, or do not fit those of
 * its neighbors, no other rank is left waiting, except as said below of the leaders of two groups. Combining
 * passes on blocks of types with gaps as MPI_PACKED; MPICH 4.0.2 fails to receive long ones (about 60 KB) as structures
 * of members of several sizes, whoever sent them: "naive" passes nothing on. */

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What MPI_Topo_test answers for an inter-communicator [Traeff21, Section 2]. */
#ifndef MPI_INTER
#define MPI_INTER 4
#endif

/* Topologies. In the lists of _create_adjacent MPI_PROC_NULL is a neighbor with which nothing is exchanged, as it is
 * outside a Cartesian grid. The info key rondo_neighbor_algorithm is looked at, see below. */

int Rondo_Dist_graph_create(MPI_Comm comm, int n, int const sources[], int const degrees[], int const destinations[],
                            int const weights[], MPI_Info info, int reorder, MPI_Comm* graphcomm);
int Rondo_Dist_graph_create_adjacent(MPI_Comm comm, int indegree, int const sources[], int const sourceweights[],
                                     int outdegree, int const destinations[], int const destweights[], MPI_Info info,
                                     int reorder, MPI_Comm* graphcomm);
int Rondo_Dist_graph_neighbors_count(MPI_Comm comm, int* indegree, int* outdegree, int* weighted);
int Rondo_Dist_graph_neighbors(MPI_Comm comm, int maxindegree, int sources[], int sourceweights[], int maxoutdegree,
                               int destinations[], int destweights[]);
/* A graph of which every rank knows the whole. A neighborhood collective on it needs every edge to lead back too:
 * MPI_ERR_TOPOLOGY where one does not. */
int Rondo_Graph_create(MPI_Comm comm, int nnodes, int const index[], int const edges[], int reorder,
                       MPI_Comm* graphcomm);
int Rondo_Graphdims_get(MPI_Comm comm, int* nnodes, int* nedges);
int Rondo_Graph_get(MPI_Comm comm, int maxindex, int maxedges, int index[], int edges[]);
int Rondo_Graph_neighbors_count(MPI_Comm comm, int rank, int* nneighbors);
int Rondo_Graph_neighbors(MPI_Comm comm, int rank, int maxneighbors, int neighbors[]);
/* The rank itself, for ranks are not reordered, or MPI_UNDEFINED if it has no place. */
int Rondo_Graph_map(MPI_Comm comm, int nnodes, int const index[], int const edges[], int* newrank);
int Rondo_Cart_map(MPI_Comm comm, int ndims, int const dims[], int const periods[], int* newrank);
int Rondo_Topo_test(MPI_Comm comm, int* status);
/* Balanced: the difference between the largest and the smallest of the chosen extents is as small as it can be; of
 * several such choices, the one whose smallest extent is largest. */
int Rondo_Dims_create(int nnodes, int ndims, int dims[]);
int Rondo_Cart_create(MPI_Comm comm, int ndims, int const dims[], int const periods[], int reorder, MPI_Comm* cartcomm);
int Rondo_Cart_sub(MPI_Comm comm, int const remain_dims[], MPI_Comm* cartcomm);
int Rondo_Comm_dup(MPI_Comm comm, MPI_Comm* newcomm);
int Rondo_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm);
/* On SMPI no rank waits here, and the request completes when rank 0 has made it too; the key
 * rondo_neighbor_algorithm is not looked at, on which ranks would have to agree. On other MPIs, which have a function
 * of that name themselves, as Rondo_Comm_dup, for which they wait; the request is complete. */
int Rondo_Comm_idup(MPI_Comm comm, MPI_Comm* newcomm, MPI_Request* request);
int Rondo_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm, MPI_Request* request);
int Rondo_Comm_set_info(MPI_Comm comm, MPI_Info info);

/* Inter-communicators. What they are to the MPI library is a communicator of the local group: their collectives are
 * those of rondo/collectives.h, as are Rondo_Comm_split and Rondo_Comm_create. Messages between single ranks are to be
 * had by MPI's own names in librondo_mpi alone. Two groups need processes that share MPI_COMM_WORLD; MPI_ERR_COMM where
 * they overlap, or for MPI_COMM_NULL. A leader that names a wrong remote leader, peer communicator or tag cannot tell
 * that to the right one, which waits for it. */

int Rondo_Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader, int tag,
                           MPI_Comm* newintercomm);
int Rondo_Intercomm_merge(MPI_Comm intercomm, int high, MPI_Comm* newintracomm);
int Rondo_Comm_remote_size(MPI_Comm comm, int* size);
int Rondo_Comm_remote_group(MPI_Comm comm, MPI_Group* group);
int Rondo_Comm_test_inter(MPI_Comm comm, int* flag);

/* Neighborhood collectives: blocking, non-blocking and persistent. Their algorithms:
 *
 *   "naive": a message an edge, all at once.
 *
 *   "torus": on a Cartesian graph message combining hop by hop along the dimensions [Traeff16]; naive on others.
 *
 *   "common_neighbors": message combining between ranks with common targets [Mirsadeghi17], on any graph; naive in an
 *   all-to-all if a rank lists a neighbor twice.
 *
 *   "auto": the default. "torus" on a Cartesian graph, "common_neighbors" on others, where that is faster by the linear
 *   cost model, else "naive"; always "naive" where the start-ups of messages overlap.
 *
 * The environment's RONDO_NEIGHBOR_ALGORITHM has the last word when a communicator is made, before the key
 * rondo_neighbor_algorithm of the info given to Dist_graph_create(_adjacent), Comm_dup_with_info or Comm_set_info.
 * Another name is an error, MPI_ERR_ARG or MPI_ERR_INFO_VALUE, and so is one that not all ranks say: MPI_ERR_NOT_SAME.
 *
 * A graph is Cartesian if all ranks have the same neighbors relative to themselves, as far as those are on the grid, in
 * any order: the graph of a communicator from Rondo_Cart_create, and one made by Dist_graph_create(_adjacent) on such a
 * communicator or on one that has a Cartesian name (Rondo_Cart_name of rondo/collectives.h). Its dimensions may be
 * periodic or not; every rank must have a name and a neighbor. RONDO_NEIGHBOR_TORUS, such as 8,8, gives names to the
 * ranks of each communicator of that size that has none; if "torus" is named, closed tori are found without it too.
 * Otherwise it is a graph like any other.
 *
 * auto. With m bytes a block a rank that sends s messages takes s (alpha + beta m) to do so, and with combining, D
 * messages of V blocks in all, D alpha + beta V m: combining is chosen where that is less, m < (alpha / beta) (s - D) /
 * (V - s) if V > s. s, D and V are sums over the rounds of what the rank does that has most to do in a round; common
 * neighbors are not even looked for from m = (alpha / beta) s / 2 on. RONDO_NEIGHBOR_LATENCY is alpha, 1us if not set,
 * RONDO_NEIGHBOR_BANDWIDTH 1 / beta, 1GBps if not set. RONDO_NEIGHBOR_STARTUPS says whether the messages that a rank
 * posts at once start one after the other, "serialised", or side by side, "overlapping", as they do under smpirun's own
 * models and therefore on SMPI if it is not set. All ranks choose the same, whatever their arguments:
 *
 *   blocking: naive, until an agreement on the size of blocks takes at most 5 % of what the calls have taken; then they
 *   agree in the calls number n, 2 n, 4 n, ... of a collective on the communicator, if any size would make combining
 *   faster; the calls between follow the last agreement. v, w: naive.
 *
 *   non-blocking, persistent: naive, which needs nothing of processes that are elsewhere.
 *
 * A named algorithm is used in non-blocking forms too, but for v and w; in v and w forms of blocking calls, which then
 * agree each time; and in persistent forms, which agree on the sizes of blocks in the _init call, so that it may wait
 * for all ranks. Blocks of different sizes (v, w) are combined on a Cartesian graph if equally placed neighbors' have
 * the same size at all ranks, and on other graphs if all have one size; else it is naive. A combining operation of
 * several rounds goes on only while its process is in a call that makes neighborhood collectives, starts, waits or
 * tests: a process that waits elsewhere, as in a barrier, between start and wait holds up others. Blocks may pass
 * through the receive buffers of others while an operation is active; bytes that belong to no block are not touched.
 * Where sizes of blocks do not fit, an operation that combines fails at all ranks that depend on it, at more of them
 * than a naive one. */

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
