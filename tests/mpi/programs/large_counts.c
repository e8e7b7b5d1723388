// MPI 4's functions for large counts do the same as those with int counts, and refuse what an int cannot hold.
#include <mpi.h>
#include <stdio.h>

enum { most = 16 };
static int rank, size, wrong, told;

static void expect(int holds, char const* what) {
  if (holds) return;
  printf("rank %d: %s\n", rank, what);
  ++wrong;
}

static void tell(MPI_Comm* comm, int* code, ...) {
  (void)comm;
  told = *code;
}

/* Around a ring, of which each rank knows that it hears one rank and is heard by two. */
static void neighbors(int next, int previous) {
  int const targets[2] = {next, rank};
  int const sources[2] = {previous, rank};
  int const sent[2] = {10 * rank, 10 * rank + 1};
  int got[2] = {-1, -1};
  MPI_Count const ones[2] = {1, 1};
  MPI_Aint const places[2] = {1, 0}, bytes[2] = {4, 0};
  MPI_Datatype const types[2] = {MPI_INT, MPI_INT};
  MPI_Comm ring, grid;
  MPI_Request request;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, MPI_UNWEIGHTED, 2, targets, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                 0, &ring);
  MPI_Neighbor_alltoallw_c(sent, ones, bytes, types, got, ones, bytes, types, ring);
  expect(got[1] == 10 * previous + 1 && got[0] == 10 * rank, "neighbor_alltoallw");
  MPI_Ineighbor_allgatherv_c(sent, 1, MPI_INT, got, ones, places, MPI_INT, ring, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect(got[1] == 10 * previous && got[0] == 10 * rank, "ineighbor_allgatherv");
  MPI_Comm_free(&ring);
  int const periodic = 1;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &grid);
  MPI_Neighbor_alltoallv_init_c(sent, ones, places, MPI_INT, got, ones, places, MPI_INT, grid, MPI_INFO_NULL, &request);
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  expect(got[1] == 10 * previous && got[0] == 10 * next + 1, "neighbor_alltoallv_init");
  expect(MPI_Neighbor_allgather_c(sent, 1, MPI_INT, got, 1, MPI_INT, grid) == MPI_SUCCESS && got[1] == 10 * next,
         "neighbor_allgather");
  MPI_Comm_free(&grid);
}

/* The bytes of a type, from its lower bound on; -1 if making it fails. */
static MPI_Count extent_of(int code, MPI_Datatype* type) {
  MPI_Count lower = 0, extent = -1;
  if (code == MPI_SUCCESS) {
    MPI_Type_get_extent_c(*type, &lower, &extent);
    MPI_Type_free(type);
  }
  return extent;
}

