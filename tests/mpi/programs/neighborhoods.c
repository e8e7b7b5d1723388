/* An unmodified MPI program of process topologies. Exit code 1, and a line that says what, if something is wrong. */

#include <mpi.h>
#include <stdio.h>

static int rank, size, wrong = 0; /* globals: each rank has its own */

static void expect(int holds, char const* what) {
  if (holds) return;
  fprintf(stderr, "rank %d: %s\n", rank, what);
  wrong = 1;
}

/* A grid of 2 columns, periodic along them: what goes up in a column of 2 comes from below. */
static void grid(void) {
  int const dims[2] = {2, size / 2}, periods[2] = {1, 0};
  int type, k, coords[2], send[4], receive[4] = {-1, -1, -1, -1};
  MPI_Comm cart;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart);
  MPI_Topo_test(cart, &type);
  expect(type == MPI_CART, "the grid is Cartesian");
  MPI_Cart_coords(cart, rank, 2, coords);
  for (k = 0; k < 4; ++k) send[k] = 10 * rank + k;
  MPI_Neighbor_alltoall(send, 1, MPI_INT, receive, 1, MPI_INT, cart);
  int const other = (rank + size / 2) % size;
  expect(receive[0] == 10 * other + 1 && receive[1] == 10 * other, "up and down");
  expect(receive[2] == (coords[1] > 0 ? 10 * (rank - 1) + 3 : -1), "from the left, or nothing at the side");
  expect(receive[3] == (coords[1] + 1 < size / 2 ? 10 * (rank + 1) + 2 : -1), "from the right");
  MPI_Comm_free(&cart);
}

/* A ring with weights, and its duplicate. */
static void ring(void) {
  int const next = (rank + 1) % size, last = (rank + size - 1) % size, out_weight = 100 + next, in_weight = 100 + rank;
  int in, out, weighted, source, target, weight, i, received[2] = {-1, -1}, count = 1;
  MPI_Aint const where = 0;
  MPI_Datatype const type = MPI_INT;
  MPI_Comm graph, copy;
  MPI_Request requests[2];
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &last, &in_weight, 1, &next, &out_weight, MPI_INFO_NULL, 1, &graph);
  MPI_Comm_dup(graph, &copy);
  MPI_Comm_free(&graph);
  MPI_Dist_graph_neighbors_count(copy, &in, &out, &weighted);
  MPI_Dist_graph_neighbors(copy, 1, &source, &weight, 1, &target, MPI_UNWEIGHTED);
  expect(in == 1 && out == 1 && weighted && source == last && target == next && weight == in_weight, "the ring");
  for (i = 0; i < 3; ++i) {
    int const mine = 10 * rank + i;
    MPI_Ineighbor_allgather(&mine, 1, MPI_INT, &received[0], 1, MPI_INT, copy, &requests[0]);
    MPI_Ineighbor_alltoallw(&mine, &count, &where, &type, &received[1], &count, &where, &type, copy, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    expect(received[0] == 10 * last + i && received[1] == 10 * last + i, "around the ring");
  }
  MPI_Comm_free(&copy);
}

/* Each rank names the edges that lead to it, from the rank itself and from rank 0, twice. */
static void named(void) {
  int const sources[2] = {rank, 0}, degrees[2] = {1, 2}, targets[3] = {rank, rank, rank};
  int in, out, weighted, received[4] = {-1, -1, -1, -1};
  MPI_Comm graph;
  MPI_Dist_graph_create(MPI_COMM_WORLD, 2, sources, degrees, targets, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
  expect(in == 3 && out == (rank == 0 ? 2 * size + 1 : 1) && !weighted, "the degrees of edges named by others");
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, received, 1, MPI_INT, graph);
  expect(received[0] + received[1] + received[2] == rank && received[3] == -1, "from the rank itself and rank 0");
  MPI_Comm_free(&graph);
}

static void errors(void) {
  int const next = (rank + 1) % size, last = (rank + size - 1) % size, data[2] = {1, 2};
  int received, code, error_class, nowhere = size;
  MPI_Comm graph, none;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &last, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &graph);
  MPI_Comm_set_errhandler(graph, MPI_ERRORS_RETURN);
  code = MPI_Neighbor_allgather(data, rank == 0 ? 2 : 1, MPI_INT, &received, 1, MPI_INT, graph);
  MPI_Error_class(code, &error_class);
  expect(error_class == (rank == 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS), "a block that is too long is an error");
  code = MPI_Dist_graph_create_adjacent(graph, 0, NULL, MPI_UNWEIGHTED, rank == 0, &nowhere, MPI_UNWEIGHTED,
                                        MPI_INFO_NULL, 0, &none);
  expect(code == MPI_ERR_RANK && none == MPI_COMM_NULL, "a neighbor that is no rank, told to all");
  MPI_Comm_free(&graph);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  grid();
  ring();
  named();
  errors();
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0 && !wrong) puts("all is well");
  MPI_Finalize();
  return wrong;
}
