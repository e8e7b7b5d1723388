// Random collectives: collective, form, communicator, datatype, count, root, operator, in place or not. Prints a line
// for each call with a number that depends on every byte of the receive buffers of all ranks, gaps included. So two
// runs with the same arguments and other algorithms print the same.
//
// random_calls SEED CALLS TYPES [world]: of so many datatypes, of which the first three have no gaps; of three
// communicators (all ranks, all in the opposite order, half of them), or of all ranks alone.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_ranks = 8, types = 5, operators = 5, collectives = 16, comms = 3 };
enum {
  bcast,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  reduce,
  allreduce,
  reduce_scatter,
  reduce_scatter_block,
  scan,
  exscan,
  barrier
};

static uint64_t state;  // the same at all ranks
static int rank_of(MPI_Comm comm) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  return rank;
}
static int size_of(MPI_Comm comm) {
  int size;
  MPI_Comm_size(comm, &size);
  return size;
}
static uint64_t mixed(uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
static int drawn(int below) { return (int)(mixed(state += 0x9e3779b97f4a7c15u) % (uint64_t)below); }

// x -> a x + b modulo 251 as 256 a + b: the first map, then the second. It does not commute.
static int then(int first, int second) {
  int const a = first / 256, b = first % 256, c = second / 256, d = second % 256;
  return 256 * (a * c % 251) + (c * b + d) % 251;
}
// The elements of all types consist of ints, whose places in an element these are.
typedef struct {
  MPI_Datatype type;
  int ints, stride;
  MPI_Aint extent;
} Kind;
static Kind kinds[types];

static void each_int(void* in, void* inout, int n, MPI_Datatype type, int ordered) {
  for (int k = 0; k < types; ++k) {
    if (kinds[k].type != type) continue;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < kinds[k].ints; ++j) {
        size_t const at = (size_t)i * (size_t)kinds[k].extent + (size_t)(j * kinds[k].stride) * sizeof(int);
        int first, second;
        memcpy(&first, (char*)in + at, sizeof first);
        memcpy(&second, (char*)inout + at, sizeof second);
        second = ordered ? then(first, second) : (int)((unsigned)first + (unsigned)second * 1u);
        memcpy((char*)inout + at, &second, sizeof second);
      }
    }
    return;
  }
  printf("an operator is called with an unknown datatype\n");
}
static void compose(void* in, void* inout, int* n, MPI_Datatype* type) { each_int(in, inout, *n, *type, 1); }
static void add(void* in, void* inout, int* n, MPI_Datatype* type) { each_int(in, inout, *n, *type, 0); }

static void make_kinds(void) {
  MPI_Datatype type;
  kinds[0] = (Kind){MPI_INT, 1, 1, sizeof(int)};
  kinds[1] = (Kind){MPI_UNSIGNED, 1, 1, sizeof(int)};
  MPI_Type_contiguous(3, MPI_INT, &type);  // without gaps
  kinds[2] = (Kind){type, 3, 1, 3 * sizeof(int)};
  MPI_Type_vector(2, 1, 3, MPI_INT, &type);  // with a gap inside
  kinds[3] = (Kind){type, 2, 3, 4 * sizeof(int)};
  MPI_Datatype one;
  MPI_Type_contiguous(2, MPI_INT, &one);
  MPI_Type_create_resized(one, 0, 5 * sizeof(int), &type);  // with a gap behind
  kinds[4] = (Kind){type, 2, 1, 5 * sizeof(int)};
  for (int k = 2; k < types; ++k) MPI_Type_commit(&kinds[k].type);
}

static char *sent, *got;
static size_t bytes;
static void fill(void) {
  uint64_t const seed = mixed(state) ^ mixed((uint64_t)rank_of(MPI_COMM_WORLD) + 77);
  for (size_t i = 0; i + sizeof(int) <= bytes; i += sizeof(int)) {
    uint64_t const x = mixed(seed + i);
    int const value = (int)(256 * (1 + x % 250) + x / 250 % 251);  // a map that compose knows
    int const other = (int)(256 * (1 + x / 7 % 250) + x / 999 % 251);
    memcpy(sent + i, &value, sizeof value);
    memcpy(got + i, &other, sizeof other);
  }
}
static uint64_t digest(void) {
  uint64_t hash = (uint64_t)rank_of(MPI_COMM_WORLD) + 1;
  for (size_t i = 0; i < bytes; ++i) hash = (hash ^ (unsigned char)got[i]) * 0x100000001b3u;
  for (size_t i = 0; i < bytes; ++i) hash = (hash ^ (unsigned char)sent[i]) * 0x100000001b3u;
  return hash;
}

// MPI_X or MPI_IX with MPI_Wait.
#define CALL(X, x, ...)                                                       \
  do {                                                                        \
    MPI_Request request;                                                      \
    if (waits)                                                                \
      MPI_I##x(__VA_ARGS__, &request), MPI_Wait(&request, MPI_STATUS_IGNORE); \
    else                                                                      \
      MPI_##X(__VA_ARGS__);                                                   \
  } while (0)

