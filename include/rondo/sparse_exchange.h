#ifndef RONDO_SPARSE_EXCHANGE_H
#define RONDO_SPARSE_EXCHANGE_H

/* Dynamic sparse exchange [Ibanez15]: the C interface of the paper's Section 3.1, over any MPI. Each rank packs
 * messages for the ranks it knows of; nobody knows who will send to it; an exchange ends when all have received all.
 *
 *   comm_init(MPI_COMM_WORLD);
 *   COMM_PACK(x, to); COMM_PACK(y, to);         one message a rank, however often it is packed for
 *   comm_exch();
 *   while (comm_recv()) { COMM_UNPACK(x); COMM_UNPACK(y); from = comm_from(); }
 *   comm_finalize();
 *
 * States. A call that is wrong in the state of this rank is an error at once, which names call and state:
 *
 *   UNINIT     comm_init -> IDLE
 *   IDLE       comm_finalize -> UNINIT, comm_pack -> PACK, comm_exch -> UNPACK
 *   PACK       comm_pack, comm_exch -> UNPACK
 *   UNPACK     comm_recv (true), comm_unpack, comm_from; comm_recv (false) -> IDLE; comm_pack -> BOTHPACK
 *   BOTHPACK   comm_pack, comm_recv (true), comm_unpack, comm_from; comm_recv (false) -> PACK
 *
 * comm_rank and comm_size are legal outside UNINIT. An exchange must be read to its end, until comm_recv returns 0,
 * before the next one begins; what is packed meanwhile is for that one.
 *
 * Errors. None is returned: an error is told to the handler of comm_on_error, and without one printed to stderr and
 * MPI_Abort is called. Where a handler returns, the call has changed nothing, and comm_rank, comm_size and comm_from
 * return -1, comm_recv 0. After an error of MPI itself nothing more can be relied on.
 *
 * Threads. The calls of one process must not overlap in time (MPI_THREAD_SERIALIZED).
 */

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Collective. Messages travel on duplicates of the communicator, which must be one of one group; ranks that are
 * configured differently are told so. After comm_finalize, another one may be given. */
void comm_init(MPI_Comm comm);
void comm_finalize(void);

int comm_rank(void);
int comm_size(void);

/* Adds bytes to the message to rank `to`, which may be this one; size 0 makes an empty message. At most 2^31 - 1 bytes
 * to a rank. */
void comm_pack(void const* data, unsigned size, int to);
#define COMM_PACK(o, to) comm_pack(&(o), sizeof(o), to)

/* Collective. Sends what is packed; it may be nothing. */
void comm_exch(void);

/* Whether bytes are left to unpack, in any message: not zero until all of them have been received and read. */
int comm_recv(void);

/* The next bytes of the current message, which must have as many left. Only comm_recv goes on to the next message. */
void comm_unpack(void* data, unsigned size);
#define COMM_UNPACK(o) comm_unpack(&(o), sizeof(o))

/* The sender of the current message; like comm_unpack, after a comm_recv that has returned another value than 0. */
int comm_from(void);

/* Beyond the paper. */

/* Local, in any state. What is called with the text of an error, instead of the end of the program; NULL: the end. */
typedef void (*comm_error_handler)(char const* text);
void comm_on_error(comm_error_handler handler);

/* Local, in state UNINIT; at all ranks alike, for what comm_init makes from now on:
 *   "algorithm"   "nbx" (by default: non-blocking consensus with an opening barrier, the paper's Algorithm 2),
 *                 "nbx_tagged" (the number of the exchange in the tags instead of that barrier),
 *                 "personalized" (how many messages come is summed up by a reduce-scatter of p words)
 *   "delivery"    "sorted" (by default: by sender, the same in every run), "arrival" (each as it comes, while comm_recv
 *                 drives the exchange)
 *   "completion"  "poll" (by default: probes and tests in turns), "wait" (waits for any of its requests; a message of
 *                 "waited_bytes" or more then travels in two parts)
 *   "waited_bytes"  a number, 16384 by default
 *   "barrier"     "dissemination" (by default), "tree" */
void comm_configure(char const* key, char const* value);

#ifdef __cplusplus
}
#endif

#endif
