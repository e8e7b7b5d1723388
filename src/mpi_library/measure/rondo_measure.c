/* rondo-measure: measures a machine by MPI, for `rondo fit` (docs/machines.md, "Measure a machine").

     mpiexec -n N rondo-measure [FILE [LARGEST]]

   N is at least 2. FILE is a new file, and standard output by default. LARGEST is the size in bytes of the largest
   messages, 1048576 by default. Exit code 2: wrong words, or the file cannot be written.

   It writes a line of CSV for each measurement, "measured,ranks,bytes,algorithm,us" (microseconds):

     between, inside   one way of a message between two hosts, or in one host: half of a round trip
     pairs             the same of a pair, while so many ranks exchange messages between two hosts
     inside_pairs      the same, while so many ranks exchange messages in one host
     post, take        a call of MPI_Isend, and of MPI_Recv for a message that is there
     join              MPI_Reduce_local of doubles, MPI_SUM
     barrier, bcast, allreduce, allgather, alltoall
                       the slowest rank's mean time; bytes are those of a block. Without an algorithm it is the library's
                       own. With librondo_mpi, which LD_PRELOAD can add, Rondo's algorithms are measured too.

   Each time is the median of several; each measurement takes about 20 ms. It needs MPI-3 and nothing else. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_runs = 15, least_repeats = 2 };
static double const measure_s = 0.02;
static long largest = 1 << 20;
static long const most_memory = 64L << 20; /* bytes of a rank's buffer */

static int rank, ranks;
static FILE* out; /* of rank 0 */
static char *sent, *received;

/* Names in librondo_mpi; null without it. */
extern int Rondo_Allreduce(void const*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm) __attribute__((weak));

static void row(char const* measured, int of_ranks, long bytes, char const* algorithm, double us) {
  if (rank == 0) fprintf(out, "%s,%d,%ld,%s,%.4g\n", measured, of_ranks, bytes, algorithm, us);
}

static int ascending(void const* a, void const* b) {
  double const x = *(double const*)a, y = *(double const*)b;
  return x < y ? -1 : x > y;
}