static void types(void) {
  MPI_Count const lengths[2] = {1, 2}, far[2] = {0, 6}, sizes[2] = {4, 4}, parts[2] = {2, 2}, starts[2] = {1, 1};
  MPI_Count const bytes[2] = {0, 32};
  MPI_Datatype const both[2] = {MPI_INT, MPI_DOUBLE};
  MPI_Datatype type;
  expect(extent_of(MPI_Type_contiguous_c(3, MPI_INT, &type), &type) == 12, "contiguous");
  expect(extent_of(MPI_Type_vector_c(2, 1, 5, MPI_INT, &type), &type) == 24, "vector");
  expect(extent_of(MPI_Type_create_hvector_c(2, 1, 40, MPI_INT, &type), &type) == 44, "hvector");
  expect(extent_of(MPI_Type_indexed_c(2, lengths, far, MPI_INT, &type), &type) == 32, "indexed");
  expect(extent_of(MPI_Type_create_indexed_block_c(2, 1, far, MPI_INT, &type), &type) == 28, "indexed_block");
  expect(extent_of(MPI_Type_create_hindexed_c(2, lengths, bytes, MPI_INT, &type), &type) == 40, "hindexed");
  expect(extent_of(MPI_Type_create_hindexed_block_c(2, 1, bytes, MPI_INT, &type), &type) == 36, "hindexed_block");
  expect(extent_of(MPI_Type_create_struct_c(2, lengths, bytes, both, &type), &type) == 48, "struct");
  expect(extent_of(MPI_Type_create_subarray_c(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &type), &type) == 64,
         "subarray");
  /* More than an int holds, which addresses may be. */
  expect(extent_of(MPI_Type_create_resized_c(MPI_INT, 0, (MPI_Count)1 << 33, &type), &type) == (MPI_Count)1 << 33,
         "resized");
  MPI_Count size = 0, position = 0, ints = 0, addresses = 0, large = -1, datatypes = 0;
  int combiner = 0, packed[4] = {0}, number = 7, length = 0;
  MPI_Type_vector_c(2, 1, 5, MPI_INT, &type);
  MPI_Type_size_c(type, &size);
  MPI_Type_get_envelope_c(type, &ints, &addresses, &large, &datatypes, &combiner);
  expect(size == 8 && ints == 3 && large == 0 && datatypes == 1 && combiner == MPI_COMBINER_VECTOR, "an envelope");
  /* More room than an int counts; its low half is 0. */
  int integers[3] = {0, 0, 0};
  MPI_Count const room = (MPI_Count)1 << 32;
  MPI_Datatype of = MPI_DATATYPE_NULL;
  expect(MPI_Type_get_contents_c(type, room, room, room, room, integers, NULL, NULL, &of) == MPI_SUCCESS &&
             integers[0] == 2 && integers[1] == 1 && integers[2] == 5 && of == MPI_INT,
         "contents");
  MPI_Type_free(&type);
  MPI_Pack_c(&number, 1, MPI_INT, packed, sizeof packed, &position, MPI_COMM_SELF);
  MPI_Pack_size_c(1, MPI_INT, MPI_COMM_SELF, &size);
  expect(position == 4 && size == 4, "packed");
  position = 0;
  MPI_Unpack_c(packed, sizeof packed, &position, &length, 1, MPI_INT, MPI_COMM_SELF);
  expect(length == 7, "unpacked");
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int const next = (rank + 1) % size, previous = (rank + size - 1) % size;
  int sent[most], got[most], i;
  MPI_Count counts[most], n = 0;
  MPI_Aint places[most];
  MPI_Request request[2];
  MPI_Status status;
  for (i = 0; i < size; ++i) {
    sent[i] = 100 * rank + i;
    got[i] = -1;
    counts[i] = 1;
    places[i] = size - 1 - i;
  }
  MPI_Alltoallv_c(sent, counts, places, MPI_INT, got, counts, places, MPI_INT, MPI_COMM_WORLD);
  for (i = 0; i < size; ++i) expect(got[size - 1 - i] == 100 * i + size - 1 - rank, "alltoallv");
  for (i = 0; i < 3; ++i) {
    int root = i % size;
    got[0] = -1;
    MPI_Scatterv_c(sent, rank == root ? counts : NULL, rank == root ? places : NULL, MPI_INT, got, 1, MPI_INT, root,
                   MPI_COMM_WORLD);
    expect(got[0] == 100 * root + size - 1 - rank, "scatterv");
    MPI_Igatherv_c(sent, 1, MPI_INT, got, rank == root ? counts : NULL, rank == root ? places : NULL, MPI_INT, root,
                   MPI_COMM_WORLD, request);
    MPI_Wait(request, &status);
    for (int r = 0; rank == root && r < size; ++r) expect(got[size - 1 - r] == 100 * r, "igatherv");
  }
  MPI_Irecv_c(got, 2, MPI_INT, previous, 1, MPI_COMM_WORLD, &request[0]);
  MPI_Isend_c(sent, 1, MPI_INT, next, 1, MPI_COMM_WORLD, &request[1]);
  MPI_Wait(&request[0], &status);
  MPI_Wait(&request[1], MPI_STATUS_IGNORE);
  MPI_Get_count_c(&status, MPI_INT, &n);
  expect(n == 1 && got[0] == 100 * previous, "messages");
  MPI_Sendrecv_c(sent, 1, MPI_INT, next, 2, got, 1, MPI_INT, previous, 2, MPI_COMM_WORLD, &status);
  expect(got[0] == 100 * previous, "sendrecv");
  MPI_Allreduce_init_c(&rank, got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request);
  for (i = 0; i < 2; ++i) {
    MPI_Start(request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
  }
  expect(got[0] == size * (size - 1) / 2, "a persistent allreduce");
  MPI_Request_free(request);
  neighbors(next, previous);
  types();
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(tell, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  expect(MPI_Bcast_c(sent, (MPI_Count)1 << 31, MPI_INT, 0, MPI_COMM_WORLD) == MPI_ERR_COUNT && told == MPI_ERR_COUNT,
         "a count of 2^31");
  MPI_Datatype type;
  MPI_Count const long_list[1] = {(MPI_Count)1 << 31};
  told = 0;
  expect(MPI_Type_vector_c(1, 1, (MPI_Count)1 << 31, MPI_INT, &type) == MPI_ERR_COUNT && told == MPI_ERR_COUNT,
         "a stride of 2^31");
  expect(MPI_Type_indexed_c(1, long_list, long_list, MPI_INT, &type) == MPI_ERR_COUNT, "a list with 2^31");
  MPI_Reduce_c(&wrong, got, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0 && got[0] == 0) printf("all is well\n");
  MPI_Finalize();
  return wrong != 0;
}
