// two_levels.c LEVELS: an allreduce of all ranks, or one on each host, one among the hosts and a broadcast on each
// host.
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank, size, at, sum = 0, all = 0;
  MPI_Comm node, leaders;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &at);
  MPI_Comm_split(MPI_COMM_WORLD, at, rank, &leaders);
  for (int i = 0; i < 100; ++i) {
    if (atoi(argv[1]) == 1) {
      MPI_Allreduce(&rank, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      continue;
    }
    MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, node);
    if (at == 0) MPI_Allreduce(&sum, &all, 1, MPI_INT, MPI_SUM, leaders);
    MPI_Bcast(&all, 1, MPI_INT, 0, node);
  }
  MPI_Comm_free(&leaders);
  MPI_Comm_free(&node);
  MPI_Finalize();
  return all != size * (size - 1) / 2;
}