static double median(double* values, int count) {
  qsort(values, (size_t)count, sizeof *values, ascending);
  return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* What is measured: `repeats` times in a row; returns the seconds of one. */
typedef double (*Action)(long bytes, int repeats, void* of);

/* The median of several runs in microseconds, the same on all ranks of `comm`: of its slowest rank in each run. */
static double timed(MPI_Comm comm, Action action, long bytes, void* of) {
  double runs[most_runs], once, slowest;
  int repeats, i;
  action(bytes, least_repeats, of);
  once = action(bytes, least_repeats, of);
  MPI_Allreduce(&once, &slowest, 1, MPI_DOUBLE, MPI_MAX, comm);
  repeats = slowest > 0 ? (int)(measure_s / most_runs / slowest) : 1000;
  repeats = repeats < least_repeats ? least_repeats : repeats > 10000 ? 10000 : repeats;
  for (i = 0; i < most_runs; ++i) {
    MPI_Barrier(comm);
    once = action(bytes, repeats, of);
    MPI_Allreduce(&once, &runs[i], 1, MPI_DOUBLE, MPI_MAX, comm);
  }
  return 1e6 * median(runs, most_runs);
}

/* Messages between pairs of ranks. */
struct Pairs {
  MPI_Comm comm; /* of all that take part */
  int partner;   /* in it */
  int first;     /* whether this rank sends first */
};

static double ping_pong(long bytes, int repeats, void* of) {
  struct Pairs const* pairs = of;
  double const begin = MPI_Wtime();
  int i;
  for (i = 0; i < repeats; ++i) {
    if (pairs->first) MPI_Send(sent, (int)bytes, MPI_BYTE, pairs->partner, 1, pairs->comm);
    MPI_Recv(received, (int)bytes, MPI_BYTE, pairs->partner, 1, pairs->comm, MPI_STATUS_IGNORE);
    if (!pairs->first) MPI_Send(sent, (int)bytes, MPI_BYTE, pairs->partner, 1, pairs->comm);
  }
  return (MPI_Wtime() - begin) / (2.0 * repeats);
}

enum { burst = 64 };

/* A call of MPI_Isend by the first rank; of MPI_Recv by the other one, long after the messages have come. */
static double burst_of(struct Pairs const* pairs, int repeats, int of_receiver) {
  MPI_Request requests[burst];
  MPI_Status statuses[burst];
  double sum = 0, begin;
  int i, k;
  for (i = 0; i < repeats; ++i) {
    MPI_Barrier(pairs->comm);
    if (pairs->first) {
      begin = MPI_Wtime();
      for (k = 0; k < burst; ++k) MPI_Isend(sent, 1, MPI_BYTE, pairs->partner, k, pairs->comm, &requests[k]);
      if (!of_receiver) sum += MPI_Wtime() - begin;
      MPI_Barrier(pairs->comm);
      MPI_Waitall(burst, requests, statuses);
    } else {
      int there = 0;
      MPI_Barrier(pairs->comm);
      while (!there) MPI_Iprobe(pairs->partner, burst - 1, pairs->comm, &there, MPI_STATUS_IGNORE);
      begin = MPI_Wtime();
      for (k = 0; k < burst; ++k)
        MPI_Recv(received, 1, MPI_BYTE, pairs->partner, k, pairs->comm, MPI_STATUS_IGNORE);
      if (of_receiver) sum += MPI_Wtime() - begin;
    }
  }
  return sum / ((double)repeats * burst);
}
static double post(long bytes, int repeats, void* of) {
  (void)bytes;
  return burst_of(of, repeats, 0);
}
static double take(long bytes, int repeats, void* of) {
  (void)bytes;
  return burst_of(of, repeats, 1);
}

static double join(long bytes, int repeats, void* of) {
  double const begin = MPI_Wtime();
  int i;
  (void)of;
  for (i = 0; i < repeats; ++i) MPI_Reduce_local(sent, received, (int)(bytes / 8), MPI_DOUBLE, MPI_SUM);
  return (MPI_Wtime() - begin) / repeats;
}

/* Collectives on a communicator, which may carry an algorithm. */
struct Call {
  char const* name;
  char const* algorithms[4]; /* Rondo's */
  int blocks;                /* of a buffer: 1, or one for each rank */
};
static struct Call const calls[] = {{"barrier", {"dissemination", "binomial", 0, 0}, 0},
                                    {"bcast", {"binomial", "scatter_allgather", "pipeline", 0}, 1},
                                    {"allreduce", {"recursive_doubling", "rabenseifner", "ring", 0}, 1},
                                    {"allgather", {"bruck", "ring", "recursive_doubling", 0}, -1},
                                    {"alltoall", {"bruck", "pairwise", "linear", 0}, -1}};
struct Collective {
  MPI_Comm comm;
  int call;
};

static double collective(long bytes, int repeats, void* of) {
  struct Collective const* what = of;
  int const n = (int)bytes, doubles = (int)(bytes / 8);
  double const begin = MPI_Wtime();
  int i;
  for (i = 0; i < repeats; ++i) {
    switch (what->call) {
      case 0:
        MPI_Barrier(what->comm);
        break;
      case 1:
        MPI_Bcast(sent, n, MPI_BYTE, 0, what->comm);
        break;
      case 2:
        MPI_Allreduce(sent, received, doubles, MPI_DOUBLE, MPI_SUM, what->comm);
        break;
      case 3:
        MPI_Allgather(sent, n, MPI_BYTE, received, n, MPI_BYTE, what->comm);
        break;
      default:
        MPI_Alltoall(sent, n, MPI_BYTE, received, n, MPI_BYTE, what->comm);
    }
  }
  return (MPI_Wtime() - begin) / repeats;
}

/* A copy of all ranks that goes by an algorithm of Rondo's; null: the library's own. */
static MPI_Comm with_algorithm(char const* name, char const* algorithm) {
  MPI_Comm comm;
  MPI_Info info;
  char key[64];
  if (algorithm == 0) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    return comm;
  }
  snprintf(key, sizeof key, "rondo_%s_algorithm", name);
  MPI_Info_create(&info);
  MPI_Info_set(info, key, algorithm);
  MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm);
  MPI_Info_free(&info);
  return comm;
}

static void measure_collective(int call, char const* algorithm) {
  static long const sizes[] = {8, 512, 8192, 131072, 1048576};
  struct Collective what = {with_algorithm(calls[call].name, algorithm), call};
  size_t i;
  for (i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    long const bytes = calls[call].blocks == 0 ? 0 : sizes[i];
    if (bytes > largest || (calls[call].blocks < 0 && bytes > most_memory / ranks)) break;
    row(calls[call].name, ranks, bytes, algorithm == 0 ? "" : algorithm, timed(what.comm, collective, bytes, &what));
    if (bytes == 0) break;
  }
  MPI_Comm_free(&what.comm);
}

static void measure_collectives(void) {
  size_t call, i;
  for (call = 0; call < sizeof calls / sizeof *calls; ++call) {
    measure_collective((int)call, 0);
    for (i = 0; Rondo_Allreduce != 0 && calls[call].algorithms[i] != 0; ++i)
      measure_collective((int)call, calls[call].algorithms[i]);
  }
}

/* The ranks a and b by themselves; null on all others. */
static MPI_Comm couple(int a, int b) {
  MPI_Comm comm;
  MPI_Comm_split(MPI_COMM_WORLD, rank == a || rank == b ? 0 : MPI_UNDEFINED, rank == a ? 0 : 1, &comm);
  return comm;
}

static void measure_messages(char const* name, int other) {
  MPI_Comm comm = couple(0, other);
  struct Pairs pairs = {comm, rank == 0 ? 1 : 0, rank == 0};
  long bytes;
  double us;
  if (comm == MPI_COMM_NULL) return;
  for (bytes = 1; bytes <= largest; bytes *= 2) {
    us = timed(comm, ping_pong, bytes, &pairs);
    row(name, 2, bytes, "", us);
  }
  MPI_Comm_free(&comm);
}

