/* Conway's Game of Life with one cell per rank. A sparse Allreduce counts the neighbors [Traeff21, Listing 7]. A glider
 * on a torus of n x n ranks moves one cell down and one cell to the right in four generations. After 4n generations it
 * is at its first place again. Differences from the listing: the torus is periodic, and relative coordinates need
 * Cart_allranks_relative.
 *
 * Run on n x n ranks, n >= 5. */

#include <mpi.h>
#include <stdio.h>

#define RONDO_UNPREFIXED /* the names of the paper */
#include "rondo/collectives.h"

enum { d = 2, t = 8 };

static int glider(int row, int column) {
  static int const cells[5][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}};
  for (int i = 0; i < 5; ++i) {
    if (cells[i][0] == row && cells[i][1] == column) return 1;
  }
  return 0;
}

int main(int argc, char** argv) {
  int n = 0, p, r, pp, count, period[d] = {1, 1}, target[d * t], ranks[t], place[d], wrong = 0;
  MPI_Comm comm, cartcomm;
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_size(comm, &p);
  MPI_Comm_rank(comm, &r);
  while ((n + 1) * (n + 1) <= p) ++n;
  int order[d] = {n, n};
  Cart_name(comm, d, ROWMAJOR, order, period, &pp);
  Cart_neighbors_count(comm, r, CHEBYCHEV_DISTANCE, 1, 1, &count);
  if (pp != p || n < 5 || count != t) MPI_Abort(comm, 2);
  Cart_neighbors(comm, r, CHEBYCHEV_DISTANCE, 1, 1, t, target);
  Cart_allranks_relative(comm, r, t, target, ranks);
  MPI_Dist_graph_create_adjacent(comm, t, ranks, MPI_UNWEIGHTED, t, ranks, MPI_UNWEIGHTED, MPI_INFO_NULL, 1, &cartcomm);
  Cart_coordinates(comm, r, place);
  short state = (short)glider(place[0], place[1]), live;
  for (int generation = 1; generation <= 4 * n; ++generation) {
    Allreduce(&state, &live, 1, MPI_SHORT, MPI_SUM, cartcomm);
    if (live < 2 || live > 3)
      state = 0;
    else if (live == 3)
      state = 1;
    int const steps = generation / 4;
    if (generation % 4 == 0 && state != glider((place[0] + n - steps % n) % n, (place[1] + n - steps % n) % n)) wrong = 1;
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, comm);
  if (r == 0) printf("the glider is %s after %d generations\n", wrong ? "lost" : "back", 4 * n);
  MPI_Comm_free(&cartcomm);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return wrong;
}
