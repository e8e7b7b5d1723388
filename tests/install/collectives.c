/* Each of the C headers at work, under the names with Rondo_ in front, or, with -DRONDO_UNPREFIXED, under the papers'.
 */

#include <mpi.h>
#include <rondo/collectives.h>
#include <rondo/intergroup.h>
#include <rondo/isomorphic.h>
#include <rondo/mpi.h>
#include <rondo/sparse_exchange.h>
#include <rondo/topology.h>
#include <stdio.h>

#ifdef RONDO_UNPREFIXED
#define NAME(name) name
#define CONSTANT(name) name
#else
#define NAME(name) Rondo_##name
#define CONSTANT(name) RONDO_##name
#endif

static int rank, size;

/* The ranks stand on a circle, and each one's number goes to both sides: counts what does not arrive. */
static int isomorphic(void) {
  int const extents[] = {size}, offsets[] = {1, -1};
  int mine[2], got[2] = {-1, -1};
  MPI_Comm comm;
  NAME(Iso_request) request = CONSTANT(ISO_REQUEST_NULL);
  mine[0] = mine[1] = rank;
  NAME(Iso_neighborhood_create_torus)(MPI_COMM_WORLD, 1, extents, 2, offsets, &comm);
  NAME(Iso_neighbor_alltoall_init)(mine, 1, MPI_INT, got, 1, MPI_INT, comm, &request);
  NAME(Iso_start)(&request);
  NAME(Iso_request_free)(&request);
  MPI_Comm_free(&comm);
  return (got[0] != (rank + size - 1) % size) + (got[1] != (rank + 1) % size);
}

/* Even ranks give their numbers to odd ones. */
static int intergroup(void) {
  int got[64], senders, receivers, wrong = 0, i;
  MPI_Comm comm;
  NAME(Intergroup_request) request = CONSTANT(INTERGROUP_REQUEST_NULL);
  NAME(Intergroup_create)(MPI_COMM_WORLD, rank % 2 == 0, &comm);
  NAME(Intergroup_sizes)(comm, &senders, &receivers);
  NAME(Intergroup_allgather_init)(&rank, got, 1, MPI_INT, comm, &request);
  NAME(Intergroup_start)(&request);
  NAME(Intergroup_request_free)(&request);
  MPI_Comm_free(&comm);
  for (i = 0; rank % 2 == 1 && i < senders; ++i) wrong += got[i] != 2 * i;
  return wrong + (senders + receivers != size);
}

static int sparse_exchange(void) {
  int wrong = 0, messages = 0, got;
  NAME(comm_init)(MPI_COMM_WORLD);
  CONSTANT(COMM_PACK)(rank, (rank + 1) % size);
  NAME(comm_exch)();
  while (NAME(comm_recv)()) {
    CONSTANT(COMM_UNPACK)(got);
    wrong += got != (rank + size - 1) % size || NAME(comm_from)() != got;
    ++messages;
  }
  NAME(comm_finalize)();
  return wrong + (messages != 1);
}

/* The sum of the two neighbors on a circle that has a name, by the reduction of a graph. */
static int collectives(void) {
  int order[] = {0}, period[] = {1}, relatives[] = {-1, 1}, neighbors[2], sum = -1, named, last = size - 1;
  MPI_Comm graph;
  order[0] = size;
  NAME(Cart_name)(MPI_COMM_WORLD, 1, CONSTANT(ROWMAJOR), order, period, &named);
  NAME(Cart_allranks_relative)(MPI_COMM_WORLD, rank, 2, relatives, neighbors);
  Rondo_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, neighbors, MPI_UNWEIGHTED, 2, neighbors, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
  NAME(Allreduce)(&rank, &sum, 1, MPI_INT, MPI_SUM, graph);
  MPI_Comm_free(&graph);
  return sum != (rank + last) % size + (rank + 1) % size;
}

int main(int argc, char** argv) {
  int wrong, all;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  wrong = isomorphic() + intergroup() + sparse_exchange() + collectives();
  MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) puts(all == 0 ? "all is well" : "wrong");
  MPI_Finalize();
  return all != 0;
}
