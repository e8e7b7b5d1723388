/* An MPI_Allgather that checks its result, to measure the algorithms of a library. The argument is the number of bytes
 * per rank.
 *
 * Run on any number of ranks. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  int const m = argc > 1 ? atoi(argv[1]) : 1;
  int rank, p, wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  char* const own = (char*)malloc((size_t)m + 1);
  char* const all = (char*)malloc((size_t)m * (size_t)p + 1);
  memset(own, rank % 128, (size_t)m);
  MPI_Allgather(own, m, MPI_CHAR, all, m, MPI_CHAR, MPI_COMM_WORLD);
  for (int i = 0; i < m * p; ++i) wrong += all[i] != i / m % 128;
  if (wrong > 0) printf("rank %d: %d bytes are wrong\n", rank, wrong);
  free(own);
  free(all);
  MPI_Finalize();
  return wrong > 0;
}
