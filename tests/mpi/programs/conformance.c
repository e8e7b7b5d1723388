/* What MPI's standard says of process topologies and neighborhood collectives, case by case, on 4 ranks: one line each,
 * with `yes` where all ranks found it so, else `no`. An unmodified MPI program: for SMPI with librondo_mpi, for MPICH
 * with nothing. conformance.txt has both answers side by side. */

#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, size;

/* Communicators that most cases use. */
static MPI_Comm ring;  /* from the rank before, to the next one */
static MPI_Comm both;  /* from and to the rank before and the next one, in this order */
static MPI_Comm star;  /* rank 0 to all others, which have no target */
static MPI_Comm twice; /* rank r to r ^ 1, three times */
static MPI_Comm line, circle, square, pair, point; /* Cartesian: 4 open, 4 closed, 2 x 2 closed, 2 x 2 open and closed, 4 x 1 */

static int before(void) { return (rank + size - 1) % size; }
static int next(void) { return (rank + 1) % size; }

static MPI_Comm adjacent(int in, int const* sources, int out, int const* targets) {
  MPI_Comm comm;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, in, sources, MPI_UNWEIGHTED, out, targets, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &comm);
  return comm;
}

static MPI_Comm grid(int a, int b, int period_a, int period_b) {
  int const dims[2] = {a, b}, periods[2] = {period_a, period_b};
  MPI_Comm comm;
  MPI_Cart_create(MPI_COMM_WORLD, b == 0 ? 1 : 2, dims, periods, 0, &comm);
  return comm;
}

static void make_communicators(void) {
  int const last = before(), following = next(), neighbors[2] = {last, following}, others[3] = {1, 2, 3}, zero = 0;
  int const partner[3] = {rank ^ 1, rank ^ 1, rank ^ 1};
  ring = adjacent(1, &last, 1, &following);
  both = adjacent(2, neighbors, 2, neighbors);
  star = adjacent(rank != 0, &zero, rank == 0 ? 3 : 0, others);
  twice = adjacent(3, partner, 3, partner);
  line = grid(4, 0, 0, 0);
  circle = grid(4, 0, 1, 0);
  square = grid(2, 2, 1, 1);
  pair = grid(2, 2, 0, 1);
  point = grid(4, 1, 0, 1);
}

static int type_is(MPI_Comm comm, int type) {
  int found;
  MPI_Topo_test(comm, &found);
  return found == type;
}

static int error_of(int code) {
  int result;
  MPI_Error_class(code, &result);
  return result;
}

/* --- what a communicator is */

static int world_has_none(void) { return type_is(MPI_COMM_WORLD, MPI_UNDEFINED); }
static int graph_is_one(void) { return type_is(ring, MPI_DIST_GRAPH); }
static int grid_is_one(void) { return type_is(line, MPI_CART); }
static int duplicate_of_graph(void) {
  MPI_Comm copy;
  int in = -1, out = -1, weighted = -1;
  MPI_Comm_dup(both, &copy);
  int const good = type_is(copy, MPI_DIST_GRAPH);
  MPI_Dist_graph_neighbors_count(copy, &in, &out, &weighted);
  MPI_Comm_free(&copy);
  return good && in == 2 && out == 2 && weighted == 0;
}
static int duplicate_of_grid(void) {
  MPI_Comm copy;
  MPI_Comm_dup(square, &copy);
  int const good = type_is(copy, MPI_CART);
  MPI_Comm_free(&copy);
  return good;
}
static int split_has_none(void) {
  MPI_Comm part;
  MPI_Comm_split(both, 0, rank, &part);
  int const good = type_is(part, MPI_UNDEFINED);
  MPI_Comm_free(&part);
  return good;
}
static int part_of_grid(void) {
  int const remain[2] = {0, 1};
  int coords[1], expected[2], received[2] = {-1, -1};
  MPI_Comm row;
  MPI_Cart_sub(square, remain, &row);
  MPI_Cart_coords(square, rank, 2, expected);
  int me;
  MPI_Comm_rank(row, &me);
  MPI_Cart_coords(row, me, 1, coords);
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, received, 1, MPI_INT, row);
  MPI_Comm_free(&row);
  return coords[0] == expected[1] && received[0] == (rank ^ 1) && received[1] == (rank ^ 1);
}

