/* Whose error handler is called, those of windows, and roots between two groups of one process. Exit code 1, and a line that says what, if
 * something is wrong. */

#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "rondo/mpi.h"

static MPI_Comm handled = MPI_COMM_NULL;
static int calls = 0, wrong = 0;

static void expect(int holds, char const* what) {
  if (holds) return;
  fprintf(stderr, "%s\n", what);
  wrong = 1;
}

static void handler(MPI_Comm* comm, int* code, ...) {
  (void)code;
  handled = *comm;
  ++calls;
}

/* The block of rank 0 is longer than its neighbor has asked for. The handler of the world would end the program. */
static void non_blocking(int rank, int size) {
  int const next = (rank + 1) % size, last = (rank + size - 1) % size, block[2] = {rank, 7};
  int received = -1, outcount = 0, index = 0, code;
  MPI_Comm ring;
  MPI_Errhandler own;
  MPI_Request request;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &last, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &ring);
  MPI_Comm_create_errhandler(handler, &own);
  MPI_Comm_set_errhandler(ring, own);

  MPI_Ineighbor_allgather(block, rank == 0 ? 2 : 1, MPI_INT, &received, 1, MPI_INT, ring, &request);
  code = MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect((code != MPI_SUCCESS) == (rank == 1), "MPI_Wait tells who receives too much");
  expect(calls == (rank == 1) && (rank != 1 || handled == ring), "MPI_Wait calls the handler of the communicator");

  MPI_Ineighbor_allgather(block, rank == 0 ? 2 : 1, MPI_INT, &received, 1, MPI_INT, ring, &request);
  code = MPI_Waitsome(1, &request, &outcount, &index, MPI_STATUSES_IGNORE);
  expect((code != MPI_SUCCESS) == (rank == 1), "MPI_Waitsome tells who receives too much");
  expect(calls == 2 * (rank == 1), "MPI_Waitsome calls the handler of the communicator");

  /* A request that outlives its communicator, without an error. */
  MPI_Ineighbor_allgather(block, 1, MPI_INT, &received, 1, MPI_INT, ring, &request);
  MPI_Comm_free(&ring);
  expect(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS && received == last, "a communicator freed meanwhile");
  MPI_Errhandler_free(&own);
}

/* A persistent operation of the default algorithm goes on while processes are elsewhere: on a Moore neighborhood of a
 * torus of 3 x 3, where message combining takes fewer rounds. */
static void persistent(int rank, int size) {
  int const extents[] = {3, 3}, periods[] = {1, 1};
  int i, neighbors = 0, others[8], sent = rank, received[8], token = 0, sum = 0;
  MPI_Comm grid, moore;
  MPI_Request request;
  for (i = 0; i < size; ++i) {
    if (i != rank) others[neighbors++] = i;
  }
  MPI_Cart_create(MPI_COMM_WORLD, 2, extents, periods, 0, &grid);
  MPI_Dist_graph_create_adjacent(grid, 8, others, MPI_UNWEIGHTED, 8, others, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &moore);
  MPI_Neighbor_allgather_init(&sent, 1, MPI_INT, received, 1, MPI_INT, moore, MPI_INFO_NULL, &request);
  MPI_Start(&request);
  if (rank == 0) MPI_Recv(&token, 1, MPI_INT, size - 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank == size - 1) MPI_Send(&token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
  for (i = 0; i < 8; ++i) sum += received[i];
  expect(sum == 36 - rank, "a persistent allgather");
  MPI_Request_free(&request);
  MPI_Comm_free(&moore);
  MPI_Comm_free(&grid);
}

/* The first two processes, each a group. */
static void groups_of_one(int rank) {
  int value = rank == 1 ? 42 : -1, got = -1;
  MPI_Comm inter;
  if (rank > 1) return;
  MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 9, &inter);
  MPI_Bcast(&value, 1, MPI_INT, rank == 1 ? MPI_ROOT : 0, inter);
  expect(value == 42, "MPI_Bcast between groups of one");
  value = 7 + rank;
  MPI_Gather(&value, 1, MPI_INT, &got, 1, MPI_INT, rank == 0 ? MPI_ROOT : 0, inter);
  expect(got == (rank == 0 ? 8 : -1), "MPI_Gather between groups of one");
  MPI_Comm_free(&inter);
}

static MPI_Win handled_window = MPI_WIN_NULL;
static int reported = MPI_SUCCESS;

static void window_handler(MPI_Win* win, int* code, ...) {
  handled_window = *win;
  MPI_Error_class(*code, &reported);
}

