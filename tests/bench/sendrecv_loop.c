/* The plain program that the engine is measured against: R rounds of MPI_Sendrecv, rank r to r + 1 + i in round i.
 * Prints real and simulated seconds of the loop. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Past smpicc, which makes clock_gettime tell simulated time. */
static double real_seconds(void) {
  struct timespec now;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, p;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  int const rounds = atoi(argv[1]), bytes = atoi(argv[2]);
  char* const out = malloc((size_t)bytes);
  char* const in = malloc((size_t)bytes);
  double const real = real_seconds(), simulated = MPI_Wtime();
  for (int i = 0; i < rounds; ++i) {
    int const distance = 1 + i % (p - 1);
    MPI_Sendrecv(out, bytes, MPI_BYTE, (rank + distance) % p, 0, in, bytes, MPI_BYTE, (rank + p - distance) % p, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (rank == 0) printf("%.9f %.12f\n", real_seconds() - real, MPI_Wtime() - simulated);
  free(out);
  free(in);
  MPI_Finalize();
  return 0;
}
