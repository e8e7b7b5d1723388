/* An unmodified MPI program of inter-communicators. Exit code 1, and a line that says what, if something is wrong. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size, wrong = 0;

static void expect(int holds, char const* what) {
  if (holds) return;
  fprintf(stderr, "rank %d: %s\n", rank, what);
  wrong = 1;
}

/* Every third rank against all others. */
static void collectives(MPI_Comm inter, int in_low, int local_size, int remote_size) {
  int i, flag, p, me, remote, value, good = 1, *all = malloc(2 * size * sizeof(int)), *mine = malloc(size * sizeof(int));
  MPI_Comm_test_inter(inter, &flag);
  MPI_Comm_size(inter, &p);
  MPI_Comm_rank(inter, &me);
  MPI_Comm_remote_size(inter, &remote);
  expect(flag && p == local_size && remote == remote_size, "the sizes of both groups");

  /* Blocks of one group are longer than those of the other. */
  int const mine_long = in_low ? 2 : 1, theirs_long = in_low ? 1 : 2, block[2] = {100 * in_low + me, 7};
  for (i = 0; i < 2 * size; ++i) all[i] = -1;
  MPI_Allgather(block, mine_long, MPI_INT, all, theirs_long, MPI_INT, inter);
  for (i = 0; i < remote_size; ++i) good = good && all[i * theirs_long] == 100 * !in_low + i;
  expect(good && all[remote_size * theirs_long] == -1, "MPI_Allgather");

  for (i = 0; i < remote_size; ++i) mine[i] = 1000 * in_low + 30 * me + i;
  MPI_Alltoall(mine, 1, MPI_INT, all, 1, MPI_INT, inter);
  for (i = 0; i < remote_size; ++i) good = good && all[i] == 1000 * !in_low + 30 * i + me;
  expect(good, "MPI_Alltoall");

  /* The root is the last rank of the lower group. */
  int const root = in_low ? (me == local_size - 1 ? MPI_ROOT : MPI_PROC_NULL) : remote_size - 1;
  value = in_low ? 5 : -1;
  MPI_Bcast(&value, 1, MPI_INT, root, inter);
  expect(value == 5, "MPI_Bcast");
  for (i = 0; i < size; ++i) all[i] = -1;
  MPI_Gather(&me, 1, MPI_INT, all, 1, MPI_INT, root, inter);
  if (in_low && me == local_size - 1) {
    for (i = 0; i < remote_size; ++i) good = good && all[i] == i;
  }
  expect(good && all[in_low && me == local_size - 1 ? remote_size : 0] == -1, "MPI_Gather");
  value = 1;
  MPI_Allreduce(&value, &flag, 1, MPI_INT, MPI_SUM, inter);
  expect(flag == remote_size, "MPI_Allreduce is over the remote group");
  MPI_Barrier(inter);
  free(all);
  free(mine);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int const in_low = rank % 3 == 0, low = (size + 2) / 3, leader = in_low ? 1 : 0;
  int merged_rank, code, error_class, value = 0;
  MPI_Comm local, inter, copy, merged;
  MPI_Comm_split(MPI_COMM_WORLD, in_low, rank, &local);
  MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, leader, 3, &inter);
  collectives(inter, in_low, in_low ? low : size - low, in_low ? size - low : low);
  MPI_Comm_dup(inter, &copy);
  MPI_Comm_free(&inter);
  collectives(copy, in_low, in_low ? low : size - low, in_low ? size - low : low);

  /* The lower group comes last. */
  MPI_Intercomm_merge(copy, in_low, &merged);
  MPI_Comm_rank(merged, &merged_rank);
  expect(merged_rank == (in_low ? size - low + rank / 3 : rank - rank / 3 - 1), "the order of MPI_Intercomm_merge");

  /* What MPI does not have between two groups, and who is in neither of them. */
  MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
  code = MPI_Scan(&value, &merged_rank, 1, MPI_INT, MPI_SUM, copy);
  MPI_Error_class(code, &error_class);
  expect(error_class == MPI_ERR_COMM, "MPI_Scan between two groups");
  code = MPI_Send(&value, 1, MPI_INT, in_low ? size - low : low, 0, copy);
  MPI_Error_class(code, &error_class);
  expect(error_class == MPI_ERR_RANK, "a message to a rank that is none");
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, merged);
  if (rank == 0 && !wrong) puts("all is well");
  MPI_Comm_free(&merged);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&local);
  MPI_Finalize();
  return wrong;
}
