// A step computes, and adds a number over all ranks, either one after the other (MODE=blocking) or at the same time
// (MODE=overlapped). Rank 0 reads the number of steps from standard input.
#include <mpi.h>
#include <smpi/smpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  int rank, size, steps = 0;
  double one = 1, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0 && scanf("%d", &steps) != 1) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD);
  int const overlapped = strcmp(getenv("MODE"), "overlapped") == 0;
  for (int step = 0; step < steps; ++step) {
    MPI_Request request;
    if (overlapped) MPI_Iallreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    SMPI_SAMPLE_FLOPS(1e5);
    if (overlapped) MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (!overlapped) MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (sum != size) MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Finalize();
  return 0;
}
