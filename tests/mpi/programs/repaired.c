/* What SMPI has and does wrongly: a barrier that does not block must not end before all processes have begun it, scans
 * join in the order of ranks, and tools call what SMPI lacks by the names that begin with PMPI. */

#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

static int rank, ranks, wrong = 0;

static void expect(int holds, char const* what) {
  if (holds) return;
  ++wrong;
  printf("rank %d: %s\n", rank, what);
}

/* Messages of which the receivers do not know: whoever has sent all of its own begins a barrier, and receives until
 * that is complete [Hoefler, Siebert and Lumsdaine 2010]. The last rank sends last, to the first one. */
static void no_message_is_missed(void) {
  int word = 7, there, sent = 0, done = 0, began = 0, got = 0;
  MPI_Request message, barrier;
  if (rank == ranks - 1) {
    usleep(10000);
    MPI_Issend(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &message);
  } else {
    message = MPI_REQUEST_NULL;
  }
  while (!done) {
    MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    if (there) {
      MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      ++got;
    }
    if (began) {
      MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
    } else {
      MPI_Test(&message, &sent, MPI_STATUS_IGNORE);
      if (sent) {
        MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
        began = 1;
      }
    }
  }
  expect(got == (rank == 0), "a message came after MPI_Ibarrier had ended");
  if (got != (rank == 0)) MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Nobody leaves before all have entered, also where it is started again. */
static void all_have_entered(void) {
  MPI_Request barrier;
  double before, latest;
  MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &barrier);
  for (int late = 0; late < ranks; ++late) {
    if (rank == late) usleep(10000);
    before = MPI_Wtime();
    MPI_Start(&barrier);
    MPI_Wait(&barrier, MPI_STATUS_IGNORE);
    double const after = MPI_Wtime();
    MPI_Allreduce(&before, &latest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    expect(after >= latest, "a rank left the barrier before all had entered it");
  }
  MPI_Request_free(&barrier);
}

/* Affine maps x -> a x + b modulo a prime; which is applied first matters. */
typedef struct {
  int a, b;
} Map;
enum { prime = 10007, length = 3 };

static void first_then_second(void* first, void* second, int* count, MPI_Datatype* type) {
  Map const* in = first;
  Map* inout = second;
  (void)type;
  for (int i = 0; i < *count; ++i) {
    Map const then = inout[i];
    inout[i].a = in[i].a * then.a % prime;
    inout[i].b = (in[i].b * then.a + then.b) % prime;
  }
}

static Map own(int of, int place) {
  Map const map = {of + 2, 3 * of + place + 1};
  return map;
}

/* Of the maps of ranks 0 to `last`. */
static Map joined(int last, int place) {
  Map all = own(0, place);
  for (int of = 1; of <= last; ++of) {
    Map next = own(of, place);
    int one = 1;
    first_then_second(&all, &next, &one, NULL);
    all = next;
  }
  return all;
}

static void expect_scan(Map const* got, int last, char const* what) {
  if (last < 0) return;
  for (int i = 0; i < length; ++i) {
    Map const wanted = joined(last, i);
    expect(got[i].a == wanted.a && got[i].b == wanted.b, what);
  }
}

static void fill(Map* maps) {
  for (int i = 0; i < length; ++i) maps[i] = own(rank, i);
}

static void scans(void) {
  Map mine[length], got[length];
  MPI_Op op;
  MPI_Datatype type;
  MPI_Request request;
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Op_create(first_then_second, 0, &op);
  fill(mine);
  MPI_Scan(mine, got, length, type, op, MPI_COMM_WORLD);
  expect_scan(got, rank, "MPI_Scan");
  fill(got);
  MPI_Scan(MPI_IN_PLACE, got, length, type, op, MPI_COMM_WORLD);
  expect_scan(got, rank, "MPI_Scan in place");
  MPI_Exscan(mine, got, length, type, op, MPI_COMM_WORLD);
  expect_scan(got, rank - 1, "MPI_Exscan");
  MPI_Iscan(mine, got, length, type, op, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect_scan(got, rank, "MPI_Iscan");
  fill(got);
  MPI_Iexscan(MPI_IN_PLACE, got, length, type, op, MPI_COMM_WORLD, &request);
  MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
  expect_scan(got, rank - 1, "MPI_Iexscan in place");
  MPI_Scan_init(mine, got, length, type, op, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  for (int i = 0; i < 2; ++i) {
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect_scan(got, rank, "MPI_Scan_init");
    fill(got);
  }
  MPI_Request_free(&request);
  MPI_Exscan_init(mine, got, length, type, op, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect_scan(got, rank - 1, "MPI_Exscan_init");
  MPI_Request_free(&request);
  MPI_Op_free(&op);
  MPI_Type_free(&type);
}

/* Reductions that do not block, joined in the order of ranks. */
static void reductions_in_order(void) {
  Map mine[length], got[length];
  MPI_Op op;
  MPI_Datatype type;
  MPI_Request request;
  int counts[64], root = ranks - 1;
  for (int i = 0; i < ranks; ++i) counts[i] = i < 2 ? i + 1 : 0;
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Op_create(first_then_second, 0, &op);
  fill(mine);
  MPI_Iallreduce(mine, got, length, type, op, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect_scan(got, ranks - 1, "MPI_Iallreduce");
  MPI_Ireduce(mine, got, length, type, op, root, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank == root) expect_scan(got, ranks - 1, "MPI_Ireduce");
  fill(got);
  MPI_Allreduce_init(MPI_IN_PLACE, got, length, type, op, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  for (int i = 0; i < 2; ++i) {
    fill(got);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect_scan(got, ranks - 1, "MPI_Allreduce_init");
  }
  MPI_Request_free(&request);
  MPI_Ireduce_scatter(mine, got, counts, type, op, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < counts[rank]; ++i) {
    Map const wanted = joined(ranks - 1, rank + i);
    expect(got[i].a == wanted.a && got[i].b == wanted.b, "MPI_Ireduce_scatter");
  }
  MPI_Op_free(&op);
  MPI_Type_free(&type);
}

/* The least and the greatest of the ranks before: SMPI's own joins a zero to them. */
static void nothing_is_joined_to_an_exclusive_scan(void) {
  int const mine = -5 - rank, positive = 5 + rank;
  int greatest = 7, least = 7;
  MPI_Request requests[2];
  MPI_Iexscan(&mine, &greatest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &requests[0]);
  MPI_Iexscan(&positive, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  expect(greatest == (rank == 0 ? 7 : -5), "MPI_Iexscan by MPI_MAX");
  expect(least == (rank == 0 ? 7 : 5), "MPI_Iexscan by MPI_MIN");
}

/// Buffered sends, once and persistent, and the receives: MPI_Testany names each of them once, and then nothing.
static void each_is_found(MPI_Request* requests, int number, char const* what) {
  int index = 0, done = 0, seen = 0;
  for (int left = number; left > 0; left -= done) {
    MPI_Testany(number, requests, &index, &done, MPI_STATUS_IGNORE);
    if (done && index == MPI_UNDEFINED) break;
    if (done) seen |= 1 << index;
  }
  expect(seen == (1 << number) - 1, what);
  MPI_Testany(number, requests, &index, &done, MPI_STATUS_IGNORE);
  expect(done == 1 && index == MPI_UNDEFINED, what);
}

static void any_of_small_sends(void) {
  int const next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  int sent[2], got[2] = {-1, -1};
  MPI_Request requests[4];
  for (int k = 0; k < 2; ++k) {
    sent[k] = 10 * rank + k;
    MPI_Isend(&sent[k], 1, MPI_INT, next, k, MPI_COMM_WORLD, &requests[k]);
    MPI_Irecv(&got[k], 1, MPI_INT, before, k, MPI_COMM_WORLD, &requests[2 + k]);
  }
  each_is_found(requests, 4, "MPI_Testany");
  expect(got[0] == 10 * before && got[1] == 10 * before + 1, "what MPI_Testany has completed");
  for (int k = 0; k < 2; ++k) {
    MPI_Send_init(&sent[k], 1, MPI_INT, next, k, MPI_COMM_WORLD, &requests[k]);
    MPI_Recv_init(&got[k], 1, MPI_INT, before, k, MPI_COMM_WORLD, &requests[2 + k]);
  }
  for (int i = 1; i <= 3; ++i) {
    sent[0] = 10 * rank + i;
    MPI_Startall(4, requests);
    each_is_found(requests, 4, "MPI_Testany of persistent requests");
    expect(got[0] == 10 * before + i, "what MPI_Testany has completed of persistent requests");
  }
  for (int k = 0; k < 4; ++k) MPI_Request_free(&requests[k]);
}

enum { unused_code = 77 };

static void expect_kept(MPI_Status* status, char const* function) {
  expect(status->MPI_ERROR == unused_code, function);
}

/* A function that returns one status leaves its error code alone, and so does a list without MPI_ERR_IN_STATUS. */
static void error_codes_stay(void) {
  int const next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  int got = -1, flag = 0, index = 0, number = 0, indices[2];
  MPI_Request requests[2];
  MPI_Status all[2], *const status = all;
  all[0].MPI_ERROR = all[1].MPI_ERROR = unused_code;
  MPI_Sendrecv(&rank, 1, MPI_INT, next, 0, &got, 1, MPI_INT, before, 0, MPI_COMM_WORLD, status);
  expect_kept(status, "MPI_Sendrecv leaves the error code of the status");
  MPI_Isend(&rank, 1, MPI_INT, next, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Probe(before, 0, MPI_COMM_WORLD, status);
  expect_kept(status, "MPI_Probe leaves the error code of the status");
  while (!flag) MPI_Iprobe(before, 0, MPI_COMM_WORLD, &flag, status);
  expect_kept(status, "MPI_Iprobe leaves the error code of the status");
  MPI_Recv(&got, 1, MPI_INT, before, 0, MPI_COMM_WORLD, status);
  expect_kept(status, "MPI_Recv leaves the error code of the status");
  expect(got == before && status->MPI_SOURCE == before, "what MPI_Recv receives");
  MPI_Wait(&requests[0], status);
  expect_kept(status, "MPI_Wait leaves the error code of the status");
  for (int call = 0; call < 4; ++call) {
    MPI_Irecv(&got, 1, MPI_INT, before, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&rank, 1, MPI_INT, next, 0, MPI_COMM_WORLD, &requests[1]);
    for (flag = 0; call == 0 && !flag;) MPI_Test(&requests[0], &flag, status);
    if (call == 1) MPI_Waitany(1, requests, &index, status);
    for (flag = 0; call == 2 && !flag;) MPI_Testany(1, requests, &index, &flag, status);
    if (call == 3) MPI_Waitsome(1, requests, &number, indices, status);
    expect_kept(status, "a completion leaves the error code of the status");
    expect(status->MPI_SOURCE == before && requests[0] == MPI_REQUEST_NULL, "the source of a status");
    MPI_Waitall(2, requests, all);
    expect_kept(&all[1], "MPI_Waitall leaves the error codes of the statuses");
  }
}

static int is_of_class(int code, int wanted) {
  int found = MPI_SUCCESS;
  MPI_Error_class(code, &found);
  return found == wanted;
}

/* Whoever completes a message that is too long gets the error. It belongs to the communicator, which returns it. */
static void messages_that_are_too_long(void) {
  int const next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks, sent[2] = {1, 2};
  int got = -1, flag = 0, index = 0, number = 0, code = MPI_SUCCESS;
  MPI_Comm own;
  MPI_Request requests[2];
  MPI_Status status;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
  for (int call = 0; call < 5; ++call) {
    MPI_Irecv(&got, 1, MPI_INT, before, 0, own, &requests[0]);
    MPI_Isend(sent, 2, MPI_INT, next, 0, own, &requests[1]);
    if (call == 0) code = MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    for (flag = 0; call == 1 && !flag;) code = MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    if (call == 2) code = MPI_Waitany(1, requests, &index, MPI_STATUS_IGNORE);
    for (flag = 0; call == 3 && !flag;) code = MPI_Testany(1, requests, &index, &flag, MPI_STATUS_IGNORE);
    if (call == 4) {
      expect(is_of_class(MPI_Waitsome(1, requests, &number, &index, &status), MPI_ERR_IN_STATUS), "MPI_ERR_IN_STATUS");
      code = status.MPI_ERROR;
    }
    expect(is_of_class(code, MPI_ERR_TRUNCATE), "a message that is too long");
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  }
  MPI_Comm_free(&own);
}

/* Directions and rooms for coordinates are compared with the dimensions of the grid. */
static void grids_have_their_dimensions(void) {
  int const dims[2] = {1, ranks}, periods[2] = {0, 1};
  int before = -1, next = -1, coordinates[2] = {-1, -1};
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Comm_set_errhandler(grid, MPI_ERRORS_RETURN);
  expect(is_of_class(MPI_Cart_shift(grid, 2, 1, &before, &next), MPI_ERR_ARG),
         "MPI_Cart_shift past the last dimension");
  expect(is_of_class(MPI_Cart_coords(grid, rank, 1, coordinates), MPI_ERR_ARG), "MPI_Cart_coords with too little room");
  expect(coordinates[0] == -1, "what MPI_Cart_coords with too little room leaves");
  MPI_Cart_shift(grid, 1, 1, &before, &next);
  expect(before == (rank + ranks - 1) % ranks && next == (rank + 1) % ranks, "MPI_Cart_shift");
  MPI_Cart_coords(grid, rank, 2, coordinates);
  expect(coordinates[0] == 0 && coordinates[1] == rank, "MPI_Cart_coords");
  MPI_Comm_free(&grid);
}

static void profiling_names(void) {
  int const next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  int kind, got = -1;
  MPI_Comm ring;
  PMPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                  0, &ring);
  PMPI_Topo_test(ring, &kind);
  expect(kind == MPI_DIST_GRAPH, "PMPI_Topo_test");
  PMPI_Neighbor_allgather(&rank, 1, MPI_INT, &got, 1, MPI_INT, ring);
  expect(got == before, "PMPI_Neighbor_allgather");
  MPI_Comm_free(&ring);
}

int main(int argc, char** argv) {
  int all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  scans();
  reductions_in_order();
  nothing_is_joined_to_an_exclusive_scan();
  all_have_entered();
  no_message_is_missed();
  any_of_small_sends();
  error_codes_stay();
  messages_that_are_too_long();
  grids_have_their_dimensions();
  profiling_names();
  MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0 && all == 0) printf("all is well\n");
  MPI_Finalize();
  return all == 0 ? 0 : 1;
}
