/* A D3Q27 halo exchange. Each rank of a periodic grid has a cube of n^3 cells. One Alltoallw with subarray types sends
 * its faces, edges and corners to all 26 neighbors [Traeff21, Section 3]. If the grid is 1 or 2 ranks wide, several
 * neighbors are the same rank, or the rank itself.
 *
 * Run on any number of ranks. */

#include <mpi.h>
#include <stdio.h>

#define RONDO_UNPREFIXED /* the names of the paper */
#include "rondo/collectives.h"

enum { d = 3, t = 26, n = 3, width = n + 2 };

typedef double Cube[width][width][width];

/* The cells that are sent to the neighbor at an offset, or the halo for the cells of this neighbor. */
static MPI_Datatype part(int const* offset, int halo) {
  int const sizes[d] = {width, width, width};
  int subsizes[d], starts[d];
  MPI_Datatype type;
  for (int j = 0; j < d; ++j) {
    subsizes[j] = offset[j] == 0 ? n : 1;
    starts[j] = offset[j] == 0 ? 1 : offset[j] > 0 ? n + halo : 1 - halo;
  }
  MPI_Type_create_subarray(d, sizes, subsizes, starts, MPI_ORDER_C, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  return type;
}

static double value(int const* order, int const* place, int x, int y, int z) {
  int const cell[d] = {x - 1, y - 1, z - 1};
  double result = 0;
  for (int j = 0; j < d; ++j) {
    int const extent = order[j] * n;
    result = result * 1000 + (place[j] * n + cell[j] + extent) % extent;
  }
  return result;
}

static int count_wrong(Cube cube, int const* order, int const* place) {
  int wrong = 0;
  for (int x = 0; x < width; ++x) {
    for (int y = 0; y < width; ++y) {
      for (int z = 0; z < width; ++z) wrong += cube[x][y][z] != value(order, place, x, y, z);
    }
  }
  return wrong;
}

int main(int argc, char** argv) {
  int order[d] = {0, 0, 0}, period[d] = {1, 1, 1}, offsets[d * t], back[d * t], targets[t], sources[t], place[d];
  int rank, p, size, counts[t], wrong;
  MPI_Aint displacements[t];
  MPI_Datatype sends[t], receives[t];
  Cube cube;
  MPI_Comm comm, graph;
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_size(comm, &p);
  MPI_Comm_rank(comm, &rank);
  MPI_Dims_create(p, d, order);
  Cart_name(comm, d, COLMAJOR, order, period, &size);
  Cart_neighbors(comm, rank, CHEBYCHEV_DISTANCE, 1, 1, t, offsets);
  for (int i = 0; i < d * t; ++i) back[i] = -offsets[i];
  Cart_allranks_relative(comm, rank, t, offsets, targets);
  Cart_allranks_relative(comm, rank, t, back, sources);
  MPI_Dist_graph_create_adjacent(comm, t, sources, MPI_UNWEIGHTED, t, targets, MPI_UNWEIGHTED, MPI_INFO_NULL, 1, &graph);
  Cart_coordinates(comm, rank, place);
  for (int x = 0; x < width; ++x) {
    for (int y = 0; y < width; ++y) {
      for (int z = 0; z < width; ++z) {
        int const inside = x > 0 && x <= n && y > 0 && y <= n && z > 0 && z <= n;
        cube[x][y][z] = inside ? value(order, place, x, y, z) : -1;
      }
    }
  }
  for (int i = 0; i < t; ++i) {
    counts[i] = 1;
    displacements[i] = 0;
    sends[i] = part(&offsets[d * i], 0);
    receives[i] = part(&back[d * i], 1);
  }
  Alltoallw(cube, counts, displacements, sends, cube, counts, displacements, receives, graph);
  wrong = count_wrong(cube, order, place);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, comm);
  if (rank == 0) printf("%d cells of the halos are wrong\n", wrong);
  for (int i = 0; i < t; ++i) {
    MPI_Type_free(&sends[i]);
    MPI_Type_free(&receives[i]);
  }
  MPI_Comm_free(&graph);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return wrong != 0;
}