static void call(int what, MPI_Comm comm, Kind kind, int count, MPI_Op op, int root, int in_place, int waits) {
  int const p = size_of(comm), rank = rank_of(comm), is_root = rank == root;
  int counts[most_ranks], places[most_ranks], to[most_ranks], to_places[most_ranks], end = 0, to_end = 0;
  uint64_t const salt = mixed(state);
  for (int i = 0; i < p; ++i) {
    // Both ends know the count of a pair; those of an alltoall in place are the same in both directions.
    uint64_t const low = (uint64_t)(rank < i ? rank : i), high = (uint64_t)(rank < i ? i : rank);
    int const pair = (int)(mixed(salt + (what == alltoallv ? 1000 * low + high : (uint64_t)i)) % (uint64_t)(count + 1));
    counts[i] = to[i] = pair;
    places[i] = end, to_places[i] = to_end;
    end += pair + 1;
    to_end += pair;
  }
  MPI_Datatype const type = kind.type;
  void* const from = in_place ? MPI_IN_PLACE : sent;
  switch (what) {
    case bcast:
      CALL(Bcast, bcast, got, count, type, root, comm);
      break;
    case gather:
      CALL(Gather, gather, is_root ? from : sent, count, type, got, count, type, root, comm);
      break;
    case gatherv:
      CALL(Gatherv, gatherv, is_root ? from : sent, counts[rank], type, got, counts, places, type, root, comm);
      break;
    case scatter:
      CALL(Scatter, scatter, sent, count, type, is_root && in_place ? MPI_IN_PLACE : got, count, type, root, comm);
      break;
    case scatterv:
      CALL(Scatterv, scatterv, sent, counts, places, type, is_root && in_place ? MPI_IN_PLACE : got, counts[rank], type,
           root, comm);
      break;
    case allgather:
      CALL(Allgather, allgather, from, count, type, got, count, type, comm);
      break;
    case allgatherv:
      CALL(Allgatherv, allgatherv, from, counts[rank], type, got, counts, places, type, comm);
      break;
    case alltoall:
      CALL(Alltoall, alltoall, from, count, type, got, count, type, comm);
      break;
    case alltoallv:
      CALL(Alltoallv, alltoallv, from, to, to_places, type, got, counts, places, type, comm);
      break;
    case reduce:
      CALL(Reduce, reduce, is_root ? from : sent, got, count, type, op, root, comm);
      break;
    case allreduce:
      CALL(Allreduce, allreduce, from, got, count, type, op, comm);
      break;
    case reduce_scatter:
      CALL(Reduce_scatter, reduce_scatter, from, got, counts, type, op, comm);
      break;
    case reduce_scatter_block:
      CALL(Reduce_scatter_block, reduce_scatter_block, from, got, count, type, op, comm);
      break;
    case scan:
      CALL(Scan, scan, from, got, count, type, op, comm);
      break;
    case exscan:
      CALL(Exscan, exscan, from, got, count, type, op, comm);
      break;
    default:
      CALL(Barrier, barrier, comm);
      break;
  }
  // What a reduction in place leaves behind its result is not said by MPI.
  int const kept = what == reduce_scatter ? counts[rank] : count;
  if (in_place && (what == reduce_scatter || what == reduce_scatter_block)) {
    memset(got + (size_t)kept * (size_t)kind.extent, 0, bytes - (size_t)kept * (size_t)kind.extent);
  }
  if (what == exscan && rank == 0) memset(got, 0, bytes);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  setvbuf(stdout, NULL, _IOLBF, 1024);  // whole lines, between those on standard error
  state = (uint64_t)strtoull(argv[1], NULL, 10) * 1000003u;
  int const calls = atoi(argv[2]), known_types = atoi(argv[3]), one = argc > 4;
  int const rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  MPI_Comm of[comms];
  MPI_Comm_dup(MPI_COMM_WORLD, &of[0]);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &of[1]);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &of[2]);
  make_kinds();
  MPI_Op ordered, added;
  MPI_Op_create(compose, 0, &ordered);
  MPI_Op_create(add, 1, &added);
  MPI_Op const ops[operators] = {MPI_SUM, MPI_MAX, MPI_BXOR, added, ordered};
  int const most_count = 500;
  bytes = (size_t)most_ranks * (size_t)(most_count + 1) * 5 * sizeof(int);
  sent = malloc(bytes), got = malloc(bytes);
  for (int i = 0; i < calls; ++i) {
    int const what = drawn(collectives), op = drawn(operators), sizes = drawn(6), big = drawn(most_count) + 1;
    int kind = drawn(known_types), in_place = drawn(3) == 0;
    int const small = drawn(20), where = one ? 0 : drawn(comms), waits = drawn(3) == 0;
    int const count = sizes == 0 ? 0 : sizes < 4 ? small : big;
    MPI_Comm const comm = of[where];
    int const root = drawn(size_of(comm));
    int const reduces = what >= reduce && what <= exscan;
    if (reduces && op < 3 && kind > 1) kind -= 2;  // MPI's own operators know predefined types
    if (kind > 1 && reduces && op < 3) kind = 0;
    fill();
    call(what, comm, kinds[kind], count, ops[op], root, in_place, waits);
    uint64_t hash = digest(), other;
    if (rank != 0) MPI_Send(&hash, 1, MPI_UINT64_T, 0, 9, MPI_COMM_WORLD);
    for (int from = 1; rank == 0 && from < size; ++from) {
      MPI_Recv(&other, 1, MPI_UINT64_T, from, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      hash = mixed(hash) ^ other;
    }
    if (rank == 0)
      printf("%d: collective %d, %d of type %d, operator %d, root %d, communicator %d%s%s: %016llx\n", i, what, count,
             kind, op, root, where, in_place ? ", in place" : "", waits ? ", waits" : "", (unsigned long long)hash);
  }
  if (rank == 0) printf("all is done\n");
  return MPI_Finalize();
}
