/* MPI_Reduce_scatter_block of matrices, whose product does not commute, by the algorithms that a library has for it.
 *
 *   noncommutative BLOCK IN_ORDER WHOLE
 *
 * BLOCK matrices of 2 x 2 a rank; what is expected of the algorithm, 0 or 1: whether it joins contributions in the
 * order of ranks, and whether it joins whole vectors alone. -DLAYOUT says where the numbers of a matrix lie, and how
 * the operator finds them:
 *
 *   0  beside each other;
 *   1  apart, in four rows of all matrices, as in Open MPI's tests named nocommute_stride;
 *   2  the same, but the operator takes the rows to be as long as the count that it is called with, as these tests do,
 *      so that it is right on whole vectors alone;
 *   3  the same with a datatype of four numbers side by side, for SMPI, which crashes with that of these tests: a rank
 *      gets a part of the rows.
 *
 * -DCOUNTS calls MPI_Reduce_scatter instead, with as many matrices for each rank.
 *
 * Ends with 0 if the result is right where it is expected to be, and wrong elsewhere. */

#include <mpi.h>
#include <stdlib.h>

#ifndef LAYOUT
#define LAYOUT 0
#endif
enum { together, apart, by_count, by_count_side_by_side };

static int in_row; /* matrices in a row */

/* Where number k of matrix i lies, among n of them. */
static int place(int i, int k, int n) { return LAYOUT == together ? 4 * i + k : i + k * n; }

/* right = left right, for n matrices in rows of so many. */
static void multiply(unsigned const* left, unsigned* right, int n, int row) {
  for (int i = 0; i < n; ++i) {
    unsigned a[4], b[4];
    for (int k = 0; k < 4; ++k) {
      a[k] = left[place(i, k, row)];
      b[k] = right[place(i, k, row)];
    }
    for (int k = 0; k < 4; ++k) right[place(i, k, row)] = a[k / 2 * 2] * b[k % 2] + a[k / 2 * 2 + 1] * b[k % 2 + 2];
  }
}

static void product(void* left, void* right, int* count, MPI_Datatype* type) {
  (void)type;
  multiply(left, right, *count, LAYOUT >= by_count ? *count : in_row);
}

/* The matrices of a rank: any numbers, so that no two of the matrices commute. */
static void fill(unsigned* matrices, int n, int rank) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 4; ++k) matrices[place(i, k, n)] = 2654435761u * (unsigned)(4 * (rank * n + i) + k + 1) >> 7;
  }
}

static MPI_Datatype matrix_type(void) {
  MPI_Datatype row, type;
  if (LAYOUT == together || LAYOUT == by_count_side_by_side) {
    MPI_Type_contiguous(4, MPI_UNSIGNED, &type);
  } else {
    MPI_Type_vector(4, 1, in_row, MPI_UNSIGNED, &row);
    MPI_Type_create_resized(row, 0, sizeof(unsigned), &type);
    MPI_Type_free(&row);
  }
  MPI_Type_commit(&type);
  return type;
}

int main(int argc, char** argv) {
  int const block = argc > 1 ? atoi(argv[1]) : 1;
  int const in_order = argc < 3 || atoi(argv[2]) != 0;
  int const whole = argc > 3 && atoi(argv[3]) != 0;
  int const right = in_order && (LAYOUT < by_count || whole);
  int rank, p, wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  int const n = in_row = p * block;
  size_t const bytes = sizeof(unsigned) * 4 * (size_t)n;
  unsigned* const own = calloc(1, bytes);
  unsigned* const got = calloc(1, bytes);
  unsigned* const all = calloc(1, bytes);
  MPI_Datatype type = matrix_type();
  MPI_Op op;
  MPI_Op_create(product, 0, &op);
  fill(own, n, rank);
#ifdef COUNTS
  int* const counts = malloc(sizeof(int) * (size_t)p);
  for (int r = 0; r < p; ++r) counts[r] = block;
  MPI_Reduce_scatter(own, got, counts, type, op, MPI_COMM_WORLD);
  free(counts);
#else
  MPI_Reduce_scatter_block(own, got, block, type, op, MPI_COMM_WORLD);
#endif
  fill(all, n, p - 1);
  for (int r = p - 2; r >= 0; --r) {
    fill(own, n, r);
    multiply(own, all, n, n);
  }
  for (int i = 0; i < 4 * block; ++i) {
    int const rows = LAYOUT == apart || LAYOUT == by_count;
    wrong += rows ? got[place(i / 4, i % 4, n)] != all[place(rank * block + i / 4, i % 4, n)]
                  : got[i] != all[4 * rank * block + i];
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Op_free(&op);
  MPI_Type_free(&type);
  free(own);
  free(got);
  free(all);
  MPI_Finalize();
  return (wrong == 0) != right;
}