/* --- what is told of a graph */

static int order_of_adjacent(void) {
  int sources[2], targets[2];
  MPI_Dist_graph_neighbors(both, 2, sources, MPI_UNWEIGHTED, 2, targets, MPI_UNWEIGHTED);
  return sources[0] == before() && sources[1] == next() && targets[0] == before() && targets[1] == next();
}
static int unweighted_flag(void) {
  int in, out, weighted = -1;
  MPI_Dist_graph_neighbors_count(ring, &in, &out, &weighted);
  return weighted == 0;
}
static int weights_of_adjacent(void) {
  int const last = before(), following = next(), in_weight = 10 + rank, out_weight = 10 + following;
  int in, out, weighted, source, target, source_weight = -1, target_weight = -1;
  MPI_Comm comm;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &last, &in_weight, 1, &following, &out_weight, MPI_INFO_NULL, 1,
                                 &comm);
  MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
  MPI_Dist_graph_neighbors(comm, 1, &source, &source_weight, 1, &target, &target_weight);
  MPI_Comm_free(&comm);
  return weighted && source_weight == in_weight && target_weight == out_weight;
}
static int as_many_as_fit(void) {
  int sources[2] = {-1, -1}, targets[2] = {-1, -1};
  MPI_Dist_graph_neighbors(both, 1, sources, MPI_UNWEIGHTED, 2, targets, MPI_UNWEIGHTED);
  return sources[0] == before() && sources[1] == -1 && targets[1] == next();
}
static int degrees_of_a_star(void) {
  int in, out, weighted;
  MPI_Dist_graph_neighbors_count(star, &in, &out, &weighted);
  return in == (rank != 0) && out == (rank == 0 ? 3 : 0);
}
static int repeated_edges_count(void) {
  int in, out, weighted;
  MPI_Dist_graph_neighbors_count(twice, &in, &out, &weighted);
  return in == 3 && out == 3;
}
static int empty_weights(void) {
  int in = -1, out = -1, weighted = -1;
  MPI_Comm comm;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, MPI_WEIGHTS_EMPTY, 0, NULL, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL,
                                 0, &comm);
  MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
  MPI_Comm_free(&comm);
  return in == 0 && out == 0 && weighted;
}
/* From rank 0 to all others with weights; a list of nobody has the weights NULL, as of an empty vector in C++. */
static int weights_of_nobody(void) {
  int const zero = 0, others[3] = {1, 2, 3}, weights[3] = {11, 12, 13}, first = rank == 0;
  int in = -1, out = -1, weighted = -1, source, from = -1, targets[3], to[3] = {-1, -1, -1};
  MPI_Comm comm;
  if (MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, first ? 0 : 1, &zero, first ? NULL : &weights[rank - 1],
                                     first ? 3 : 0, others, first ? weights : NULL, MPI_INFO_NULL, 0, &comm))
    return 0;
  MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
  MPI_Dist_graph_neighbors(comm, in, &source, &from, out, targets, to);
  MPI_Comm_free(&comm);
  return weighted && (first ? to[0] == 11 && to[1] == 12 && to[2] == 13 : from == 10 + rank);
}
static int dims_are(int places, int d, int a, int b, int c, int x, int y, int z) {
  int dims[3] = {a, b, c};
  return MPI_Dims_create(places, d, dims) == MPI_SUCCESS && dims[0] == x && dims[1] == y && dims[2] == z;
}
static int dims_are_balanced(void) {
  return dims_are(9, 2, 0, 0, 0, 3, 3, 0) && dims_are(36, 2, 0, 0, 0, 6, 6, 0) && dims_are(36, 3, 0, 0, 0, 4, 3, 3) &&
         dims_are(6, 2, 0, 0, 0, 3, 2, 0) && dims_are(7, 2, 0, 0, 0, 7, 1, 0) && dims_are(7, 0, 0, 0, 0, 0, 0, 0);
}
static int dims_that_are_given(void) {
  return dims_are(6, 3, 0, 3, 0, 2, 3, 1) && dims_are(6, 2, 2, 3, 0, 2, 3, 0) && dims_are(18, 3, 0, 2, 0, 3, 2, 3);
}
static int dims_that_do_not_fit(void) {
  int odd[3] = {0, 3, 0}, other[2] = {2, 2}, negative[2] = {-1, 0};
  return error_of(MPI_Dims_create(7, 3, odd)) == MPI_ERR_DIMS && error_of(MPI_Dims_create(6, 2, other)) == MPI_ERR_DIMS &&
         error_of(MPI_Dims_create(6, 2, negative)) == MPI_ERR_DIMS;
}
/* Rank 3 names the whole ring. */
static int named_by_one_rank(void) {
  int const sources[4] = {0, 1, 2, 3}, degrees[4] = {1, 1, 1, 1}, targets[4] = {1, 2, 3, 0};
  int in = -1, out = -1, weighted = -1, source = -1, target = -1;
  MPI_Comm comm;
  MPI_Dist_graph_create(MPI_COMM_WORLD, rank == 3 ? 4 : 0, sources, degrees, targets, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                        &comm);
  MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
  MPI_Dist_graph_neighbors(comm, 1, &source, MPI_UNWEIGHTED, 1, &target, MPI_UNWEIGHTED);
  MPI_Comm_free(&comm);
  return in == 1 && out == 1 && !weighted && source == before() && target == next();
}
static int named_with_weights(void) {
  int const source = before(), degree = 1, target = rank, weight = 20 + rank;
  int in, out, weighted, from, to, in_weight = -1, out_weight = -1;
  MPI_Comm comm;
  MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &source, &degree, &target, &weight, MPI_INFO_NULL, 0, &comm);
  MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
  MPI_Dist_graph_neighbors(comm, 1, &from, &in_weight, 1, &to, &out_weight);
  MPI_Comm_free(&comm);
  return weighted && from == before() && to == next() && in_weight == weight && out_weight == 20 + next();
}
static int named_twice_is_two_edges(void) {
  int const sources[2] = {rank, rank}, degrees[2] = {1, 1}, targets[2] = {next(), next()};
  int in = -1, out = -1, weighted;
  MPI_Comm comm;
  MPI_Dist_graph_create(MPI_COMM_WORLD, 2, sources, degrees, targets, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
  MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
  MPI_Comm_free(&comm);
  return in == 2 && out == 2;
}

/* --- the collectives on graphs */

static int allgather(void) {
  int received[3] = {-1, -1, -1};
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, received, 1, MPI_INT, both);
  return received[0] == before() && received[1] == next() && received[2] == -1;
}
static int allgatherv(void) {
  int const sent[3] = {rank, rank, rank}, counts[2] = {before() % 3 + 1, next() % 3 + 1}, displs[2] = {4, 0};
  int received[8], i, good = 1;
  memset(received, -1, sizeof(received));
  MPI_Neighbor_allgatherv(sent, rank % 3 + 1, MPI_INT, received, counts, displs, MPI_INT, both);
  for (i = 0; i < 4; ++i) {
    good = good && received[4 + i] == (i < counts[0] ? before() : -1) && received[i] == (i < counts[1] ? next() : -1);
  }
  return good;
}
static int alltoall(void) {
  int const sent[2] = {10 * rank, 10 * rank + 1};
  int received[2] = {-1, -1};
  MPI_Neighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, both);
  return received[0] == 10 * before() + 1 && received[1] == 10 * next();
}
static int alltoallv(void) {
  int const sent[5] = {rank, -2, -2, rank, rank}, counts[2] = {2, 1}, from[2] = {3, 0}, into_counts[2] = {1, 2}, into[2] = {3, 0};
  int received[5] = {-1, -1, -1, -1, -1};
  MPI_Neighbor_alltoallv(sent, counts, from, MPI_INT, received, into_counts, into, MPI_INT, both);
  return received[0] == next() && received[1] == next() && received[2] == -1 && received[3] == before() && received[4] == -1;
}
static int alltoallw(void) {
  struct {
    int number;
    double value;
  } sent = {rank, rank + 0.5}, received = {-1, -1};
  int const ones[2] = {1, 1};
  MPI_Aint const at_value = (char*)&sent.value - (char*)&sent;
  MPI_Aint const from[2] = {0, at_value}, into[2] = {at_value, 0};
  MPI_Datatype const sends[2] = {MPI_INT, MPI_DOUBLE}, receives[2] = {MPI_DOUBLE, MPI_INT};
  MPI_Neighbor_alltoallw(&sent, ones, from, sends, &received, ones, into, receives, both);
  return received.number == next() && received.value == before() + 0.5;
}
static int nothing_to_send(void) {
  int received[2] = {-1, -1};
  MPI_Neighbor_alltoall(NULL, 0, MPI_INT, received, 0, MPI_INT, both);
  return received[0] == -1 && received[1] == -1;
}
static int star_allgather(void) {
  int received = -1, value = 40 + rank;
  MPI_Neighbor_allgather(&value, 1, MPI_INT, &received, 1, MPI_INT, star);
  return received == (rank == 0 ? -1 : 40);
}
static int star_alltoallv(void) {
  int const sent[6] = {1, 2, 2, 3, 3, 3}, counts[3] = {1, 2, 3}, from[3] = {0, 1, 3}, zero = 0;
  int received[4] = {-1, -1, -1, -1};
  MPI_Neighbor_alltoallv(sent, counts, from, MPI_INT, received, &rank, &zero, MPI_INT, star);
  return received[0] == (rank == 0 ? -1 : rank) && received[rank] == -1;
}
static int to_itself(void) {
  int const sent[2] = {rank, 50 + rank};
  int received[2] = {-1, -1}, neighbors[2] = {rank, next()}, sources[2] = {before(), rank};
  MPI_Comm comm = adjacent(2, sources, 2, neighbors);
  MPI_Neighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, comm);
  MPI_Comm_free(&comm);
  return received[0] == 50 + before() && received[1] == rank;
}
static int const many[3] = {1, 1, 1};
static int repeated_alltoall(void) {
  int const sent[3] = {10 * rank, 10 * rank + 1, 10 * rank + 2};
  int received[3] = {-1, -1, -1}, i, good = 1;
  MPI_Neighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, twice);
  for (i = 0; i < 3; ++i) good = good && received[i] == 10 * (rank ^ 1) + i;
  return good;
}
static int repeated_alltoallv(void) {
  int const sent[3] = {10 * rank, 10 * rank + 1, 10 * rank + 2}, displs[3] = {0, 1, 2};
  int received[3] = {-1, -1, -1}, i, good = 1;
  MPI_Neighbor_alltoallv(sent, many, displs, MPI_INT, received, many, displs, MPI_INT, twice);
  for (i = 0; i < 3; ++i) good = good && received[i] == 10 * (rank ^ 1) + i;
  return good;
}
static int repeated_alltoallw(void) {
  int const sent[3] = {10 * rank, 10 * rank + 1, 10 * rank + 2};
  MPI_Aint const displs[3] = {0, sizeof(int), 2 * sizeof(int)};
  MPI_Datatype const types[3] = {MPI_INT, MPI_INT, MPI_INT};
  int received[3] = {-1, -1, -1}, i, good = 1;
  MPI_Neighbor_alltoallw(sent, many, displs, types, received, many, displs, types, twice);
  for (i = 0; i < 3; ++i) good = good && received[i] == 10 * (rank ^ 1) + i;
  return good;
}
static int other_datatypes(void) {
  int const sent[4] = {rank, -2, 60 + rank, -2};
  int received[4] = {-1, -1, -1, -1};
  MPI_Datatype spread;
  MPI_Type_vector(2, 1, 2, MPI_INT, &spread);
  MPI_Type_commit(&spread);
  MPI_Neighbor_allgather(sent, 1, spread, received, 2, MPI_INT, ring);
  MPI_Type_free(&spread);
  return received[0] == before() && received[1] == 60 + before() && received[2] == -1;
}
static int from_bottom(void) {
  int received = -1;
  MPI_Aint address;
  MPI_Datatype absolute;
  int const one = 1;
  MPI_Get_address(&rank, &address);
  MPI_Type_create_hindexed(1, &one, &address, MPI_INT, &absolute);
  MPI_Type_commit(&absolute);
  MPI_Neighbor_allgather(MPI_BOTTOM, 1, absolute, &received, 1, MPI_INT, ring);
  MPI_Type_free(&absolute);
  return received == before();
}

