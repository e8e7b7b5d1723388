#ifndef RONDO_INTERGROUP_H
#define RONDO_INTERGROUP_H

/* Inter-group all-to-all broadcast [Kang19] over any MPI: the block of each sender goes to each receiver. The ranks of
 * an intra-communicator say to which of the two groups they belong; each group is ordered by rank. What an
 * inter-communicator's MPI_Allgather does in one direction, which not every MPI has. A program that defines
 * RONDO_UNPREFIXED before the first include of Rondo's headers has the names without Rondo_ too.
 *
 * Errors. Every call returns MPI_SUCCESS or an MPI error class, and calls no error handler of the caller's
 * communicator, but for MPI errors while it is duplicated. The create and init calls are collective and compare what
 * the ranks say: an error at one rank, or other options or block sizes, is an error at every rank, not a hang.
 * Exceptions are those of a local handle: a null communicator, one without groups, an invalid request.
 *   MPI_ERR_NOT_SAME  the ranks differ in options or block sizes
 *   MPI_ERR_GROUP     no sender, or no receiver
 *   MPI_ERR_COUNT     a negative count; too large
 *   MPI_ERR_DIMS      "ring_sequences" with an odd number of senders or receivers; "ring_optimal" takes any;
 *                     "receiver_allgather" with fewer senders than receivers
 *   MPI_ERR_TOPOLOGY  a communicator without groups
 *   MPI_ERR_ARG       a null pointer, an unknown option or value
 *   MPI_ERR_TYPE      MPI_DATATYPE_NULL, or a datatype with gaps
 *   MPI_ERR_BUFFER    MPI_IN_PLACE
 *   MPI_ERR_REQUEST   a null request
 *
 * Datatypes. Blocks are moved as their bytes, which needs processes with the same representation of data.
 *
 * Threads. The calls of one process must not overlap in time (MPI_THREAD_SERIALIZED).
 */

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Rondo_Intergroup_request_state* Rondo_Intergroup_request;
#define RONDO_INTERGROUP_REQUEST_NULL ((Rondo_Intergroup_request)0)

/* Collective. A duplicate of the communicator that carries the two groups: the ranks with is_sender != 0, and the
 * others. It is the caller's, who frees it with MPI_Comm_free; requests may outlive it. Its duplicates carry no groups.
 * No message of the operations travels on it. */
int Rondo_Intergroup_create(MPI_Comm comm, int is_sender, MPI_Comm* groupcomm);

/* Local. The numbers p of senders and q of receivers. */
int Rondo_Intergroup_sizes(MPI_Comm groupcomm, int* senders, int* receivers);

/* Local. An option of the requests that are made from now on, the same at all ranks, in the words of scenarios:
 *   "algorithm"        "group_allgather" (at first), "root_gathering", "receiver_allgather" (the receivers alone
 *                      allgather what each has taken from its senders): for machines where any two ranks are as near;
 *                      "ring_sequences", "ring_allgather", "ring_optimal": every message goes to the next rank on the
 *                      circle of senders and receivers; "torus_rings": to a neighbor on a torus
 *   "torus"            for torus_rings: the extents of the torus on which the senders and then the receivers lie, row
 *                      by row, such as "4,4,4"; "" (at first): a ring. Senders fill places along its first dimension
 *   "allgather"        "bruck" (at first), "recursive_doubling", "ring": within group_allgather and receiver_allgather
 *   "broadcast"        "binomial" (at first), "scatter_allgather", "scatter_ring_allgather" or "multiple_messages":
 *                      within group_allgather and root_gathering
 *   "building_blocks"  "schedule" (at first): point-to-point messages by Rondo's schedule; "mpi": the MPI library's own
 *                      MPI_Allgather, MPI_Bcast and MPI_Gather between messages, as in the paper; for the first two
 *                      algorithms */
int Rondo_Intergroup_option_set(MPI_Comm groupcomm, char const* option, char const* value);

/* Collective. A sender's block of `count` elements, and the place of the p blocks at a receiver, block i behind block
 * i-1. All blocks of all ranks have the same number of bytes. A receiver's sendbuf and a sender's recvbuf are not
 * used. */
int Rondo_Intergroup_allgather_init(void const* sendbuf, void* recvbuf, int count, MPI_Datatype type,
                                    MPI_Comm groupcomm, Rondo_Intergroup_request* request);

/* The same with a number of elements for each sender's block, p of them, the same at all ranks; a receiver gets the
 * blocks one behind the other too. Not with "building_blocks" "mpi", MPI_ERR_ARG. */
int Rondo_Intergroup_allgatherv_init(void const* sendbuf, void* recvbuf, int const counts[], MPI_Datatype type,
                                     MPI_Comm groupcomm, Rondo_Intergroup_request* request);

/* Collective, blocking: the operation. A request may be started again and again, with new data in the same buffers. */
int Rondo_Intergroup_start(Rondo_Intergroup_request* request);

/* Collective where the request's building blocks are MPI's, else local. Sets it to RONDO_INTERGROUP_REQUEST_NULL. */
int Rondo_Intergroup_request_free(Rondo_Intergroup_request* request);

#ifdef __cplusplus
}
#endif

#ifdef RONDO_UNPREFIXED /* The names without prefix, for programs that ask for them before the first include. */
#define Intergroup_request Rondo_Intergroup_request
#define INTERGROUP_REQUEST_NULL RONDO_INTERGROUP_REQUEST_NULL
#define Intergroup_create Rondo_Intergroup_create
#define Intergroup_sizes Rondo_Intergroup_sizes
#define Intergroup_option_set Rondo_Intergroup_option_set
#define Intergroup_allgather_init Rondo_Intergroup_allgather_init
#define Intergroup_allgatherv_init Rondo_Intergroup_allgatherv_init
#define Intergroup_start Rondo_Intergroup_start
#define Intergroup_request_free Rondo_Intergroup_request_free
#endif

#endif
