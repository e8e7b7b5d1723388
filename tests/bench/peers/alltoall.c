/* An all-to-all whose messages are all posted at once, receives first, as Rondo's algorithm `linear` has it.
   alltoall BYTES: prints the time of the last rank in seconds. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int const bytes = atoi(argv[1]);
  char* const data = malloc((size_t)bytes * 2);
  MPI_Request* const requests = malloc(sizeof(MPI_Request) * 2 * (size_t)size);
  int posted = 0;
  for (int i = 1; i < size; ++i) {
    MPI_Irecv(data + bytes, bytes, MPI_BYTE, (rank - i + size) % size, 0, MPI_COMM_WORLD, &requests[posted++]);
  }
  for (int i = 1; i < size; ++i) {
    MPI_Isend(data, bytes, MPI_BYTE, (rank + i) % size, 0, MPI_COMM_WORLD, &requests[posted++]);
  }
  MPI_Waitall(posted, requests, MPI_STATUSES_IGNORE);
  double const end = MPI_Wtime();
  double last;
  MPI_Reduce(&end, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%.9f\n", last);
  free(requests);
  free(data);
  MPI_Finalize();
  return 0;
}
