// Collectives in all their forms by algorithms that the environment names: non-blocking, persistent, and by counts.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int wrong = 0;

static void expect(int right, char const* what) {
  if (right) return;
  ++wrong;
  printf("wrong: %s\n", what);
}

enum { most = 64 };

static void several_at_once(int rank, int size) {
  int one[7], sum[7], word[5], up[most], sent[most], got[most], counts[most], places[most], prefix = -1;
  MPI_Request requests[5];
  for (int i = 0; i < 7; ++i) one[i] = rank + i;
  for (int i = 0; i < 5; ++i) word[i] = rank == 1 ? 40 + i : -1;
  for (int i = 0; i < size; ++i) {
    sent[i] = 100 * rank + i;
    counts[i] = i % 2;  // to odd ranks, and from them
    places[i] = size - 1 - i;
    up[i] = got[i] = -1;
  }
  int from[most];
  for (int i = 0; i < size; ++i) from[i] = rank % 2;
  MPI_Iallreduce(one, sum, 7, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
  MPI_Ibcast(word, 5, MPI_INT, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Igatherv(&rank, rank % 2, MPI_INT, up, counts, places, MPI_INT, 0, MPI_COMM_WORLD, &requests[2]);
  MPI_Ialltoallv(sent, counts, places, MPI_INT, got, from, places, MPI_INT, MPI_COMM_WORLD, &requests[3]);
  MPI_Iscan(&rank, &prefix, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[4]);
  MPI_Waitall(5, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 7; ++i) expect(sum[i] == size * (size - 1) / 2 + size * i, "MPI_Iallreduce");
  for (int i = 0; i < 5; ++i) expect(word[i] == 40 + i, "MPI_Ibcast");
  for (int i = 0; i < size; ++i) {
    expect(up[places[i]] == (rank == 0 && i % 2 ? i : -1), "MPI_Igatherv");
    expect(got[places[i]] == (rank % 2 ? 100 * i + size - 1 - rank : -1), "MPI_Ialltoallv");
  }
  expect(prefix == rank * (rank + 1) / 2, "MPI_Iscan");
}

static void blocking_by_counts(int rank, int size) {
  int up[most], down[most], counts[most], places[most], mine = -1;
  for (int i = 0; i < size; ++i) {
    counts[i] = 1;
    places[i] = size - 1 - i;
    down[i] = 7 * i;
  }
  MPI_Gatherv(&rank, 1, MPI_INT, up, counts, places, MPI_INT, size - 1, MPI_COMM_WORLD);
  if (rank == size - 1) {
    for (int i = 0; i < size; ++i) expect(up[places[i]] == i, "MPI_Gatherv");
  }
  MPI_Scatterv(down, counts, places, MPI_INT, &mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
  expect(mine == 7 * (size - 1 - rank), "MPI_Scatterv");
}

static void again_and_again(int rank, int size) {
  int value = 0, sum = 0;
  MPI_Request request;
  MPI_Allreduce_init(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  for (int time = 0; time < 3; ++time) {
    value = rank + time;
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(sum == size * (size - 1) / 2 + size * time, "MPI_Allreduce_init");
  }
  MPI_Request_free(&request);
}

static void wrong_words_are_told(void) {
  int value = 1, sum = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Barrier(MPI_COMM_WORLD);
  setenv("RONDO_ALLREDUCE_ALGORITHM", "fastest", 1);
  int const code = MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  expect(code == MPI_ERR_ARG, "an algorithm that there is not");
}

int main(int argc, char** argv) {
  setenv("RONDO_ALLREDUCE_ALGORITHM", "ring", 1);
  setenv("RONDO_BARRIER_ALGORITHM", "dissemination", 1);
  setenv("RONDO_BCAST_ALGORITHM", "chain", 1);
  setenv("RONDO_GATHER_ALGORITHM", "linear_sync", 1);
  setenv("RONDO_SCATTER_ALGORITHM", "linear", 1);
  setenv("RONDO_ALLTOALL_ALGORITHM", "pairwise", 1);
  setenv("RONDO_SCAN_ALGORITHM", "recursive_doubling", 1);
  int rank, size, all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  several_at_once(rank, size);
  blocking_by_counts(rank, size);
  again_and_again(rank, size);
  MPI_Request entered;
  expect(MPI_Ibarrier(MPI_COMM_WORLD, &entered) == MPI_SUCCESS, "MPI_Ibarrier");
  MPI_Wait(&entered, MPI_STATUS_IGNORE);
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  wrong_words_are_told();
  if (rank == 0 && all == 0 && wrong == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}