/* --- the collectives on grids */

static int line_allgather(void) {
  int received[2] = {-1, -1};
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, received, 1, MPI_INT, line);
  return received[0] == (rank == 0 ? -1 : rank - 1) && received[1] == (rank == 3 ? -1 : rank + 1);
}
static int line_alltoallv(void) {
  int const sent[2] = {10 * rank, 10 * rank + 1}, displs[2] = {0, 1};
  int received[2] = {-1, -1};
  MPI_Neighbor_alltoallv(sent, many, displs, MPI_INT, received, many, displs, MPI_INT, line);
  return received[0] == (rank == 0 ? -1 : 10 * (rank - 1) + 1) && received[1] == (rank == 3 ? -1 : 10 * (rank + 1));
}
static int circle_alltoall(void) {
  int const sent[2] = {10 * rank, 10 * rank + 1};
  int received[2] = {-1, -1};
  MPI_Neighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, circle);
  return received[0] == 10 * before() + 1 && received[1] == 10 * next();
}
static int const four[4] = {1, 1, 1, 1}, places[4] = {0, 1, 2, 3};
static int square_allgather(void) {
  int received[4] = {-1, -1, -1, -1};
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, received, 1, MPI_INT, square);
  return received[0] == (rank ^ 2) && received[1] == (rank ^ 2) && received[2] == (rank ^ 1) && received[3] == (rank ^ 1);
}
/* What leaves in one direction comes from the other one. */
static int crossed(int const* received, int a, int b) {
  return received[0] == 10 * a + 1 && received[1] == 10 * a && received[2] == 10 * b + 3 && received[3] == 10 * b + 2;
}
static int square_alltoall(void) {
  int const sent[4] = {10 * rank, 10 * rank + 1, 10 * rank + 2, 10 * rank + 3};
  int received[4] = {-1, -1, -1, -1};
  MPI_Neighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, square);
  return crossed(received, rank ^ 2, rank ^ 1);
}
static int square_alltoallv(void) {
  int const sent[4] = {10 * rank, 10 * rank + 1, 10 * rank + 2, 10 * rank + 3};
  int received[4] = {-1, -1, -1, -1};
  MPI_Neighbor_alltoallv(sent, four, places, MPI_INT, received, four, places, MPI_INT, square);
  return crossed(received, rank ^ 2, rank ^ 1);
}
static int square_alltoallw(void) {
  int const sent[4] = {10 * rank, 10 * rank + 1, 10 * rank + 2, 10 * rank + 3};
  MPI_Aint const displs[4] = {0, sizeof(int), 2 * sizeof(int), 3 * sizeof(int)};
  MPI_Datatype const types[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
  int received[4] = {-1, -1, -1, -1};
  MPI_Neighbor_alltoallw(sent, four, displs, types, received, four, displs, types, square);
  return crossed(received, rank ^ 2, rank ^ 1);
}
static int square_ialltoallv(void) {
  int const sent[4] = {10 * rank, 10 * rank + 1, 10 * rank + 2, 10 * rank + 3};
  int received[4] = {-1, -1, -1, -1};
  MPI_Request request;
  MPI_Ineighbor_alltoallv(sent, four, places, MPI_INT, received, four, places, MPI_INT, square, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return crossed(received, rank ^ 2, rank ^ 1);
}
static int open_and_closed(void) {
  int const sent[4] = {10 * rank, 10 * rank + 1, 10 * rank + 2, 10 * rank + 3};
  int received[4] = {-1, -1, -1, -1};
  MPI_Neighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, pair);
  return received[0] == (rank < 2 ? -1 : 10 * (rank - 2) + 1) && received[1] == (rank < 2 ? 10 * (rank + 2) : -1) &&
         received[2] == 10 * (rank ^ 1) + 3 && received[3] == 10 * (rank ^ 1) + 2;
}
static int point_alltoall(void) {
  int const sent[4] = {10 * rank, 10 * rank + 1, 10 * rank + 2, 10 * rank + 3};
  int received[4] = {-1, -1, -1, -1};
  MPI_Neighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, point);
  return received[2] == 10 * rank + 3 && received[3] == 10 * rank + 2;
}
static int point_alltoallv(void) {
  int const sent[4] = {10 * rank, 10 * rank + 1, 10 * rank + 2, 10 * rank + 3};
  int received[4] = {-1, -1, -1, -1};
  MPI_Neighbor_alltoallv(sent, four, places, MPI_INT, received, four, places, MPI_INT, point);
  return received[2] == 10 * rank + 3 && received[3] == 10 * rank + 2;
}

