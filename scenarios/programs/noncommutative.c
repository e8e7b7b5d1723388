/* MPI_Reduce_scatter_block of products of matrices, which do not commute, to test the algorithms of a library.
 *
 *   noncommutative BLOCK IN_ORDER WHOLE
 *
 * BLOCK is the number of 2 x 2 matrices per rank. IN_ORDER and WHOLE are 0 or 1. IN_ORDER says whether the algorithm is
 * expected to join contributions in the order of ranks. WHOLE says whether it is expected to join only whole vectors.
 * -DLAYOUT chooses the places of the numbers of a matrix, and how the operator finds them:
 *
 *   0  The four numbers are adjacent.
 *   1  The numbers are in four rows of all matrices, as in Open MPI's tests named nocommute_stride.
 *   2  The same rows, but the operator takes the count of its call for the length of a row, as these tests do. It is
 *      right only on whole vectors.
 *   3  The same operator with a datatype of four adjacent numbers, for SMPI, which crashes with the datatype of these
 *      tests. A rank gets a part of the rows.
 *
 * -DCOUNTS calls MPI_Reduce_scatter instead, with BLOCK matrices for each rank.
 *
 * Exits with 0 if the result is right and expected to be right, or wrong and expected to be wrong. */

#include <mpi.h>
#include <stdlib.h>

#ifndef LAYOUT
#define LAYOUT 0
#endif
enum { together, apart, by_count, by_count_side_by_side };

static int in_row; /* the number of matrices in a row */

/* The index of number k of matrix i, among n matrices. */
static int place(int i, int k, int n) { return LAYOUT == together ? 4 * i + k : i + k * n; }

/* right = left right, for n matrices in rows of `row` matrices. */
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

/* Fills the matrices of a rank with arbitrary numbers, so that no two of the matrices commute. */
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