static void windows(int rank, int size) {
  int memory = rank;
  MPI_Win win;
  MPI_Errhandler own;
  MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_create_errhandler(window_handler, &own);
  MPI_Win_set_errhandler(win, own);
  MPI_Errhandler_free(&own);
  MPI_Win_fence(0, win);
  MPI_Put(&rank, 1, MPI_INT, size, 0, 1, MPI_INT, win);
  expect(handled_window == win && reported == MPI_ERR_RANK, "the handler of a window");
  MPI_Win_call_errhandler(win, MPI_ERR_DISP);
  expect(reported == MPI_ERR_DISP, "the handler of a window is called");
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  expect(MPI_Win_call_errhandler(win, MPI_ERR_SIZE) == MPI_SUCCESS && reported == MPI_ERR_DISP, "a window returns errors");
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
}

/* Error classes, codes and texts of the program. */
static void added_codes(void) {
  int class = 0, code = 0, found = 0, length = -1;
  char text[MPI_MAX_ERROR_STRING] = "?";
  MPI_Add_error_class(&class);
  MPI_Error_string(class, text, &length);
  expect(length == 0 && text[0] == 0 && class > MPI_ERR_LASTCODE, "the text of a class that has none");
  MPI_Add_error_code(class, &code);
  MPI_Add_error_string(code, "the pump is dry");
  MPI_Error_string(code, text, &length);
  expect(length == 15 && strcmp(text, "the pump is dry") == 0, "the text of a code");
  MPI_Error_class(code, &found);
  expect(found == class && code != class, "the class of a code");
  MPI_Error_class(class, &found);
  expect(found == class, "the class of a class");
  MPI_Add_error_code(MPI_ERR_ARG, &code);
  MPI_Error_class(code, &found);
  expect(found == MPI_ERR_ARG, "the class of a code of MPI's class");
}

/* A communicator has the handler of the one from which it is made. */
static void inherited(int rank, int size) {
  int const extents[] = {3, 3}, periods[] = {1, 1}, keep[] = {1, 0}, next = (rank + 1) % size, last = (rank + size - 1) % size;
  int const before = calls, index[] = {0}, edges[] = {0};
  MPI_Comm parent, half, grid, line, ring, graph, inter, merged;
  MPI_Errhandler own;
  MPI_Group group;
  MPI_Comm_dup(MPI_COMM_WORLD, &parent);
  MPI_Comm_create_errhandler(handler, &own);
  MPI_Comm_set_errhandler(parent, own);
  MPI_Errhandler_free(&own);
  MPI_Comm_group(parent, &group);
  MPI_Comm_split(parent, rank % 2, rank, &half);
  MPI_Cart_create(parent, 2, extents, periods, 0, &grid);
  MPI_Cart_sub(grid, keep, &line);
  MPI_Dist_graph_create_adjacent(parent, 1, &last, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
  MPI_Comm_create(parent, group, &graph);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 9, &inter);
  MPI_Intercomm_merge(inter, rank % 2, &merged);
  {
    MPI_Comm const made[] = {half, grid, line, ring, graph, inter, merged};
    int i;
    for (i = 0; i < 7; ++i) {
      MPI_Comm comm = made[i];
      MPI_Comm_call_errhandler(comm, MPI_ERR_ARG);
      expect(handled == comm && calls == before + i + 1, "a communicator has the handler of its parent");
      MPI_Comm_free(&comm);
    }
  }
  if (rank == 0) {
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Graph_create(MPI_COMM_SELF, 1, index, edges, 0, &graph);
    MPI_Comm_get_errhandler(graph, &own);
    expect(own == MPI_ERRORS_RETURN, "MPI_Graph_create keeps MPI_ERRORS_RETURN");
    MPI_Comm_free(&graph);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  }
  MPI_Group_free(&group);
  MPI_Comm_free(&parent);
}

/* What an inter-communicator does not have. */
static void refused(int rank) {
  MPI_Comm local, inter, made;
  MPI_Group group;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &local);
  MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, 1 - rank % 2, 9, &inter);
  MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
  MPI_Comm_group(inter, &group);
  expect(MPI_Comm_create_group(inter, group, 3, &made) == MPI_ERR_COMM, "MPI_Comm_create_group");
  expect(MPI_Comm_split_type(inter, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made) == MPI_ERR_COMM,
         "MPI_Comm_split_type");
  MPI_Group_free(&group);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&local);
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  non_blocking(rank, size);
  persistent(rank, size);
  groups_of_one(rank);
  windows(rank, size);
  added_codes();
  inherited(rank, size);
  refused(rank);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0 && !wrong) puts("all is well");
  MPI_Finalize();
  return wrong;
}
