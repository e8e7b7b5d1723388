#ifndef RONDO_ISOMORPHIC_H
#define RONDO_ISOMORPHIC_H

/* Isomorphic, sparse collective communication [Traeff16]: the C interface of the paper's Listings 1 to 3, over any MPI,
 * under the paper's names with Rondo_ in front. A program that defines RONDO_UNPREFIXED before the first include of
 * Rondo's headers has the paper's own names too, such as Iso_start.
 *
 * The ranks of a communicator stand on a d-dimensional torus, and all of them have the same neighborhood, a list of s
 * relative offsets C^0 .. C^(s-1): rank R sends block i to R (+) C^i and receives block i from R (-) C^i. Offsets may
 * repeat, be zero, and be larger than the torus. Different offsets may name the same rank.
 *
 * A schedule is computed locally by each rank, when a request is made, from relative offsets alone. Blocks are combined
 * to few messages and never packed: a message is a derived datatype over the caller's buffers and an intermediate
 * buffer of the request. Blocks of other ranks pass through the receive buffer, so that what it holds while the
 * operation is active is undefined; bytes that belong to no block are not touched.
 *
 * Errors. Every call returns MPI_SUCCESS or an MPI error class, and calls no error handler of the caller's
 * communicator, but for MPI errors while it is duplicated. The create and init calls are collective and compare what
 * the ranks say: an error at one rank, or another list, order, algorithm or block size, is an error at every rank, not
 * a hang. Exceptions are those of a local handle: a null communicator, one without neighborhood, an invalid request.
 *   MPI_ERR_NOT_SAME  the ranks differ in list, extents, algorithm, collective or block sizes
 *   MPI_ERR_COUNT     a negative number; a block of another size in the receive than in the send buffer; too large
 *   MPI_ERR_DIMS      the extents do not give the communicator's size
 *   MPI_ERR_TOPOLOGY  a communicator without Cartesian topology, or without neighborhood; "parity" where a dimension is
 *                     not periodic
 *   MPI_ERR_ARG       a null pointer for anything else, an unknown option or value, "steiner" in an
 *                     all-to-all
 *   MPI_ERR_TYPE      MPI_DATATYPE_NULL
 *   MPI_ERR_BUFFER    MPI_IN_PLACE; a null pointer for a buffer of blocks that have bytes
 *   MPI_ERR_REQUEST   a null request; one that is active where it must not be
 *
 * Datatypes. The two sides of a block may have different datatypes, derived ones too, of the same number of bytes. On
 * its way a block waits under its sender's datatype, if that has no gaps, so that all type signatures match if those of
 * the callers do; else, and where it passes through the receive buffers of others, it is taken as its bytes in the
 * order of the datatype. That needs processes with the same representation of data.
 *
 * Threads. The calls of one process must not overlap in time (MPI_THREAD_SERIALIZED).
 */

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Rondo_Iso_request_state* Rondo_Iso_request;
#define RONDO_ISO_REQUEST_NULL ((Rondo_Iso_request)0)

/* Listing 1. Collective. A duplicate of a Cartesian communicator that carries the neighborhood of s offsets, d integers
 * each, one behind the other. Past the ends of a dimension that is not periodic nothing is sent, and what is received
 * from there is left as it is. The communicator is the caller's, who frees it with MPI_Comm_free;
 * requests may outlive it. Its duplicates carry no neighborhood. No message of the operations travels on it. */
int Rondo_Iso_neighborhood_create(MPI_Comm cartcomm, int s, int const relative_coordinates[], MPI_Comm* isocomm);

/* The same on any communicator, whose ranks are taken row-major (the last dimension fastest) on a torus of these
 * extents, as those of a Cartesian communicator are. */
int Rondo_Iso_neighborhood_create_torus(MPI_Comm comm, int d, int const extents[], int s,
                                        int const relative_coordinates[], MPI_Comm* isocomm);

/* Local. An option of the requests that are made from now on, the same at all ranks, in the words of scenarios and with
 * the same meaning: the schedules are those of a scenario's isomorphic_alltoall or isomorphic_allgather.
 *   "algorithm"
 *     "straightforward"  one neighbor a round, s rounds (Listing 4)
 *     "posted"           all messages at once, as MPI libraries do their neighborhood collectives (Section 4)
 *     "torus"            message combining, hop by hop along the dimensions (Section 3); the default, unless
 *                        the environment's RONDO_ISO_ALGORITHM, the same at all ranks, names another
 *     "direct"           message combining, one message to each different coordinate (Section 5)
 *     "basis"            one round for each vector of an additive basis (Section 5)
 *     "parity"           on periodic dimensions: odd-even exchange, max(P,N)+1 rounds instead of P+N
 *     "steiner"          allgather: single hops that share more of their ways than the paper's
 *   "dimension_order"  in which dimensions are corrected: "given" (0, 1, ...; the default), "best" (fewest blocks in an
 *                      allgather), "paper" (its heuristic)
 *   "shortest_wrap"    "true": offsets are replaced by equivalent ones that take the fewest rounds around the torus;
 *                      "false" (the default): they are followed as they are given, also more than once around */