/* --- non-blocking */

static int iallgather(void) {
  int received[2] = {-1, -1};
  MPI_Request request;
  MPI_Ineighbor_allgather(&rank, 1, MPI_INT, received, 1, MPI_INT, both, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return received[0] == before() && received[1] == next() && request == MPI_REQUEST_NULL;
}
static int tested(void) {
  int received = -1, done = 0;
  MPI_Request request;
  MPI_Ineighbor_alltoall(&rank, 1, MPI_INT, &received, 1, MPI_INT, ring, &request);
  while (!done) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  return received == before() && request == MPI_REQUEST_NULL;
}
static int two_at_once(void) {
  int a = -1, b = -1, other = 70 + rank;
  MPI_Request requests[2];
  MPI_Ineighbor_allgather(&rank, 1, MPI_INT, &a, 1, MPI_INT, ring, &requests[0]);
  MPI_Ineighbor_allgather(&other, 1, MPI_INT, &b, 1, MPI_INT, ring, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  return a == before() && b == 70 + before();
}
/* A collective is pending while its neighbor waits for a message. */
static int does_not_block(void) {
  int received = -1, token = 0;
  MPI_Request request;
  if (rank % 2 == 0) MPI_Ineighbor_allgather(&rank, 1, MPI_INT, &received, 1, MPI_INT, ring, &request);
  if (rank % 2 == 0) MPI_Send(&token, 1, MPI_INT, next(), 1, MPI_COMM_WORLD);
  if (rank % 2 != 0) MPI_Recv(&token, 1, MPI_INT, before(), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank % 2 != 0) MPI_Ineighbor_allgather(&rank, 1, MPI_INT, &received, 1, MPI_INT, ring, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return received == before();
}
static int any_of_both_kinds(void) {
  int a = -1, b = -1, i, index, seen = 0;
  MPI_Request requests[3];
  MPI_Irecv(&b, 1, MPI_INT, before(), 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Ineighbor_allgather(&rank, 1, MPI_INT, &a, 1, MPI_INT, ring, &requests[1]);
  MPI_Isend(&rank, 1, MPI_INT, next(), 2, MPI_COMM_WORLD, &requests[2]);
  for (i = 0; i < 3; ++i) {
    MPI_Waitany(3, requests, &index, MPI_STATUS_IGNORE);
    seen += 1 << index;
  }
  return seen == 7 && a == before() && b == before();
}
static int ialltoallw_and_some(void) {
  int const one = 1;
  MPI_Aint const zero = 0;
  MPI_Datatype const type = MPI_INT;
  int received = -1, count = 0, indices[2];
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Ineighbor_alltoallw(&rank, &one, &zero, &type, &received, &one, &zero, &type, ring, &requests[1]);
  MPI_Waitsome(2, requests, &count, indices, MPI_STATUSES_IGNORE);
  return count == 1 && indices[0] == 1 && received == before();
}
static int freed_while_pending(void) {
  int const last = before(), following = next();
  int received = -1;
  MPI_Request request;
  MPI_Comm comm = adjacent(1, &last, 1, &following);
  MPI_Ineighbor_allgather(&rank, 1, MPI_INT, &received, 1, MPI_INT, comm, &request);
  MPI_Comm_free(&comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return received == before();
}

/* --- errors, the same at all ranks */

static int no_graph(void) {
  int in, out, weighted;
  return error_of(MPI_Dist_graph_neighbors_count(MPI_COMM_WORLD, &in, &out, &weighted)) == MPI_ERR_TOPOLOGY;
}
static int no_topology(void) {
  int received[8];
  return error_of(MPI_Neighbor_allgather(&rank, 1, MPI_INT, received, 1, MPI_INT, MPI_COMM_WORLD)) == MPI_ERR_TOPOLOGY;
}
static int grid_is_no_graph(void) {
  int in, out, weighted;
  return error_of(MPI_Dist_graph_neighbors_count(circle, &in, &out, &weighted)) == MPI_ERR_TOPOLOGY;
}
static int refused(int degree, int neighbor, int const* weight) {
  MPI_Comm comm = MPI_COMM_NULL;
  return MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, &neighbor, weight, degree, &neighbor, weight,
                                        MPI_INFO_NULL, 0, &comm) != MPI_SUCCESS;
}
static int no_such_rank(void) { return refused(1, size, MPI_UNWEIGHTED); }
static int negative_degree(void) { return refused(-1, 0, MPI_UNWEIGHTED); }
static int negative_weight(void) {
  int const weight = -1;
  return refused(1, rank, &weight);
}
static int negative_count(void) {
  int received;
  return error_of(MPI_Neighbor_allgather(&rank, -1, MPI_INT, &received, 1, MPI_INT, ring)) == MPI_ERR_COUNT;
}
static int no_datatype(void) {
  int received;
  return error_of(MPI_Neighbor_allgather(&rank, 1, MPI_DATATYPE_NULL, &received, 1, MPI_INT, ring)) == MPI_ERR_TYPE;
}
static int no_communicator(void) {
  int type;
  return error_of(MPI_Topo_test(MPI_COMM_NULL, &type)) == MPI_ERR_COMM;
}

#define CASES(CASE)                                                                                       \
  CASE(world_has_none) CASE(graph_is_one) CASE(grid_is_one) CASE(duplicate_of_graph)                      \
  CASE(duplicate_of_grid) CASE(split_has_none) CASE(part_of_grid) CASE(order_of_adjacent)                 \
  CASE(unweighted_flag) CASE(weights_of_adjacent) CASE(as_many_as_fit) CASE(degrees_of_a_star)            \
  CASE(repeated_edges_count) CASE(empty_weights) CASE(weights_of_nobody) CASE(named_by_one_rank)          \
  CASE(named_with_weights) CASE(dims_are_balanced) CASE(dims_that_are_given) CASE(dims_that_do_not_fit)   \
  CASE(named_twice_is_two_edges) CASE(allgather) CASE(allgatherv) CASE(alltoall) CASE(alltoallv)          \
  CASE(alltoallw) CASE(nothing_to_send) CASE(star_allgather) CASE(star_alltoallv) CASE(to_itself)         \
  CASE(repeated_alltoall) CASE(repeated_alltoallv) CASE(repeated_alltoallw) CASE(other_datatypes)         \
  CASE(from_bottom) CASE(line_allgather) CASE(line_alltoallv) CASE(circle_alltoall) CASE(square_allgather) \
  CASE(square_alltoall) CASE(square_alltoallv) CASE(square_alltoallw) CASE(square_ialltoallv)             \
  CASE(open_and_closed) CASE(point_alltoall) CASE(point_alltoallv) CASE(iallgather) CASE(tested)          \
  CASE(two_at_once) CASE(does_not_block) CASE(any_of_both_kinds) CASE(ialltoallw_and_some)                \
  CASE(freed_while_pending) CASE(no_graph) CASE(no_topology) CASE(grid_is_no_graph) CASE(no_such_rank)    \
  CASE(negative_degree) CASE(negative_weight) CASE(negative_count) CASE(no_datatype) CASE(no_communicator)

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size != 4) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  make_communicators();
  MPI_Comm* const all[] = {&ring, &both, &star, &twice, &line, &circle, &square, &pair, &point};
  for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); ++i) MPI_Comm_set_errhandler(*all[i], MPI_ERRORS_RETURN);
#define RUN(NAME)                                                               \
  {                                                                             \
    int good = NAME();                                                          \
    MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);    \
    if (rank == 0) printf("%-26s %s\n", #NAME, good ? "yes" : "no");            \
    fflush(stdout);                                                             \
  }
  CASES(RUN)
  for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); ++i) MPI_Comm_free(all[i]);
  MPI_Finalize();
  return 0;
}
