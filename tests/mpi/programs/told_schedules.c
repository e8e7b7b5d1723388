// Schedules in files: what a program hears of them. The words of the command line say what is tried.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int wrong, rank, size;

static void expect(int right, char const* what) {
  if (right) return;
  ++wrong;
  printf("wrong: rank %d, %s\n", rank, what);
}

static int class_of(int code) {
  int class = MPI_SUCCESS;
  if (code != MPI_SUCCESS) MPI_Error_class(code, &class);
  return class;
}

// Every call is refused, whatever it is called with.
static void refused(void) {
  MPI_Comm comm;
  int one = 1, sum = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  for (int i = 0; i < 3; ++i) {
    expect(class_of(MPI_Allreduce(&one, &sum, i, MPI_INT, MPI_SUM, comm)) == MPI_ERR_ARG, "a refused schedule");
  }
  expect(class_of(MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm, &request)) == MPI_ERR_ARG, "not blocking");
  MPI_Comm_free(&comm);
}

// An info names a schedule that holds for the communicator, and another one that does not.
static void by_info(char const* good, char const* bad) {
  char const* const files[] = {good, bad};
  for (int i = 0; i < 2; ++i) {
    MPI_Comm comm;
    MPI_Info info;
    int one = 1, sum = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Info_create(&info);
    MPI_Info_set(info, "rondo_allreduce_schedule", files[i]);
    MPI_Comm_set_info(comm, info);
    MPI_Info_free(&info);
    int const code = MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    if (i == 0) expect(code == MPI_SUCCESS && sum == size, "a sum by an info");
    if (i == 1) expect(class_of(code) == MPI_ERR_INFO_VALUE, "a refused schedule of an info");
    MPI_Comm_free(&comm);
  }
}

// On several communicators at once, one of which has other ranks; and a vector that is longer than any buffer of MPI's.
static void at_once(void) {
  enum { most = 1 << 20 };
  static double in[most], out[most];
  MPI_Comm comms[4];
  int ones[4] = {1, 10, 100, 1000}, sums[4] = {0};
  MPI_Request requests[4];
  for (int i = 0; i < 3; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comms[3]);
  for (int i = 0; i < 4; ++i) MPI_Iallreduce(&ones[i], &sums[i], 1, MPI_INT, MPI_SUM, comms[i], &requests[i]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 3; ++i) expect(sums[i] == size * ones[i], "sums at once");
  expect(sums[3] == (size + 1 - rank % 2) / 2 * 1000, "a sum on half of the ranks");
  for (int i = 0; i < 4; ++i) MPI_Comm_free(&comms[i]);
  for (int i = 0; i < most; ++i) in[i] = rank + i;
  MPI_Allreduce(in, out, most, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < most; ++i) {
    if (out[i] == size * (size - 1) / 2 + (double)size * i) continue;
    expect(0, "a long vector");
    break;
  }
}

// By a selection: small vectors by a schedule that holds, large ones by one that does not, and on half of the ranks by
// one for three.
static void by_sizes(void) {
  enum { most = 1 << 18 };
  static int in[most], out[most];
  MPI_Comm comm, half;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_split(comm, rank % 2, rank, &half);
  for (int i = 0; i < most; ++i) in[i] = 1;
  for (int count = 0; count <= most; count = 2 * count + (count == 0)) {
    int const code = MPI_Allreduce(in, out, count, MPI_INT, MPI_SUM, comm);
    expect(class_of(code) == (count < most ? MPI_SUCCESS : MPI_ERR_ARG), "a size");
    expect(count == 0 || count == most || out[count - 1] == size, "a sum of a size");
  }
  MPI_Comm_set_errhandler(half, MPI_ERRORS_RETURN);
  expect(class_of(MPI_Allreduce(in, out, 1, MPI_INT, MPI_SUM, half)) == MPI_ERR_ARG, "half of the ranks");
  MPI_Comm_free(&half);
  MPI_Comm_free(&comm);
}

int main(int argc, char** argv) {
  int all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (strcmp(argv[1], "refused") == 0) refused();
  if (strcmp(argv[1], "info") == 0) by_info(argv[2], argv[3]);
  if (strcmp(argv[1], "at_once") == 0) at_once();
  if (strcmp(argv[1], "sizes") == 0) by_sizes();
  // Not by a collective, which might be refused.
  if (rank != 0) MPI_Send(&wrong, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  all = wrong;
  for (int from = 1; rank == 0 && from < size; ++from) {
    MPI_Recv(&wrong, 1, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    all += wrong;
  }
  if (rank == 0 && all == 0) printf("all is well\n");
  return MPI_Finalize();
}
