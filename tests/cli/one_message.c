/* The time of one message of a million bytes from the first rank to the last, printed in seconds. */
#include <mpi.h>
#include <stdio.h>

static char block[1000000];

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double const start = MPI_Wtime();
  if (rank == 0) MPI_Send(block, sizeof block, MPI_CHAR, size - 1, 0, MPI_COMM_WORLD);
  if (rank == size - 1) {
    MPI_Recv(block, sizeof block, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%.12g\n", MPI_Wtime() - start);
  }
  MPI_Finalize();
  return 0;
}
