// Collectives by algorithms that the environment names, each blocking, non-blocking and persistent, against a plain
// computation. A word of the command line is a collective and what its variables say, "bcast:algorithm=chain:radix=2";
// of the program itself are root=R and ordered=1, an operator that does not commute. In a value + stands for a colon:
// "allreduce:algorithm=hierarchical:intra=reduce+chain,bcast+chain:inter=ring".
#include <ctype.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_ranks = 64, length = 13, block = 3, most = most_ranks * length };
enum form { blocking, non_blocking, persistent };

static int rank, size, root, wrong;
static char const* word;
static MPI_Op op;
static int ordered;
static int sent[most], got[most], counts[most_ranks], places[most_ranks], to_counts[most_ranks], to_places[most_ranks];

// x -> a x + b modulo 251 as 256 a + b: the first map, then the second. It does not commute.
static int then(int first, int second) {
  int const a = first / 256, b = first % 256, c = second / 256, d = second % 256;
  return 256 * (a * c % 251) + (c * b + d) % 251;
}
static void compose(void* in, void* inout, int* n, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *n; ++i) ((int*)inout)[i] = then(((int*)in)[i], ((int*)inout)[i]);
}

// Element i of a rank's vector.
static int element(int of, int i) {
  unsigned const mixed = (unsigned)(of * 7919 + i * 104729 + 17);
  return ordered ? (int)(256 * (1 + mixed % 250) + mixed / 250 % 251) : (int)(mixed % 100000);
}
// Those of ranks first to last - 1, joined in their order.
static int joined(int first, int last, int i) {
  int result = element(first, i);
  for (int r = first + 1; r < last; ++r) result = ordered ? then(result, element(r, i)) : result + element(r, i);
  return result;
}

static int is(char const* name, char const* other) { return strcmp(name, other) == 0; }

static void expect(int i, int right, enum form form) {
  static char const* const names[] = {"blocking", "non-blocking", "persistent"};
  if (got[i] == right || wrong++ > 0) return;
  printf("wrong: rank %d, %s, %s: element %d is %d, not %d\n", rank, word, names[form], i, got[i], right);
}

