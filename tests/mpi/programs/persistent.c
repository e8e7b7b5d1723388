// Persistent collectives are made in the same order by all ranks, and started, waited for and freed in any order (MPI
// 4.0, Section 6.13). There are more of them than non-blocking ones may be under way.
#include <mpi.h>
#include <stdio.h>

enum { requests = 7, length = 3, rounds = 3 };
static int rank, size, wrong;

static void expect(int holds, char const* what) {
  if (holds) return;
  printf("rank %d: %s\n", rank, what);
  ++wrong;
}

static int values[requests][length], results[requests][length];
static MPI_Request request[requests];

/// Broadcasts, sums and barriers: request i is of kind i % 3.
static void make(MPI_Comm comm) {
  for (int i = 0; i < requests; ++i) {
    if (i % 3 == 0) MPI_Bcast_init(values[i], length, MPI_INT, i % size, comm, MPI_INFO_NULL, &request[i]);
    if (i % 3 == 1)
      MPI_Allreduce_init(values[i], results[i], length, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request[i]);
    if (i % 3 == 2) MPI_Barrier_init(comm, MPI_INFO_NULL, &request[i]);
  }
}

static void fill(int round) {
  for (int i = 0; i < requests; ++i) {
    for (int k = 0; k < length; ++k) values[i][k] = 1000 * round + 100 * i + k + rank;
  }
}

static void look(int round) {
  for (int i = 0; i < requests; ++i) {
    for (int k = 0; k < length; ++k) {
      int const least = 1000 * round + 100 * i + k;
      if (i % 3 == 0) expect(values[i][k] == least + i % size, "a broadcast");
      if (i % 3 == 1) expect(results[i][k] == size * least + size * (size - 1) / 2, "a sum");
    }
  }
}

/// Each rank begins with another request, and goes on in its own direction.
static void in_an_order_of_its_own(MPI_Comm comm) {
  make(comm);
  for (int round = 0; round < rounds; ++round) {
    int sum = 0;
    MPI_Request non_blocking;
    fill(round);
    for (int k = 0; k < requests; ++k) {
      int const i = (rank % 2 == 0 ? k + rank + round : 2 * requests + rank - k) % requests;
      MPI_Start(&request[i]);
      // Non-blocking collectives keep their order.
      if (k != rank % requests) continue;
      MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm, &non_blocking);
    }
    MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
    MPI_Wait(&non_blocking, MPI_STATUS_IGNORE);
    expect(sum == size * (size - 1) / 2, "a non-blocking sum");
    look(round);
  }
  for (int k = 0; k < requests; ++k) MPI_Request_free(&request[(k + rank) % requests]);
}

int main(int argc, char** argv) {
  int all = 0;
  MPI_Comm copy;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  in_an_order_of_its_own(MPI_COMM_WORLD);
  in_an_order_of_its_own(MPI_COMM_WORLD);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  in_an_order_of_its_own(copy);
  MPI_Comm_free(&copy);
  MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0 && all == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}
