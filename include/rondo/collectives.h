#pragma once

/* One set of collective interfaces [Traeff21]: the functions of the paper with its signatures, over any communicator of
 * any MPI. Their names are the paper's with Rondo_ in front, RONDO_ for constants; a program that defines
 * RONDO_UNPREFIXED before the first include of Rondo's headers has the paper's own names too: Bcast, Cart_name,
 * ROWMAJOR.
 *
 * What a collective means is determined by the communicator: on one that carries a distributed graph, and on an
 * inter-communicator (see rondo/topology.h), which is a bipartite graph, it is the sparse one of Section 2, on any
 * other one MPI's own. Rondo_Allgather(v,w) and Rondo_Alltoall(v,w) on a graph are the blocking neighborhood
 * collectives of rondo/topology.h, and carried out by the same algorithms.
 *
 * All of them return MPI_SUCCESS or an MPI error class. A rank that names no rank as the root gets MPI_ERR_ROOT, and on
 * SMPI leaves nobody waiting; ranks that name different ones may wait for each other. */

/* Programs written for the published prototype (parlab-tuwien/mpi-ortholib, names with TUW_) find the paper's functions
 * here, which differ from it in these:
 *   TUW_Cart_create_sub  keeps the dimensions that are not 0; the paper, and Rondo_Cart_create_sub, exclude them: give
 *                        the complement.
 *   TUW_Cart_neighbors   gives ranks, one for each neighbor, those of the caller whatever `rank` is, and looks at no
 *                        maxsize; the paper, and Rondo_Cart_neighbors, give relative coordinates, d integers for each,
 *                        of the neighbors of `rank`: call Rondo_Cart_allranks_relative with them.
 *   its stencils         by TUW_MANHATTAN_DISTANCE have points on the axes only, 2 depth for each dimension; here they
 *                        have all within the distance, as the paper says. The first coordinate runs fastest in those by
 *                        TUW_CHEBYCHEV_DISTANCE; here the last one does. On open dimensions it has MPI_PROC_NULL for
 *                        what lies outside, and counts it; here that is left out. */

#include <mpi.h>

#include "rondo/topology.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Listing 1. Collective: a fully connected communicator of the ranks of `comm`, in their order, without its
 * attributes; of an inter-communicator, of the local group. */
int Rondo_Comm_base(MPI_Comm comm, MPI_Comm* basecomm);
/* Collective: as MPI_Comm_split and so on, but what is split off a communicator with a graph carries its subgraph: the
 * edges between ranks of the same part, with their weights, in their order (Section 2.4). MPI's own functions do not
 * hand down a topology, as MPI 4.0 says. Comm_split and Comm_create make inter-communicators of one, as MPI's do. */
int Rondo_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* newcomm);
int Rondo_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm);
int Rondo_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* newcomm);
/* Collective over the group alone. */
int Rondo_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* newcomm);

/* Cartesian naming, Section 3. Ranks from the size of the grid on, and points of the grid from the size of the
 * communicator on, have no name: for them the functions give MPI_PROC_NULL. */

enum { RONDO_ROWMAJOR = 1, RONDO_COLMAJOR = 2 };
enum { RONDO_MANHATTAN_DISTANCE = 1, RONDO_CHEBYCHEV_DISTANCE = 2 };

/* Listing 3. Local; to be called alike by all ranks. A second name replaces the first. `dimorder` is RONDO_ROWMAJOR or
 * RONDO_COLMAJOR; `size` becomes the number of points. MPI_ERR_DIMS for a negative d, or extents that make no grid. */
int Rondo_Cart_name(MPI_Comm comm, int d, int dimorder, int order[], int period[], int* size);
/* `flag`: whether the communicator is named; else `d` and `size` are left alone. */
int Rondo_Cart_test(MPI_Comm cart, int* flag, int* d, int* size);
int Rondo_Cart_get(MPI_Comm cart, int* dimorder, int maxd, int order[], int period[]);

/* Listing 4. Coordinates are d integers. MPI_ERR_RANK for a rank that the communicator does not have; MPI_ERR_TOPOLOGY
 * without a name. */
int Rondo_Cart_rank(MPI_Comm cart, int coordinates[], int* rank);
int Rondo_Cart_coordinates(MPI_Comm cart, int rank, int coordinates[]);
int Rondo_Cart_relative_rank(MPI_Comm cart, int source, int relative[], int* dest);
/* In a periodic dimension the shortest way, of two the positive one. */
int Rondo_Cart_relative_coordinates(MPI_Comm cart, int source, int dest, int relative[]);
int Rondo_Cart_relative_shift(MPI_Comm cart, int rank, int relative[], int* inrank, int* outrank);
int Rondo_Cart_allranks(MPI_Comm cart, int n, int coordinates[], int ranks[]);
int Rondo_Cart_allranks_relative(MPI_Comm cart, int source, int n, int relatives[], int ranks[]);

/* Listing 5. Collective: communicators without a name of the ranks that differ only in the dimensions that are not
 * excluded (`dimension[j]` is 0), in their order; MPI_COMM_NULL at a rank without a name. */
int Rondo_Cart_create_sub(MPI_Comm cart, int dimension[], MPI_Comm* subcart);

/* Listing 6. The offsets of the stencil, d integers each, that lead from `rank` to ranks with a name and whose length
 * is at least `shadow` and at most `depth`, in lexicographic order. On a small torus several of them may lead to the
 * same rank. _neighbors gives the first `maxsize`. MPI_ERR_COUNT where more than 4,194,304 offsets would have to be
 * looked at, as with a large depth on periodic dimensions. */
int Rondo_Cart_neighbors_count(MPI_Comm cart, int rank, int metric, int shadow, int depth, int* size);
int Rondo_Cart_neighbors(MPI_Comm cart, int rank, int metric, int shadow, int depth, int maxsize, int neighbors[]);

