// MPI 4's functions for large counts do the same as those with int counts, and refuse what an int cannot hold.
#include <mpi.h>
#include <stdio.h>

enum { most = 16 };
static int rank, size, wrong, told;

static void expect(int holds, char const* what) {
  if (holds) return;
  printf("rank %d: %s\n", rank, what);
  ++wrong;
}

static void tell(MPI_Comm* comm, int* code, ...) {
  (void)comm;
  told = *code;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int const next = (rank + 1) % size, previous = (rank + size - 1) % size;
  int sent[most], got[most], i;
  MPI_Count counts[most], n = 0;
  MPI_Aint places[most];
  MPI_Request request[2];
  MPI_Status status;
  for (i = 0; i < size; ++i) {
    sent[i] = 100 * rank + i;
    got[i] = -1;
    counts[i] = 1;
    places[i] = size - 1 - i;
  }
  MPI_Alltoallv_c(sent, counts, places, MPI_INT, got, counts, places, MPI_INT, MPI_COMM_WORLD);
  for (i = 0; i < size; ++i) expect(got[size - 1 - i] == 100 * i + size - 1 - rank, "alltoallv");
  for (i = 0; i < 3; ++i) {
    int root = i % size;
    got[0] = -1;
    MPI_Scatterv_c(sent, rank == root ? counts : NULL, rank == root ? places : NULL, MPI_INT, got, 1, MPI_INT, root,
                   MPI_COMM_WORLD);
    expect(got[0] == 100 * root + size - 1 - rank, "scatterv");
    MPI_Igatherv_c(sent, 1, MPI_INT, got, rank == root ? counts : NULL, rank == root ? places : NULL, MPI_INT, root,
                   MPI_COMM_WORLD, request);
    MPI_Wait(request, &status);
    for (int r = 0; rank == root && r < size; ++r) expect(got[size - 1 - r] == 100 * r, "igatherv");
  }
  MPI_Irecv_c(got, 2, MPI_INT, previous, 1, MPI_COMM_WORLD, &request[0]);
  MPI_Isend_c(sent, 1, MPI_INT, next, 1, MPI_COMM_WORLD, &request[1]);
  MPI_Wait(&request[0], &status);
  MPI_Wait(&request[1], MPI_STATUS_IGNORE);
  MPI_Get_count_c(&status, MPI_INT, &n);
  expect(n == 1 && got[0] == 100 * previous, "messages");
  MPI_Sendrecv_c(sent, 1, MPI_INT, next, 2, got, 1, MPI_INT, previous, 2, MPI_COMM_WORLD, &status);
  expect(got[0] == 100 * previous, "sendrecv");
  MPI_Allreduce_init_c(&rank, got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request);
  for (i = 0; i < 2; ++i) {
    MPI_Start(request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
  }
  expect(got[0] == size * (size - 1) / 2, "a persistent allreduce");
  MPI_Request_free(request);
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(tell, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  expect(MPI_Bcast_c(sent, (MPI_Count)1 << 31, MPI_INT, 0, MPI_COMM_WORLD) == MPI_ERR_COUNT && told == MPI_ERR_COUNT,
         "a count of 2^31");
  MPI_Reduce_c(&wrong, got, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0 && got[0] == 0) printf("all is well\n");
  MPI_Finalize();
  return wrong != 0;
}