// MPI_X, MPI_IX or MPI_X_init.
#define CALLED(FORM, REQUEST, X, x, ...)                     \
  ((FORM) == blocking       ? MPI_##X(__VA_ARGS__)           \
   : (FORM) == non_blocking ? MPI_I##x(__VA_ARGS__, REQUEST) \
                            : MPI_##X##_init(__VA_ARGS__, MPI_INFO_NULL, REQUEST))

static int call(char const* name, enum form form, MPI_Request* request) {
  MPI_Comm const comm = MPI_COMM_WORLD;
  MPI_Datatype const type = MPI_INT;
  if (is(name, "barrier")) return CALLED(form, request, Barrier, barrier, comm);
  if (is(name, "bcast")) return CALLED(form, request, Bcast, bcast, got, length, type, root, comm);
  if (is(name, "gather")) return CALLED(form, request, Gather, gather, sent, block, type, got, block, type, root, comm);
  if (is(name, "gatherv"))
    return CALLED(form, request, Gatherv, gatherv, sent, counts[rank], type, got, counts, places, type, root, comm);
  if (is(name, "scatter"))
    return CALLED(form, request, Scatter, scatter, sent, block, type, got, block, type, root, comm);
  if (is(name, "scatterv"))
    return CALLED(form, request, Scatterv, scatterv, sent, counts, places, type, got, counts[rank], type, root, comm);
  if (is(name, "allgather"))
    return CALLED(form, request, Allgather, allgather, sent, block, type, got, block, type, comm);
  if (is(name, "allgatherv"))
    return CALLED(form, request, Allgatherv, allgatherv, sent, counts[rank], type, got, counts, places, type, comm);
  if (is(name, "alltoall")) return CALLED(form, request, Alltoall, alltoall, sent, block, type, got, block, type, comm);
  if (is(name, "alltoallv"))
    return CALLED(form, request, Alltoallv, alltoallv, sent, to_counts, to_places, type, got, counts, places, type,
                  comm);
  if (is(name, "reduce")) return CALLED(form, request, Reduce, reduce, sent, got, length, type, op, root, comm);
  if (is(name, "allreduce")) return CALLED(form, request, Allreduce, allreduce, sent, got, length, type, op, comm);
  if (is(name, "reduce_scatter"))
    return CALLED(form, request, Reduce_scatter, reduce_scatter, sent, got, counts, type, op, comm);
  if (is(name, "reduce_scatter_block"))
    return CALLED(form, request, Reduce_scatter_block, reduce_scatter_block, sent, got, block, type, op, comm);
  if (is(name, "scan")) return CALLED(form, request, Scan, scan, sent, got, length, type, op, comm);
  if (is(name, "exscan")) return CALLED(form, request, Exscan, exscan, sent, got, length, type, op, comm);
  printf("wrong: no collective %s\n", name);
  return MPI_ERR_ARG;
}

// What a rank has before: its own numbers, and of what it gets nothing.
static void fill(char const* name) {
  int place = 0, to_place = 0;
  for (int r = 0; r < size; ++r) {
    counts[r] = is(name, "alltoallv") ? (r + 2 * rank) % 4 : r % 4;
    to_counts[r] = (rank + 2 * r) % 4;
    places[r] = place;
    to_places[r] = to_place;
    place += counts[r] + (is(name, "reduce_scatter") ? 0 : 1);
    to_place += to_counts[r];
  }
  for (int i = 0; i < most; ++i) {
    sent[i] = element(rank, i);
    got[i] = is(name, "bcast") && rank == root ? element(rank, i) : -1;
  }
}

// Blocks of `n` elements from all ranks, at `at`; element i of a block is element `from` + i of its rank.
static void expect_block(int at, int n, int of, int from, enum form form) {
  for (int i = 0; i < n; ++i) expect(at + i, element(of, from + i), form);
}

static void check_blocks(char const* name, enum form form) {
  int place_of_mine = 0;
  if (is(name, "scatter")) return expect_block(0, block, root, rank * block, form);
  if (is(name, "scatterv")) return expect_block(0, counts[rank], root, places[rank], form);
  for (int r = 0; r < size; ++r) {
    if (is(name, "gather") && rank == root) expect_block(r * block, block, r, 0, form);
    if (is(name, "gatherv") && rank == root) expect_block(places[r], counts[r], r, 0, form);
    if (is(name, "allgather")) expect_block(r * block, block, r, 0, form);
    if (is(name, "allgatherv")) expect_block(places[r], counts[r], r, 0, form);
    if (is(name, "alltoall")) expect_block(r * block, block, r, rank * block, form);
    if (!is(name, "alltoallv")) continue;
    place_of_mine = 0;  // in what rank r sends
    for (int before = 0; before < rank; ++before) place_of_mine += (r + 2 * before) % 4;
    expect_block(places[r], counts[r], r, place_of_mine, form);
    expect(places[r] + counts[r], -1, form);
  }
}

static void check(char const* name, enum form form) {
  for (int i = 0; i < length; ++i) {
    if (is(name, "bcast")) expect(i, element(root, i), form);
    if (is(name, "reduce") && rank == root) expect(i, joined(0, size, i), form);
    if (is(name, "allreduce")) expect(i, joined(0, size, i), form);
    if (is(name, "scan")) expect(i, joined(0, rank + 1, i), form);
    if (is(name, "exscan") && rank > 0) expect(i, joined(0, rank, i), form);
  }
  for (int i = 0; is(name, "reduce_scatter_block") && i < block; ++i)
    expect(i, joined(0, size, rank * block + i), form);
  for (int i = 0; is(name, "reduce_scatter") && i < counts[rank]; ++i)
    expect(i, joined(0, size, places[rank] + i), form);
  check_blocks(name, form);
}

// RONDO_<COLLECTIVE>_<KEY>; the v forms and reduce_scatter_block go by the variables of their collective.
static char const* variable(char const* name, char const* key) {
  static char text[128];
  int n = snprintf(text, sizeof text, "RONDO_%s", name);
  if (text[n - 1] == 'v') --n;
  if (is(name, "reduce_scatter_block")) n -= (int)strlen("_block");
  snprintf(text + n, sizeof text - (size_t)n, "_%s", key);
  for (char* c = text; *c != '\0'; ++c) *c = (char)toupper((unsigned char)*c);
  return text;
}

static void carry_out(char const* name, enum form form, int times) {
  MPI_Request request = MPI_REQUEST_NULL;
  fill(name);
  if (call(name, form, &request) != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 9);
  for (int time = 0; time < times; ++time) {
    if (form == persistent) fill(name);
    if (form == persistent) MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(name, form);
  }
  if (form == persistent) MPI_Request_free(&request);
}

static void by_word(void) {
  static char const* const keys[] = {"algorithm", "segment", "radix", "group_size", "distances", "children",
                                     "intra",     "inter",   "lanes"};
  char text[1024];
  snprintf(text, sizeof text, "%s", word);
  char* rest = strchr(text, ':');
  if (rest != NULL) *rest++ = '\0';
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) unsetenv(variable(text, keys[i]));
  root = ordered = 0;
  while (rest != NULL) {
    char* const key = rest;
    rest = strchr(key, ':');
    if (rest != NULL) *rest++ = '\0';
    char* const value = strchr(key, '=');
    *value = '\0';
    for (char* c = value + 1; *c != '\0'; ++c) *c = (char)(*c == '+' ? ':' : *c);
    if (is(key, "root")) {
      root = atoi(value + 1);
    } else if (is(key, "ordered")) {
      ordered = atoi(value + 1);
    } else {
      setenv(variable(text, key), value + 1, 1);
    }
  }
  op = MPI_SUM;
  if (ordered) MPI_Op_create(compose, 0, &op);
  if (!is(text, "none")) {
    carry_out(text, blocking, 1);
    carry_out(text, non_blocking, 1);
    carry_out(text, persistent, 2);
  }
  if (ordered) MPI_Op_free(&op);
}

int main(int argc, char** argv) {
  int all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 1; i < argc; ++i) {
    word = argv[i];
    by_word();
    unsetenv("RONDO_BARRIER_ALGORITHM");
    MPI_Barrier(MPI_COMM_WORLD);  // the environment may be one for all ranks
  }
  unsetenv("RONDO_REDUCE_ALGORITHM");
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0 && all == 0) printf("all is well\n");
  MPI_Finalize();
  return wrong != 0;
}
