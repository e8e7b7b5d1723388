/* The 9-point stencil with convergence check of [Traeff21, Figure 1], with standard MPI (a) and with the single set of
 * interfaces (b). Each grid is relaxed until no value changes by more than 1e-3. Both versions must take the same
 * number of iterations, and end with the bits of a rank that relaxes the whole grid alone.
 *
 * Differences from the figure: (a) receives the data from the left in the left halo, not in the right one. (b) receives
 * one element, not 0. Outside the grid there is no neighbor, since MPI_Cart_rank would be an error there.
 *
 * Run on 6 ranks, or any number that is a product of rows and columns. */

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#define RONDO_UNPREFIXED /* the names of the paper */
#include "rondo/collectives.h"

enum { n = 6, t = 8, most = 64 };

static int const offsets[2 * t] = {0, 1, 0, -1, -1, 0, 1, 0, -1, 1, 1, 1, 1, -1, -1, -1};

typedef double Matrix[n + 2][n + 2];

/* The data for each neighbor, and the places for the data of the neighbor in the same direction. */
typedef struct {
  int counts[t];
  MPI_Aint sends[t], receives[t];
  MPI_Datatype types[t];
} Halo;

static MPI_Aint at(int row, int column) { return (MPI_Aint)((row * (n + 2) + column) * sizeof(double)); }

static Halo halo(MPI_Datatype row, MPI_Datatype column) {
  Halo result;
  for (int i = 0; i < t; ++i) {
    int const down = offsets[2 * i], right = offsets[2 * i + 1];
    result.counts[i] = 1;
    result.types[i] = down == 0 ? column : right == 0 ? row : MPI_DOUBLE;
    result.sends[i] = at(down > 0 ? n : 1, right > 0 ? n : 1);
    result.receives[i] = at(down > 0 ? n + 1 : down < 0 ? 0 : 1, right > 0 ? n + 1 : right < 0 ? 0 : 1);
  }
  return result;
}

/* Writes the mean of each point and its eight neighbors. Returns whether no value changed by more than 1e-3. */
static int relax(int rows, int columns, double const* from, double* into) {
  int const width = columns + 2;
  int settled = 1;
  for (int i = 1; i <= rows; ++i) {
    for (int j = 1; j <= columns; ++j) {
      double sum = 0;
      for (int di = -1; di <= 1; ++di) {
        for (int dj = -1; dj <= 1; ++dj) sum += from[(i + di) * width + j + dj];
      }
      into[i * width + j] = sum / 9;
      if (fabs(into[i * width + j] - from[i * width + j]) > 1e-3) settled = 0;
    }
  }
  return settled;
}

static double initial(int row, int column) { return (row * 7 + column * 13) % 17 + 1; }

static void fill(Matrix matrix, int const place[2]) {
  memset(matrix, 0, sizeof(Matrix));
  for (int i = 1; i <= n; ++i) {
    for (int j = 1; j <= n; ++j) matrix[i][j] = initial(place[0] * n + i - 1, place[1] * n + j - 1);
  }
}

static int iterate(int single, Matrix matrix, Halo* h, MPI_Comm cartcomm, MPI_Comm all) {
  Matrix next;
  for (int iterations = 1;; ++iterations) {
    if (single)
      Alltoallw(matrix, h->counts, h->sends, h->types, matrix, h->counts, h->receives, h->types, cartcomm);
    else
      MPI_Neighbor_alltoallw(matrix, h->counts, h->sends, h->types, matrix, h->counts, h->receives, h->types, cartcomm);
    memcpy(next, matrix, sizeof(Matrix));
    short local = (short)relax(n, n, &matrix[0][0], &next[0][0]), settled = 0;
    memcpy(matrix, next, sizeof(Matrix));
    if (single)
      Allreduce(&local, &settled, 1, MPI_SHORT, MPI_LAND, all);
    else
      MPI_Allreduce(&local, &settled, 1, MPI_SHORT, MPI_LAND, all);
    if (settled) return iterations;
  }
}

