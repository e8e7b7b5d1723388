/* What a program may do, by its first argument; a number by its second one. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int global;                 /* of this rank alone, where variables are private */
static char sent[1 << 20], received[1 << 20];

static int rank, p;

static int is(char const* mode, char const* word) { return strcmp(mode, word) == 0; }

/* Every rank leaves its own trace in the same variables, and a barrier lets the others do it in between. */
static int counts_alone(void) {
  static int local = 100;
  global += rank + 1;
  local += rank + 1;
  MPI_Barrier(MPI_COMM_WORLD);
  global += 1;
  return global != rank + 2 || local != 101 + rank;
}

static void ping_pong(int n) {
  if (rank > 1) return;
  for (int turn = 0; turn < 2; ++turn) {
    if (turn == rank)
      MPI_Send(sent, n, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD);
    else
      MPI_Recv(received, n, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

/* Until the clock says that so many microseconds are over. */
static void until(int microseconds) {
  double const begin = MPI_Wtime();
  while (MPI_Wtime() - begin < 1e-6 * microseconds) continue;
}

static void shift(int n, int distance) {
  MPI_Sendrecv(sent, n, MPI_CHAR, (rank + distance) % p, 0, received, n, MPI_CHAR, (rank + p - distance) % p, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int allgather(int n) {
  int wrong = 0;
  char* all = malloc((size_t)n * p);
  memset(sent, rank + 1, n);
  MPI_Allgather(sent, n, MPI_CHAR, all, n, MPI_CHAR, MPI_COMM_WORLD);
  for (int i = 0; i < n * p; ++i) wrong += all[i] != i / n + 1;
  free(all);
  return wrong;
}

/* What SMPI can do on no placeholder of MPI_COMM_WORLD. */
static int from_any_source(void) {
  MPI_Status status;
  int sum = 0, got;
  if (rank != 0) {
    MPI_Send(&rank, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    return 0;
  }
  for (int i = 1; i < p; ++i) {
    MPI_Probe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status);
    MPI_Recv(&got, 1, MPI_INT, status.MPI_SOURCE, 7, MPI_COMM_WORLD, &status);
    sum += got;
  }
  return sum != p * (p - 1) / 2;
}

static int uses_stack(int n) {
  volatile char on_stack[n];
  on_stack[0] = 1;
  on_stack[n - 1] = 2;
  return on_stack[0] + on_stack[n - 1] != 3;
}

static int run(char const* mode, int n) {
  int const other = p - 1 - rank;
  if (is(mode, "private")) return counts_alone();
  if (is(mode, "ping_pong")) ping_pong(n);
  if (is(mode, "until")) until(n);
  if (is(mode, "shift")) shift(n, 1);
  if (is(mode, "self")) shift(n, 0);
  if (is(mode, "allgather")) return allgather(n);
  if (is(mode, "any")) return from_any_source();
  if (is(mode, "stack")) return uses_stack(n);
  if (is(mode, "return") && rank == p - 1) return n;
  if (is(mode, "exit") && rank == p - 1) printf("this is wrong\n"), exit(n);
  if (is(mode, "abort") && rank == p - 1) MPI_Abort(MPI_COMM_WORLD, n);
  if (is(mode, "crash") && rank == p - 1) printf("about to fail\n"), abort();
  if (is(mode, "deadlock")) MPI_Recv(received, 1, MPI_CHAR, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (is(mode, "send_first")) {
    MPI_Send(sent, n, MPI_CHAR, other, 0, MPI_COMM_WORLD);
    MPI_Recv(received, n, MPI_CHAR, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (is(mode, "poll")) {
    int found = 0;
    while (!found) MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
  }
  return 0;
}

int main(int argc, char** argv) {
  char const* const mode = argc > 1 ? argv[1] : "";
  int wrong;
  if (is(mode, "no_mpi")) return 0;
  if (is(mode, "environment")) global = getenv(argv[2]) == NULL || !is(getenv(argv[2]), argc > 3 ? argv[3] : "");
  if (is(mode, "file")) {
    FILE* const file = fopen(argv[2], "r");
    if (file == NULL) return 4;
    fclose(file);
  }
  if (is(mode, "environment") && global) return 5;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  if (is(mode, "unfinished")) return 0;
  wrong = run(mode, argc > 2 ? atoi(argv[2]) : 0);
  MPI_Finalize();
  if (is(mode, "exit_fine")) exit(0);
  return wrong;
}
