/* Calls collectives of MPI and checks what arrives: `collectives bcast:64 allgather:8 ...`, with so many bytes a block.
 * While a call is made, RONDO_CALL says which one, for those who watch (trace_*.c). */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int ranks, rank;
static size_t block;
static unsigned char *from, *to;

static unsigned char said(int source, int target) { return (unsigned char)(1 + 3 * source + 5 * target); }

static void fill(unsigned char* at, unsigned char value) { memset(at, value, block); }

static void expect(unsigned char const* at, unsigned char value, char const* collective) {
  for (size_t i = 0; i < block; ++i) {
    if (at[i] == value) continue;
    fprintf(stderr, "%s: rank %d got %d in place of %d\n", collective, rank, at[i], value);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

static unsigned char joined(int first, int last) {
  unsigned char total = 0;
  for (int source = first; source <= last; ++source) total ^= said(source, 0);
  return total;
}

static int is(char const* word, char const* name) { return strcmp(word, name) == 0; }

static int call(char const* name) {
  int const count = (int)block;
  MPI_Comm const world = MPI_COMM_WORLD;
  for (int i = 0; i < ranks; ++i) fill(from + (size_t)i * block, said(rank, is(name, "alltoall") || is(name, "scatter") ? i : 0));
  if (is(name, "barrier")) {
    MPI_Barrier(world);
  } else if (is(name, "bcast")) {
    MPI_Bcast(from, count, MPI_BYTE, 0, world);
    expect(from, said(0, 0), name);
  } else if (is(name, "gather")) {
    MPI_Gather(from, count, MPI_BYTE, to, count, MPI_BYTE, 0, world);
    for (int i = 0; rank == 0 && i < ranks; ++i) expect(to + (size_t)i * block, said(i, 0), name);
  } else if (is(name, "scatter")) {
    MPI_Scatter(from, count, MPI_BYTE, to, count, MPI_BYTE, 0, world);
    expect(to, said(0, rank), name);
  } else if (is(name, "allgather")) {
    MPI_Allgather(from, count, MPI_BYTE, to, count, MPI_BYTE, world);
    for (int i = 0; i < ranks; ++i) expect(to + (size_t)i * block, said(i, 0), name);
  } else if (is(name, "alltoall")) {
    MPI_Alltoall(from, count, MPI_BYTE, to, count, MPI_BYTE, world);
    for (int i = 0; i < ranks; ++i) expect(to + (size_t)i * block, said(i, rank), name);
  } else if (is(name, "reduce")) {
    MPI_Reduce(from, to, count, MPI_UNSIGNED_CHAR, MPI_BXOR, 0, world);
    if (rank == 0) expect(to, joined(0, ranks - 1), name);
  } else if (is(name, "allreduce")) {
    MPI_Allreduce(from, to, count, MPI_UNSIGNED_CHAR, MPI_BXOR, world);
    expect(to, joined(0, ranks - 1), name);
  } else if (is(name, "reduce_scatter")) {
    int* counts = malloc(sizeof(int) * (size_t)ranks);
    for (int i = 0; i < ranks; ++i) counts[i] = count;
    MPI_Reduce_scatter(from, to, counts, MPI_UNSIGNED_CHAR, MPI_BXOR, world);
    free(counts);
    expect(to, joined(0, ranks - 1), name);
  } else if (is(name, "reduce_scatter_block")) {
    MPI_Reduce_scatter_block(from, to, count, MPI_UNSIGNED_CHAR, MPI_BXOR, world);
    expect(to, joined(0, ranks - 1), name);
  } else if (is(name, "scan")) {
    MPI_Scan(from, to, count, MPI_UNSIGNED_CHAR, MPI_BXOR, world);
    expect(to, joined(0, rank), name);
  } else if (is(name, "exscan")) {
    MPI_Exscan(from, to, count, MPI_UNSIGNED_CHAR, MPI_BXOR, world);
    if (rank > 0) expect(to, joined(0, rank - 1), name);
  } else {
    return 0;
  }
  return 1;
}

static int call_of(char* word) {
  char* const colon = strchr(word, ':');
  if (colon == NULL) return 0;
  block = (size_t)atol(colon + 1);
  from = calloc((size_t)ranks, block + 1);
  to = calloc((size_t)ranks, block + 1);
  MPI_Barrier(MPI_COMM_WORLD);
  setenv("RONDO_CALL", word, 1);
  *colon = 0;
  int const known = call(word);
  unsetenv("RONDO_CALL");
  *colon = ':';
  MPI_Barrier(MPI_COMM_WORLD);
  free(from);
  free(to);
  return known;
}

int main(int argc, char** argv) {
  int known = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 1; i < argc && known; ++i) known = call_of(argv[i]);
  MPI_Finalize();
  if (!known) fprintf(stderr, "expected COLLECTIVE:BYTES ...\n");
  return known ? 0 : 2;
}
