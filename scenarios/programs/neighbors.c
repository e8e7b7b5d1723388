/* MPI_Neighbor_allgather among the eight neighbors of each rank on a periodic grid. It checks the results, and measures
 * the algorithms of librondo_mpi. The first argument is the number of bytes, the second one the number of calls.
 *
 * Run on n x n ranks, n >= 3. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RONDO_UNPREFIXED /* the names of the paper */
#include "rondo/collectives.h"

enum { d = 2, t = 8 };

int main(int argc, char** argv) {
  int const m = argc > 1 ? atoi(argv[1]) : 1, calls = argc > 2 ? atoi(argv[2]) : 1;
  int n = 0, rank, p, size, period[d] = {1, 1}, offsets[d * t], back[d * t], targets[t], sources[t], wrong = 0;
  MPI_Comm comm, graph;
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &p);
  while ((n + 1) * (n + 1) <= p) ++n;
  int order[d] = {n, n};
  Cart_name(comm, d, ROWMAJOR, order, period, &size);
  if (size != p || n < 3) MPI_Abort(comm, 2);
  Cart_neighbors(comm, rank, CHEBYCHEV_DISTANCE, 1, 1, t, offsets);
  for (int i = 0; i < d * t; ++i) back[i] = -offsets[i];
  Cart_allranks_relative(comm, rank, t, offsets, targets);
  Cart_allranks_relative(comm, rank, t, back, sources);
  MPI_Dist_graph_create_adjacent(comm, t, sources, MPI_UNWEIGHTED, t, targets, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  char* const own = (char*)malloc((size_t)m + 1);
  char* const all = (char*)malloc((size_t)m * t + 1);
  for (int call = 0; call < calls; ++call) {
    memset(own, (rank + call) % 128, (size_t)m);
    memset(all, -1, (size_t)m * t);
    MPI_Neighbor_allgather(own, m, MPI_CHAR, all, m, MPI_CHAR, graph);
    for (int i = 0; i < m * t; ++i) wrong += all[i] != (sources[i / m] + call) % 128;
  }
  if (wrong > 0) printf("rank %d: %d bytes are wrong\n", rank, wrong);
  free(own);
  free(all);
  MPI_Comm_free(&graph);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return wrong > 0;
}
