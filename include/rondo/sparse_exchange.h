#ifndef RONDO_SPARSE_EXCHANGE_H
#define RONDO_SPARSE_EXCHANGE_H

/* Dynamic sparse exchange [Ibanez15]: the C interface of the paper's Section 3.1, over any MPI. Each rank packs
 * messages for the ranks it knows of; nobody knows who will send to it; an exchange ends when all have received all.
 *
 *   Rondo_comm_init(MPI_COMM_WORLD);
 *   RONDO_COMM_PACK(x, to); RONDO_COMM_PACK(y, to);         one message a rank, however often it is packed for
 *   Rondo_comm_exch();
 *   while (Rondo_comm_recv()) { RONDO_COMM_UNPACK(x); RONDO_COMM_UNPACK(y); from = Rondo_comm_from(); }
 *   Rondo_comm_finalize();
 *
 * The paper's names lack the prefix: comm_init, COMM_PACK. A program that defines RONDO_UNPREFIXED before the first
 * include has them too.
 *
 * States. A call that is wrong in the state of this rank is an error at once, which names the call as the paper does,
 * and the state. Rondo_ is left out here too:
 *
 *   UNINIT     comm_init -> IDLE
 *   IDLE       comm_finalize -> UNINIT, comm_pack -> PACK, comm_exch -> UNPACK
 *   PACK       comm_pack, comm_exch -> UNPACK
 *   UNPACK     comm_recv (true), comm_unpack, comm_from; comm_recv (false) -> IDLE; comm_pack -> BOTHPACK
 *   BOTHPACK   comm_pack, comm_recv (true), comm_unpack, comm_from; comm_recv (false) -> PACK
 *
 * Rondo_comm_rank, Rondo_comm_size and Rondo_comm_mpi are legal outside UNINIT. An exchange must be read to its end,
 * until Rondo_comm_recv returns 0, before the next one begins; what is packed meanwhile is for that one.
 *
 * Errors. None is returned: an error is told to the handler of Rondo_comm_on_error, and without one printed to stderr
 * and MPI_Abort is called. Where a handler returns, the call has changed nothing, and Rondo_comm_rank, Rondo_comm_size
 * and Rondo_comm_from return -1, Rondo_comm_mpi MPI_COMM_NULL, Rondo_comm_recv 0. After an error of MPI itself nothing
 * more can be relied on.
 *
 * Threads. The calls of one process must not overlap in time (MPI_THREAD_SERIALIZED).
 */

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Collective. Messages travel on duplicates of the communicator, which must be one of one group; ranks that are
 * configured differently are told so. After Rondo_comm_finalize, another one may be given. */
void Rondo_comm_init(MPI_Comm comm);
void Rondo_comm_finalize(void);

int Rondo_comm_rank(void);
int Rondo_comm_size(void);
/* The current communicator, for MPI's own collectives between exchanges (the paper's Listings 2 and 3): a duplicate of
 * the one that was given to Rondo_comm_init, which Rondo_comm_finalize frees. Its errors are returned. */
MPI_Comm Rondo_comm_mpi(void);

/* Adds bytes to the message to rank `to`, which may be this one; size 0 makes an empty message. At most 2^31 - 1 bytes
 * to a rank. */
void Rondo_comm_pack(void const* data, unsigned size, int to);
#define RONDO_COMM_PACK(o, to) Rondo_comm_pack(&(o), sizeof(o), to)

/* Collective. Sends what is packed; it may be nothing. */
void Rondo_comm_exch(void);

/* Whether there is something left to unpack, in any message: not zero until all bytes have been received and read. A
 * message that is empty is announced once, with Rondo_comm_from for its sender and nothing to unpack. */
int Rondo_comm_recv(void);

/* The next bytes of the current message, which must have as many left. Only Rondo_comm_recv goes on to the next
 * message. */
void Rondo_comm_unpack(void* data, unsigned size);
#define RONDO_COMM_UNPACK(o) Rondo_comm_unpack(&(o), sizeof(o))

/* The sender of the current message; like Rondo_comm_unpack, after a Rondo_comm_recv that has returned another value
 * than 0. */
int Rondo_comm_from(void);

/* Beyond the paper. */

/* Local, in any state. What is called with the text of an error, instead of the end of the program; NULL: the end. */
typedef void (*Rondo_comm_error_handler)(char const* text);
void Rondo_comm_on_error(Rondo_comm_error_handler handler);

/* Local, in state UNINIT; at all ranks alike, for what Rondo_comm_init makes from now on:
 *   "algorithm"   "nbx" (by default: non-blocking consensus with an opening barrier, the paper's Algorithm 2),
 *                 "nbx_tagged" (the number of the exchange in the tags instead of that barrier),
 *                 "personalized" (how many messages come is summed up by a reduce-scatter of p words),
 *                 "personalized_rooted" (the same by a reduction to rank 0 and a scatter from there, as the packages do
 *                 that the paper names in Section 2.3)
 *   "delivery"    "sorted" (by default: by sender, the same in every run), "arrival" (each as it comes, while
 *                 Rondo_comm_recv drives the exchange)
 *   "completion"  "poll" (by default: probes and tests in turns), "wait" (waits for any of its requests; a message of
 *                 "waited_bytes" or more then travels in two parts)
 *   "waited_bytes"  a number, 16384 by default
 *   "barrier"     "dissemination" (by default), "tree" */
void Rondo_comm_configure(char const* key, char const* value);

#ifdef __cplusplus
}
#endif

#ifdef RONDO_UNPREFIXED /* The paper's own names, for programs that ask for them before the first include. */
#define comm_init Rondo_comm_init
#define comm_finalize Rondo_comm_finalize
#define comm_rank Rondo_comm_rank
#define comm_size Rondo_comm_size
#define comm_mpi Rondo_comm_mpi
#define comm_pack Rondo_comm_pack
#define COMM_PACK RONDO_COMM_PACK
#define comm_exch Rondo_comm_exch
#define comm_recv Rondo_comm_recv
#define comm_unpack Rondo_comm_unpack
#define COMM_UNPACK RONDO_COMM_UNPACK
#define comm_from Rondo_comm_from
#define comm_error_handler Rondo_comm_error_handler
#define comm_on_error Rondo_comm_on_error
#define comm_configure Rondo_comm_configure
#endif

#endif