int Rondo_Iso_option_set(MPI_Comm isocomm, char const* option, char const* value);
/* The same for the option "algorithm". */
int Rondo_Iso_algorithm_set(MPI_Comm isocomm, char const* algorithm);

/* Listing 2. Collective. Block i lies behind block i-1, as in MPI_Neighbor_alltoall and MPI_Neighbor_allgather. All
 * blocks of all ranks have the same number of bytes. */
int Rondo_Iso_neighbor_alltoall_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                     int recvcount, MPI_Datatype recvtype, MPI_Comm isocomm,
                                     Rondo_Iso_request* request);
int Rondo_Iso_neighbor_allgather_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                      int recvcount, MPI_Datatype recvtype, MPI_Comm isocomm,
                                      Rondo_Iso_request* request);

/* Listing 3. Collective. s counts and displacements: in extents of the datatype (v) or in bytes (w), as in
 * MPI_Neighbor_alltoallv and _alltoallw. Blocks i of all ranks have the same number of bytes; in an allgather, all. */
int Rondo_Iso_neighbor_alltoallv_init(void const* sendbuf, int const sendcounts[], MPI_Aint const senddispls[],
                                      MPI_Datatype sendtype, void* recvbuf, int const recvcounts[],
                                      MPI_Aint const recvdispls[], MPI_Datatype recvtype, MPI_Comm isocomm,
                                      Rondo_Iso_request* request);
int Rondo_Iso_neighbor_alltoallw_init(void const* sendbuf, int const sendcounts[], MPI_Aint const senddispls[],
                                      MPI_Datatype const sendtypes[], void* recvbuf, int const recvcounts[],
                                      MPI_Aint const recvdispls[], MPI_Datatype const recvtypes[], MPI_Comm isocomm,
                                      Rondo_Iso_request* request);
int Rondo_Iso_neighbor_allgatherv_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                       int const recvcounts[], MPI_Aint const recvdispls[], MPI_Datatype recvtype,
                                       MPI_Comm isocomm, Rondo_Iso_request* request);
int Rondo_Iso_neighbor_allgatherw_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                       int const recvcounts[], MPI_Aint const recvdispls[],
                                       MPI_Datatype const recvtypes[], MPI_Comm isocomm, Rondo_Iso_request* request);

/* Local. The number of rounds of the request's schedule. */
int Rondo_Iso_request_rounds(Rondo_Iso_request request, int* rounds);

/* Listing 2. Starts the operation and completes it. A request may be started again and again, whenever it is not
 * active, with new data in the same buffers. */
int Rondo_Iso_start(Rondo_Iso_request* request);

/* The non-blocking start that the paper's summary asks for, and its completion. Several requests may be active at
 * once, started and completed in any order, which may differ between ranks. A rank takes part in the rounds of all its
 * active requests while it is in one of these three calls, and only then: a rank that blocks elsewhere, for instance
 * in a barrier, while it has an active request holds up the others. Completing an inactive request does nothing. */
int Rondo_Iso_istart(Rondo_Iso_request* request);
int Rondo_Iso_wait(Rondo_Iso_request* request);
int Rondo_Iso_test(Rondo_Iso_request* request, int* flag);

/* Listing 2. Frees an inactive request and sets it to RONDO_ISO_REQUEST_NULL. Requests are freed in any order. */
int Rondo_Iso_request_free(Rondo_Iso_request* request);

#ifdef __cplusplus
}
#endif

#ifdef RONDO_UNPREFIXED /* The paper's own names, for programs that ask for them before the first include. */
#define Iso_request Rondo_Iso_request
#define ISO_REQUEST_NULL RONDO_ISO_REQUEST_NULL
#define Iso_neighborhood_create Rondo_Iso_neighborhood_create
#define Iso_neighborhood_create_torus Rondo_Iso_neighborhood_create_torus
#define Iso_option_set Rondo_Iso_option_set
#define Iso_algorithm_set Rondo_Iso_algorithm_set
#define Iso_neighbor_alltoall_init Rondo_Iso_neighbor_alltoall_init
#define Iso_neighbor_allgather_init Rondo_Iso_neighbor_allgather_init
#define Iso_neighbor_alltoallv_init Rondo_Iso_neighbor_alltoallv_init
#define Iso_neighbor_alltoallw_init Rondo_Iso_neighbor_alltoallw_init
#define Iso_neighbor_allgatherv_init Rondo_Iso_neighbor_allgatherv_init
#define Iso_neighbor_allgatherw_init Rondo_Iso_neighbor_allgatherw_init
#define Iso_request_rounds Rondo_Iso_request_rounds
#define Iso_start Rondo_Iso_start
#define Iso_istart Rondo_Iso_istart
#define Iso_wait Rondo_Iso_wait
#define Iso_test Rondo_Iso_test
#define Iso_request_free Rondo_Iso_request_free
#endif

#endif