/* Section 3.2. Collective: whether all ranks have the same neighbors relative to themselves, as far as those are on the
 * grid; `targets` are t ranks in any order. All ranks get the same answer, 0 where one has no name. */
int Rondo_Cart_isomorphic(MPI_Comm cart, int t, int targets[], int* flag);

/* The collectives, here without the prefix. On a graph rooted ones are between the root and its neighbors: Gather and
 * Reduce take from its sources, Bcast and Scatter give to its targets, the root itself only where it is its own
 * neighbor; blocks are in the order of the root's neighbors. Barrier waits for the sources only. Reduce and Allreduce
 * over no neighbor leave recvbuf alone, and need a commutative operation: MPI_ERR_OP. Rondo_Reduce_scatter,
 * Rondo_Reduce_scatter_block, Scan and Exscan are undefined on graphs: MPI_ERR_TOPOLOGY. The former two are MPI's on
 * inter-communicators. Alltoallw and Allgatherw have
 * displacements in bytes; Allgatherw, which the paper asks for, is not on communicators without a graph. MPI_IN_PLACE
 * is refused on graphs: MPI_ERR_BUFFER. On inter-communicators, which are complete bipartite graphs, roots are named as
 * MPI asks for, and Allgather is the inter-group all-to-all broadcast of rondo/intergroup.h: by group_allgather, or as
 * the environment's RONDO_INTER_ALLGATHER says, root_gathering. */

int Rondo_Barrier(MPI_Comm comm);
int Rondo_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);
int Rondo_Gather(void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm);
int Rondo_Gatherv(void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcounts[],
                  int recvdispls[], MPI_Datatype recvtype, int root, MPI_Comm comm);
int Rondo_Scatter(void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype, int root, MPI_Comm comm);
int Rondo_Scatterv(void* sendbuf, int sendcounts[], int senddispls[], MPI_Datatype sendtype, void* recvbuf,
                   int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int Rondo_Allgather(void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                    MPI_Datatype recvtype, MPI_Comm comm);
int Rondo_Allgatherv(void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcounts[],
                     int recvdispls[], MPI_Datatype recvtype, MPI_Comm comm);
int Rondo_Allgatherw(void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcounts[],
                     MPI_Aint recvdispls[], MPI_Datatype recvtypes[], MPI_Comm comm);
int Rondo_Alltoall(void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm);
int Rondo_Alltoallv(void* sendbuf, int sendcounts[], int senddispls[], MPI_Datatype sendtype, void* recvbuf,
                    int recvcounts[], int recvdispls[], MPI_Datatype recvtype, MPI_Comm comm);
int Rondo_Alltoallw(void* sendbuf, int sendcounts[], MPI_Aint senddispls[], MPI_Datatype sendtypes[], void* recvbuf,
                    int recvcounts[], MPI_Aint recvdispls[], MPI_Datatype recvtypes[], MPI_Comm comm);
int Rondo_Reduce(void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm);
int Rondo_Allreduce(void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int Rondo_Reduce_scatter(void* sendbuf, void* recvbuf, int recvcounts[], MPI_Datatype datatype, MPI_Op op,
                         MPI_Comm comm);
int Rondo_Reduce_scatter_block(void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                               MPI_Comm comm);
int Rondo_Scan(void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int Rondo_Exscan(void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

#ifdef __cplusplus
}
#endif

#ifdef RONDO_UNPREFIXED /* The paper's own names, for programs that ask for them before the first include. */
#define Comm_base Rondo_Comm_base
#define Comm_split Rondo_Comm_split
#define Comm_split_type Rondo_Comm_split_type
#define Comm_create Rondo_Comm_create
#define Comm_create_group Rondo_Comm_create_group
#define ROWMAJOR RONDO_ROWMAJOR
#define COLMAJOR RONDO_COLMAJOR
#define MANHATTAN_DISTANCE RONDO_MANHATTAN_DISTANCE
#define CHEBYCHEV_DISTANCE RONDO_CHEBYCHEV_DISTANCE
#define Cart_name Rondo_Cart_name
#define Cart_test Rondo_Cart_test
#define Cart_get Rondo_Cart_get
#define Cart_rank Rondo_Cart_rank
#define Cart_coordinates Rondo_Cart_coordinates
#define Cart_relative_rank Rondo_Cart_relative_rank
#define Cart_relative_coordinates Rondo_Cart_relative_coordinates
#define Cart_relative_shift Rondo_Cart_relative_shift
#define Cart_allranks Rondo_Cart_allranks
#define Cart_allranks_relative Rondo_Cart_allranks_relative
#define Cart_create_sub Rondo_Cart_create_sub
#define Cart_neighbors_count Rondo_Cart_neighbors_count
#define Cart_neighbors Rondo_Cart_neighbors
#define Cart_isomorphic Rondo_Cart_isomorphic
#define Barrier Rondo_Barrier
#define Bcast Rondo_Bcast
#define Gather Rondo_Gather
#define Gatherv Rondo_Gatherv
#define Scatter Rondo_Scatter
#define Scatterv Rondo_Scatterv
#define Allgather Rondo_Allgather
#define Allgatherv Rondo_Allgatherv
#define Allgatherw Rondo_Allgatherw
#define Alltoall Rondo_Alltoall
#define Alltoallv Rondo_Alltoallv
#define Alltoallw Rondo_Alltoallw
#define Reduce Rondo_Reduce
#define Allreduce Rondo_Allreduce
#define Reduce_scatter Rondo_Reduce_scatter
#define Reduce_scatter_block Rondo_Reduce_scatter_block
#define Scan Rondo_Scan
#define Exscan Rondo_Exscan
#endif
