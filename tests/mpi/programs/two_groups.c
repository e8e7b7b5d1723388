/* An unmodified MPI program of what single ranks of two groups send each other, of the communicators that are made of
 * two groups, and of collectives between them that do not block or are started again and again. Exit code 1, and a line
 * that says what, if something is wrong. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size, wrong = 0;

static void expect(int holds, char const* what) {
  if (holds) return;
  fprintf(stderr, "rank %d: %s\n", rank, what);
  wrong = 1;
}

/* Groups of even and odd ranks; `me` is this rank's own rank in its group. */
static MPI_Comm inter;
static int me, odd, mine, theirs;

static void make_groups(void) {
  MPI_Comm local;
  odd = rank % 2;
  MPI_Comm_split(MPI_COMM_WORLD, odd, rank, &local);
  MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, 1 - odd, 3, &inter);
  MPI_Comm_free(&local);
  MPI_Comm_rank(inter, &me);
  MPI_Comm_size(inter, &mine);
  MPI_Comm_remote_size(inter, &theirs);
}

/* Every rank sends to every rank of the other group, which takes the messages as they come. */
static void messages(void) {
  int i, sum = 0, count;
  MPI_Request* requests = malloc(theirs * sizeof(MPI_Request));
  int* sent = malloc(theirs * sizeof(int));
  char* came = calloc(theirs, 1);
  MPI_Status status;
  for (i = 0; i < theirs; ++i) {
    sent[i] = 1000 * odd + 10 * me + i;
    MPI_Isend(&sent[i], 1, MPI_INT, i, 100 + me, inter, &requests[i]);
  }
  for (i = 0; i < theirs; ++i) {
    int got = -1;
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, inter, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    expect(count == 1 && status.MPI_TAG == 100 + status.MPI_SOURCE, "what MPI_Probe tells");
    MPI_Recv(&got, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, inter, &status);
    expect(status.MPI_SOURCE >= 0 && status.MPI_SOURCE < theirs, "a source in the other group");
    expect(got == 1000 * !odd + 10 * status.MPI_SOURCE + me, "the value of the source");
    expect(!came[status.MPI_SOURCE]++, "one message of each");
    sum += status.MPI_SOURCE;
  }
  expect(sum == theirs * (theirs - 1) / 2, "a message of every rank of the other group");
  MPI_Waitall(theirs, requests, MPI_STATUSES_IGNORE);
  free(requests);
  free(sent);
  free(came);
}

/* Ranks of the same number exchange, if there are two of them. */
static void pairs(void) {
  int const partner = me < theirs ? me : MPI_PROC_NULL;
  int value = 7 + rank, got = -1, k;
  MPI_Status status;
  MPI_Request both[2];
  MPI_Sendrecv(&value, 1, MPI_INT, partner, 1, &got, 1, MPI_INT, partner, 1, inter, &status);
  expect(status.MPI_SOURCE == partner, "the source of MPI_Sendrecv");
  expect(got == (partner < 0 ? -1 : 7 + (odd ? rank - 1 : rank + 1)), "MPI_Sendrecv");
  MPI_Sendrecv_replace(&value, 1, MPI_INT, partner, 2, partner, 2, inter, &status);
  expect(value == (partner < 0 ? 7 + rank : got), "MPI_Sendrecv_replace");
  MPI_Send_init(&value, 1, MPI_INT, partner, 3, inter, &both[0]);
  MPI_Recv_init(&got, 1, MPI_INT, partner, 3, inter, &both[1]);
  for (k = 0; k < 3; ++k) {
    value = 100 * k + me + 10 * odd;
    MPI_Startall(2, both);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    if (partner >= 0) expect(got == 100 * k + me + 10 * !odd, "a message that is sent again");
  }
  MPI_Request_free(&both[0]);
  MPI_Request_free(&both[1]);
}

static void expect_exchange(MPI_Comm comm, int local_size, int remote_size, char const* what) {
  int sum = -1, one = 1, got_local, got_remote, flag;
  MPI_Comm_test_inter(comm, &flag);
  MPI_Comm_size(comm, &got_local);
  MPI_Comm_remote_size(comm, &got_remote);
  expect(flag && got_local == local_size && got_remote == remote_size, what);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  expect(sum == remote_size, what);
}

