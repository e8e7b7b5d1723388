/* MPI_Comm_idup, of which no rank may wait for another one that has not come so far. Rank 0 first hears from all others,
 * which tell it by sends that it must receive once they have begun their duplicates. To be run on at least 4 processes. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int failures = 0;

static void expect(int holds, char const* what) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (holds) return;
  ++failures;
  printf("rank %d: %s\n", rank, what);
}

/* Whether messages on the duplicate arrive, and none that belongs to the original. */
static void expect_own_messages(MPI_Comm original, MPI_Comm copy, char const* what) {
  int rank, size, got_first, got_second;
  MPI_Request sent[2];
  MPI_Comm_rank(copy, &rank);
  MPI_Comm_size(copy, &size);
  int const next = (rank + 1) % size, before = (rank + size - 1) % size;
  int const on_original = 100 + rank, on_copy = 200 + rank;
  MPI_Isend(&on_original, 1, MPI_INT, next, 7, original, &sent[0]);
  MPI_Isend(&on_copy, 1, MPI_INT, next, 7, copy, &sent[1]);
  MPI_Recv(&got_second, 1, MPI_INT, before, 7, copy, MPI_STATUS_IGNORE);
  MPI_Recv(&got_first, 1, MPI_INT, before, 7, original, MPI_STATUS_IGNORE);
  MPI_Waitall(2, sent, MPI_STATUSES_IGNORE);
  expect(got_first == 100 + before && got_second == 200 + before, what);
}

/* Rank 0 of the communicator receives from every other source before it begins. */
static MPI_Comm staggered(MPI_Comm comm, int sources) {
  int rank, word = 0;
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Request request;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) {
    for (int source = 1; source < sources; ++source) MPI_Recv(&word, 1, MPI_INT, source, 3, comm, MPI_STATUS_IGNORE);
    MPI_Comm_idup(comm, &copy, &request);
  } else {
    MPI_Comm_idup(comm, &copy, &request);
    MPI_Ssend(&rank, 1, MPI_INT, 0, 3, comm);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect(copy != MPI_COMM_NULL && request == MPI_REQUEST_NULL, "a duplicate that was waited for is there");
  return copy;
}

static void plain(void) {
  int size, same;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm copy = staggered(MPI_COMM_WORLD, size);
  MPI_Comm_compare(MPI_COMM_WORLD, copy, &same);
  expect(same == MPI_CONGRUENT, "a duplicate is congruent");
  expect_own_messages(MPI_COMM_WORLD, copy, "a duplicate has messages of its own");
  MPI_Comm_free(&copy);
}

/* The rank that the others hear of the duplicate from does not come to wait for it before they are done. */
static void one_waits_later(void) {
  int rank, size, word = 0;
  MPI_Comm copy;
  MPI_Request request;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
  if (rank == 1) {
    for (int source = 0; source < size; ++source) {
      if (source != 1) MPI_Recv(&word, 1, MPI_INT, source, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  int done = 0;
  while (done == 0) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  if (rank != 1) MPI_Ssend(&rank, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
  expect_own_messages(MPI_COMM_WORLD, copy, "a duplicate that was tested for has messages of its own");
  MPI_Comm_free(&copy);
}

/* Several at once, that are completed in another order than they were begun in. */
static void many(void) {
  MPI_Comm copies[4];
  MPI_Request requests[4];
  for (int i = 0; i < 4; ++i) MPI_Comm_idup(MPI_COMM_WORLD, &copies[i], &requests[i]);
  MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
  for (int left = 3; left > 0; --left) {
    int which;
    MPI_Waitany(4, requests, &which, MPI_STATUS_IGNORE);
    expect(which != 2 && which != MPI_UNDEFINED, "each is completed once");
  }
  for (int i = 0; i < 4; ++i) {
    expect_own_messages(MPI_COMM_WORLD, copies[i], "each of several has messages of its own");
    expect_own_messages(copies[(i + 1) % 4], copies[i], "several are told apart");
  }
  for (int i = 0; i < 4; ++i) MPI_Comm_free(&copies[i]);
}

/* The original may be freed before its duplicate is complete, and so may the info. */
static void freed_before(void) {
  int found = 0;
  char value[8] = "";
  MPI_Comm original, copy;
  MPI_Request request;
  MPI_Info info;
  MPI_Comm_dup(MPI_COMM_WORLD, &original);
  MPI_Info_create(&info);
  MPI_Info_set(info, "a_key", "word");
  MPI_Comm_idup_with_info(original, info, &copy, &request);
  MPI_Info_free(&info);
  MPI_Comm_free(&original);
  expect(original == MPI_COMM_NULL, "a freed communicator is null at once");
  MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
  MPI_Comm_get_info(copy, &info);
  MPI_Info_get(info, "a_key", 7, value, &found);
  expect(found != 0 && value[0] == 'w', "the info is that of the call");
  MPI_Info_free(&info);
  expect_own_messages(MPI_COMM_WORLD, copy, "a duplicate outlives its original");
  MPI_Comm_free(&copy);
}

/* A graph goes on to the duplicate, with messages of its own. */
static void graph(void) {
  int rank, size, kind, got = -1;
  MPI_Comm ring;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int const next = (rank + 1) % size, before = (rank + size - 1) % size;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &ring);
  MPI_Comm copy = staggered(ring, size);
  MPI_Topo_test(copy, &kind);
  expect(kind == MPI_DIST_GRAPH, "a duplicate carries the graph");
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, &got, 1, MPI_INT, copy);
  expect(got == before, "a neighborhood collective on a duplicate");
  MPI_Comm_free(&copy);
  MPI_Comm_free(&ring);
}

static void two_groups(void) {
  int rank, size, remote, sum = 0;
  MPI_Comm half, both;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &both);
  MPI_Comm_remote_size(both, &remote);
  MPI_Comm copy = staggered(both, remote);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, copy);
  int wanted = 0;
  for (int other = 1 - rank % 2; other < size; other += 2) wanted += other;
  expect(sum == wanted, "a duplicate of two groups reduces between them");
  MPI_Comm_free(&copy);
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);
}

int main(int argc, char** argv) {
  int all = 0, rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  plain();
  one_waits_later();
  many();
  freed_before();
  graph();
  two_groups();
  MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0 && all == 0) printf("all is well\n");
  MPI_Finalize();
  return all == 0 ? 0 : 1;
}