static void measure_calls(int other) {
  MPI_Comm comm = couple(0, other);
  struct Pairs pairs = {comm, rank == 0 ? 1 : 0, rank == 0};
  double us;
  if (comm == MPI_COMM_NULL) return;
  us = timed(comm, post, 1, &pairs);
  row("post", 2, 1, "", us);
  us = timed(comm, take, 1, &pairs);
  row("take", 2, 1, "", us);
  us = timed(comm, join, largest, 0);
  row("join", 1, largest, "", us);
  MPI_Comm_free(&comm);
}

/* 1, 2, 4, ... pairs of ranks at a time, of these lists. */
static void measure_pairs(char const* name, int const* first, int const* second, int most) {
  int pairs, r;
  for (pairs = 1; pairs <= most; pairs *= 2) {
    struct Pairs with;
    int place = -1;
    double us;
    for (r = 0; r < pairs; ++r) {
      if (rank == first[r]) place = 2 * r;
      if (rank == second[r]) place = 2 * r + 1;
    }
    MPI_Comm_split(MPI_COMM_WORLD, place < 0 ? MPI_UNDEFINED : 0, place, &with.comm);
    if (place < 0) continue;
    with.partner = place % 2 == 0 ? place + 1 : place - 1;
    with.first = place % 2 == 0;
    us = timed(with.comm, ping_pong, largest, &with);
    row(name, 2 * pairs, largest, "", us);
    MPI_Comm_free(&with.comm);
  }
}

/* Pairs between the first and the second host, and pairs within the first one if it has room for two. */
static void measure_all_pairs(int const* host_of) {
  int *first = malloc((size_t)ranks * sizeof(int)), *second = malloc((size_t)ranks * sizeof(int));
  int one = 0, two = 0, r;
  for (r = 0; r < ranks; ++r) {
    if (host_of[r] == 0) first[one++] = r;
    if (host_of[r] == 1) second[two++] = r;
  }
  measure_pairs("pairs", first, second, one < two ? one : two);
  for (r = 0; r < one / 2; ++r) second[r] = first[one / 2 + r];
  if (one >= 4) measure_pairs("inside_pairs", first, second, one / 2);
  free(first);
  free(second);
}

/* The number of each rank's host, in the order of their first ranks; returns how many there are. */
static int find_hosts(int* host_of) {
  MPI_Comm host;
  int least = rank, hosts = 0, r;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host);
  MPI_Bcast(&least, 1, MPI_INT, 0, host);
  MPI_Comm_free(&host);
  MPI_Allgather(&least, 1, MPI_INT, host_of, 1, MPI_INT, MPI_COMM_WORLD);
  for (r = 0; r < ranks; ++r) host_of[r] = host_of[r] == r ? hosts++ : host_of[host_of[r]];
  return hosts;
}

static int first_on(int const* host_of, int host, int after) {
  int r;
  for (r = after + 1; r < ranks; ++r) {
    if (host_of[r] == host) return r;
  }
  return -1;
}

int main(int argc, char** argv) {
  int *host_of, hosts, fine = 1;
  char* end = "";
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc == 3) largest = strtol(argv[2], &end, 10);
  if (argc > 3 || (argc > 1 && argv[1][0] == '-') || *end != 0 || ranks < 2 || largest < 8 || largest > most_memory) {
    if (rank == 0) fprintf(stderr, "usage: mpiexec -n N rondo-measure [FILE [LARGEST]]; N >= 2, LARGEST 8 to 67108864\n");
    MPI_Finalize();
    return 2;
  }
  out = stdout;
  if (rank == 0 && argc > 1) out = fopen(argv[1], "wx");
  fine = rank != 0 || out != 0;
  MPI_Bcast(&fine, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (!fine) {
    if (rank == 0) perror(argv[1]);
    MPI_Finalize();
    return 2;
  }
  sent = calloc(1, (size_t)most_memory);
  received = calloc(1, (size_t)most_memory);
  host_of = malloc((size_t)ranks * sizeof(int));
  hosts = find_hosts(host_of);
  if (rank == 0) {
    fprintf(out, "# rondo-measure 1: %d ranks on %d host%s%s\n", ranks, hosts, hosts == 1 ? "" : "s",
            Rondo_Allreduce != 0 ? ", with librondo_mpi" : "");
    fprintf(out, "measured,ranks,bytes,algorithm,us\n");
  }
  if (hosts > 1) measure_messages("between", first_on(host_of, 1, 0));
  if (first_on(host_of, 0, 0) >= 0) measure_messages("inside", first_on(host_of, 0, 0));
  measure_all_pairs(host_of);
  measure_calls(hosts > 1 ? first_on(host_of, 1, 0) : 1);
  measure_collectives();
  /* A full disk shows when the file is closed. */
  if (rank == 0) fine = !ferror(out) & (fclose(out) == 0);
  if (!fine) perror(argc > 1 ? argv[1] : "standard output");
  free(host_of);
  free(sent);
  free(received);
  MPI_Finalize();
  return fine ? 0 : 2;
}