/* Ranks with the same number modulo 3, the last ones first; and the first half of each group. */
static void parts(void) {
  int const color = me == 0 ? 0 : me % 3, halves_mine = (mine + 1) / 2, halves_theirs = (theirs + 1) / 2;
  int i, here = 0, there = 0, new_rank = -1, result = -1, range[1][3];
  MPI_Comm part, half, copy;
  MPI_Group group, first;
  for (i = 0; i < mine; ++i) here += i % 3 == color;
  for (i = 0; i < theirs; ++i) there += i % 3 == color;
  MPI_Comm_split(inter, color, -me, &part);
  expect((part == MPI_COMM_NULL) == (there == 0), "a part where both groups have one");
  if (part != MPI_COMM_NULL) {
    MPI_Comm_rank(part, &new_rank);
    expect(new_rank == here - 1 - me / 3, "the order of keys");
    expect_exchange(part, here, there, "MPI_Comm_split");
    MPI_Comm_free(&part);
  }
  MPI_Comm_split(inter, odd ? MPI_UNDEFINED : 0, 0, &part);
  expect(part == MPI_COMM_NULL, "no part with an empty group");
  MPI_Comm_group(inter, &group);
  range[0][0] = 0;
  range[0][1] = halves_mine - 1;
  range[0][2] = 1;
  MPI_Group_range_incl(group, 1, range, &first);
  MPI_Comm_create(inter, first, &half);
  expect((half == MPI_COMM_NULL) == (me >= halves_mine), "a communicator for those of the group");
  if (half != MPI_COMM_NULL) {
    expect_exchange(half, halves_mine, halves_theirs, "MPI_Comm_create");
    MPI_Comm_compare(inter, half, &result);
    expect(result == (mine > 1 || theirs > 1 ? MPI_UNEQUAL : MPI_CONGRUENT), "MPI_Comm_compare with a part");
    MPI_Comm_free(&half);
  }
  MPI_Comm_dup(inter, &copy);
  MPI_Comm_compare(inter, copy, &result);
  expect(result == MPI_CONGRUENT, "MPI_Comm_compare with a copy");
  MPI_Comm_compare(inter, MPI_COMM_WORLD, &result);
  expect(result == MPI_UNEQUAL, "MPI_Comm_compare with one group");
  MPI_Comm_free(&copy);
  MPI_Group_free(&first);
  MPI_Group_free(&group);
}

/* Every rank gives i + 1 for element i; the other group's sum of element i is its size times that. */
static void reductions(void) {
  int const all = mine * theirs;
  int i, good = 1, *vector = malloc((all + 1) * sizeof(int)), *got = malloc((all + 1) * sizeof(int)),
         *counts = malloc(mine * sizeof(int)), first = 0;
  MPI_Request request;
  for (i = 0; i < all; ++i) vector[i] = i + 1;
  for (i = 0; i <= all; ++i) got[i] = -1;
  MPI_Reduce_scatter_block(vector, got, theirs, MPI_INT, MPI_SUM, inter);
  for (i = 0; i < theirs; ++i) good = good && got[i] == theirs * (me * theirs + i + 1);
  expect(good && got[theirs] == -1, "MPI_Reduce_scatter_block");
  /* All but one element for rank 0. */
  for (i = 0; i < mine; ++i) counts[i] = i == 0 ? all - (mine > 1) : i == mine - 1;
  for (i = 0; i < me; ++i) first += counts[i];
  for (i = 0; i <= all; ++i) got[i] = -1;
  MPI_Ireduce_scatter(vector, got, counts, MPI_INT, MPI_SUM, inter, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (i = 0; i < counts[me]; ++i) good = good && got[i] == theirs * (first + i + 1);
  expect(good && got[counts[me]] == -1, "MPI_Ireduce_scatter");
  free(vector);
  free(got);
  free(counts);
}

/* None waits for what the other group does only later. */
static void without_blocking(void) {
  int value = rank, sum = -1, i, good = 1, *all = malloc(theirs * sizeof(int));
  int const root = odd ? 0 : me == 0 ? MPI_ROOT : MPI_PROC_NULL;
  int word = odd ? -1 : 77, least = -1;
  MPI_Request requests[5];
  MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, inter, &requests[0]);
  MPI_Iallgather(&value, 1, MPI_INT, all, 1, MPI_INT, inter, &requests[1]);
  MPI_Ibcast(&word, 1, MPI_INT, root, inter, &requests[2]);
  MPI_Ireduce(&value, &least, 1, MPI_INT, MPI_MIN, root, inter, &requests[3]);
  MPI_Ibarrier(inter, &requests[4]);
  MPI_Waitall(5, requests, MPI_STATUSES_IGNORE);
  for (i = 0; i < theirs; ++i) good = good && all[i] == 2 * i + !odd;
  expect(sum == theirs * (theirs - 1) + theirs * !odd, "MPI_Iallreduce");
  expect(good, "MPI_Iallgather");
  expect(word == 77 || (!odd && word == -1), "MPI_Ibcast");
  expect(least == (root == MPI_ROOT ? 1 : -1), "MPI_Ireduce");
  free(all);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  make_groups();
  messages();
  pairs();
  parts();
  reductions();
  without_blocking();
  MPI_Comm_free(&inter);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0 && !wrong) puts("all is well");
  MPI_Finalize();
  return wrong;
}
