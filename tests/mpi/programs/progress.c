// Non-blocking collectives get on whatever their ranks do meanwhile: wait in MPI_Recv, in MPI_Probe, in a blocking
// collective, in rendezvous sends, or in other non-blocking collectives in another order.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int rank, size, wrong;

static void expect(int holds, char const* what) {
  if (holds) return;
  printf("rank %d: %s\n", rank, what);
  ++wrong;
}

/// Rank 0 answers only once its barrier is complete; the others wait for the answer first.
static void answer_after_barrier(void) {
  MPI_Request barrier;
  int got = -1;
  MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
  if (rank == 0) {
    MPI_Wait(&barrier, MPI_STATUS_IGNORE);
    for (int to = 1; to < size; ++to) MPI_Send(&to, 1, MPI_INT, to, 1, MPI_COMM_WORLD);
  } else {
    MPI_Status status;
    MPI_Probe(0, 1, MPI_COMM_WORLD, &status);
    MPI_Recv(&got, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
    expect(got == rank, "the answer");
    MPI_Wait(&barrier, MPI_STATUS_IGNORE);
  }
}

/// Odd ranks wait for their barrier before they enter the reduction that the even ones are in.
static void blocking_collective_meanwhile(void) {
  MPI_Request barrier;
  int sum = 0;
  MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
  if (rank % 2 == 1) MPI_Wait(&barrier, MPI_STATUS_IGNORE);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank % 2 == 0) MPI_Wait(&barrier, MPI_STATUS_IGNORE);
  expect(sum == size * (size - 1) / 2, "the blocking sum");
}

/// Two communicators, on which ranks begin in different order; the requests are waited for together.
static void in_another_order(MPI_Comm other) {
  MPI_Request both[2];
  int first = 0, second = 0, index = 0;
  if (rank % 2 == 0) MPI_Iallreduce(&rank, &first, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &both[0]);
  MPI_Iallreduce(&rank, &second, 1, MPI_INT, MPI_MAX, other, &both[1]);
  if (rank % 2 == 1) MPI_Iallreduce(&rank, &first, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &both[0]);
  MPI_Waitany(2, both, &index, MPI_STATUS_IGNORE);
  expect(index == 0 || index == 1, "the index");
  MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
  expect(first == size * (size - 1) / 2 && second == size - 1, "two reductions");
}

static void add(void* in, void* into, int* n, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < 2 * *n; ++i) ((int*)into)[i] = 10 * ((int*)in)[i] % 1000003 + ((int*)into)[i];
}

/// Nine at once, more than may be under way; datatypes, operators and communicators are freed before they are complete.
static void many_at_once(void) {
  enum { n = 9 };
  MPI_Request requests[n];
  MPI_Comm own;
  int values[n][2], results[n][2], done = 0;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  for (int i = 0; i < n; ++i) {
    MPI_Datatype pair;
    MPI_Op op;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(add, 1, &op);
    values[i][0] = values[i][1] = results[i][0] = results[i][1] = i + rank;
    if (i % 3 == 0) MPI_Ibcast(values[i], 1, pair, i % size, own, &requests[i]);
    if (i % 3 == 1) MPI_Iallreduce(values[i], results[i], 2, MPI_INT, MPI_SUM, own, &requests[i]);
    if (i % 3 == 2) MPI_Iscan(values[i], results[i], 2, MPI_INT, MPI_SUM, own, &requests[i]);
    MPI_Type_free(&pair);
    MPI_Op_free(&op);
  }
  while (!done) MPI_Testall(n, requests, &done, MPI_STATUSES_IGNORE);
  for (int i = 0; i < n; ++i) {
    if (i % 3 == 0) expect(values[i][1] == i + i % size, "a bcast");
    if (i % 3 == 1) expect(results[i][1] == size * i + size * (size - 1) / 2, "an allreduce");
    if (i % 3 == 2) expect(results[i][1] == (rank + 1) * i + rank * (rank + 1) / 2, "a scan");
  }
  MPI_Comm_free(&own);
}

/// A large send waits for its receiver, which first waits for the exchange.
static void rendezvous_meanwhile(void) {
  int const n = 1 << 20, next = (rank + 1) % size, previous = (rank + size - 1) % size;
  char *sent = calloc(n, 1), *got = calloc(n, 1), *blocks = calloc(size, 1), *mine = calloc(size, 1);
  MPI_Request exchange;
  for (int i = 0; i < size; ++i) mine[i] = (char)(rank + i);
  sent[n - 1] = (char)rank;
  MPI_Ialltoall(mine, 1, MPI_CHAR, blocks, 1, MPI_CHAR, MPI_COMM_WORLD, &exchange);
  if (rank % 2 == 1) MPI_Wait(&exchange, MPI_STATUS_IGNORE);
  if (rank % 2 == 0 && rank + 1 < size) MPI_Send(sent, n, MPI_CHAR, next, 2, MPI_COMM_WORLD);
  if (rank % 2 == 1) MPI_Recv(got, n, MPI_CHAR, previous, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank % 2 == 0) MPI_Wait(&exchange, MPI_STATUS_IGNORE);
  expect(rank % 2 == 0 || got[n - 1] == previous, "a large message");
  for (int i = 0; i < size; ++i) expect(blocks[i] == i + rank, "an exchange");
  free(sent);
  free(got);
  free(blocks);
  free(mine);
}

/// No rank leaves a barrier before all have entered.
static void barrier_holds(void) {
  MPI_Request barrier;
  if (rank == size - 1) usleep(1000);
  double const before = MPI_Wtime();
  double latest = 0;
  MPI_Allreduce(&before, &latest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == size - 1) usleep(1000);
  double const entered = MPI_Wtime();
  MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
  MPI_Wait(&barrier, MPI_STATUS_IGNORE);
  expect(rank == size - 1 || MPI_Wtime() - entered > 0.0009, "the barrier");
}

/// SMPI's own non-blocking form sends all vectors to rank 0.
static void as_fast_as_blocking(void) {
  enum { n = 1 << 18 };
  MPI_Request request;
  float *const given = calloc(n, sizeof *given), *const sums = calloc(n, sizeof *sums);
  double times[3];
  MPI_Barrier(MPI_COMM_WORLD);
  times[0] = MPI_Wtime();
  MPI_Allreduce(given, sums, n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  times[1] = MPI_Wtime();
  MPI_Iallreduce(given, sums, n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  times[2] = MPI_Wtime();
  expect(times[2] - times[1] < 1.5 * (times[1] - times[0]), "the time of a non-blocking reduction");
  free(given);
  free(sums);
}

int main(int argc, char** argv) {
  MPI_Comm other, half;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  for (int i = 0; i < 6; ++i) {
    answer_after_barrier();
    blocking_collective_meanwhile();
    in_another_order(other);
    rendezvous_meanwhile();
    many_at_once();
  }
  barrier_holds();
  as_fast_as_blocking();
  // Groups of other sizes, and of one rank.
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0, 0, &half);
  int ones = 1, sum = 0, all = 0;
  MPI_Request request;
  MPI_Comm_size(half, &all);
  MPI_Iallreduce(&ones, &sum, 1, MPI_INT, MPI_SUM, half, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect(sum == all, "the sum of a group");
  MPI_Comm_free(&half);
  MPI_Comm_free(&other);
  MPI_Allreduce(&wrong, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0 && sum == 0) printf("all is well\n");
  MPI_Finalize();
  return sum != 0;
}