/* Figure 1(a). */
static int with_mpi_as_it_is(MPI_Comm comm, int* order, Matrix matrix, Halo forward) {
  int period[2] = {0, 0}, place[2], sources[t], destinations[t], rank;
  MPI_Comm cart, cartcomm;
  Halo h = forward;
  MPI_Cart_create(comm, 2, order, period, 1, &cart);
  MPI_Comm_rank(cart, &rank);
  MPI_Cart_coords(cart, rank, 2, place);
  for (int i = 0; i < t; ++i) {
    for (int sign = -1; sign <= 1; sign += 2) {
      int vector[2] = {place[0] + sign * offsets[2 * i], place[1] + sign * offsets[2 * i + 1]};
      int* const neighbor = sign > 0 ? &destinations[i] : &sources[i];
      *neighbor = MPI_PROC_NULL;
      if (vector[0] >= 0 && vector[0] < order[0] && vector[1] >= 0 && vector[1] < order[1])
        MPI_Cart_rank(cart, vector, neighbor);
    }
    /* The data of a source arrive from the opposite direction. */
    for (int k = 0; k < t; ++k) {
      if (offsets[2 * k] == -offsets[2 * i] && offsets[2 * k + 1] == -offsets[2 * i + 1])
        h.receives[i] = forward.receives[k];
    }
  }
  MPI_Dist_graph_create_adjacent(cart, t, sources, MPI_UNWEIGHTED, t, destinations, MPI_UNWEIGHTED, MPI_INFO_NULL, 1,
                                 &cartcomm);
  fill(matrix, place);
  int const iterations = iterate(0, matrix, &h, cartcomm, cartcomm);
  MPI_Comm_free(&cartcomm);
  MPI_Comm_free(&cart);
  return iterations;
}

/* Figure 1(b). */
static int with_single_interface(MPI_Comm comm, int* order, Matrix matrix, Halo h) {
  int period[2] = {0, 0}, place[2], ranks[t], target[2 * t], rank, size;
  MPI_Comm cartcomm, basecomm;
  MPI_Comm_rank(comm, &rank);
  Cart_name(comm, 2, ROWMAJOR, order, period, &size);
  memcpy(target, offsets, sizeof(target));
  Cart_allranks_relative(comm, rank, t, target, ranks);
  MPI_Dist_graph_create_adjacent(comm, t, ranks, MPI_UNWEIGHTED, t, ranks, MPI_UNWEIGHTED, MPI_INFO_NULL, 1, &cartcomm);
  Comm_base(cartcomm, &basecomm);
  Cart_coordinates(comm, rank, place);
  fill(matrix, place);
  int const iterations = iterate(1, matrix, &h, cartcomm, basecomm);
  MPI_Comm_free(&basecomm);
  MPI_Comm_free(&cartcomm);
  return iterations;
}

/* The whole grid at one rank. */
static int alone(int const* order, double* grid) {
  static double next[(most + 2) * (most + 2)];
  int const rows = order[0] * n, columns = order[1] * n;
  memset(grid, 0, sizeof(next));
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) grid[(i + 1) * (columns + 2) + j + 1] = initial(i, j);
  }
  for (int iterations = 1;; ++iterations) {
    memcpy(next, grid, sizeof(next));
    int const settled = relax(rows, columns, grid, next);
    memcpy(grid, next, sizeof(next));
    if (settled) return iterations;
  }
}

int main(int argc, char** argv) {
  static double grid[(most + 2) * (most + 2)];
  int order[2] = {0, 0}, rank, p, wrong = 0;
  Matrix a, b;
  MPI_Datatype row, column;
  MPI_Comm comm;
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &p);
  MPI_Dims_create(p, 2, order);
  MPI_Type_contiguous(n, MPI_DOUBLE, &row);
  MPI_Type_vector(n, 1, n + 2, MPI_DOUBLE, &column);
  MPI_Type_commit(&row);
  MPI_Type_commit(&column);
  int const in_a = with_mpi_as_it_is(comm, order, a, halo(row, column));
  int const in_b = with_single_interface(comm, order, b, halo(row, column));
  int const expected = alone(order, grid);
  if (in_a != expected || in_b != expected) wrong = 1;
  for (int i = 1; i <= n; ++i) {
    double const* const part = &grid[(rank / order[1] * n + i) * (order[1] * n + 2) + rank % order[1] * n + 1];
    if (memcmp(&a[i][1], part, n * sizeof(double)) != 0 || memcmp(&b[i][1], part, n * sizeof(double)) != 0) wrong = 1;
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, comm);
  if (rank == 0) printf("%s after %d iterations\n", wrong ? "other numbers" : "the same numbers", in_a);
  MPI_Type_free(&row);
  MPI_Type_free(&column);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return wrong;
}
