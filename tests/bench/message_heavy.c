/* A program that does nothing but send: every rank exchanges 256 B with its 16 next ranks each way, `argv[1]` times. */

#include <mpi.h>
#include <stdlib.h>

enum { neighbors = 16, bytes = 256 };

int main(int argc, char** argv) {
  static char out[neighbors][bytes], in[neighbors][bytes];
  MPI_Request requests[2 * neighbors];
  int rank, ranks, rounds = argc > 1 ? atoi(argv[1]) : 100;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int round = 0; round < rounds; ++round) {
    for (int k = 0; k < neighbors; ++k) {
      MPI_Irecv(in[k], bytes, MPI_CHAR, (rank + ranks - k - 1) % ranks, k, MPI_COMM_WORLD, &requests[k]);
      MPI_Isend(out[k], bytes, MPI_CHAR, (rank + k + 1) % ranks, k, MPI_COMM_WORLD, &requests[neighbors + k]);
    }
    MPI_Waitall(2 * neighbors, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
