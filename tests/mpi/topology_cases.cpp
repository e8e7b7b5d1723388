// Topologies: what is made, what is told about it, what is refused at all ranks alike.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "mpi/cases.hpp"
#include "rondo/topology.h"

namespace rondo::mpi::testing {
namespace {

int type_of(MPI_Comm comm) {
  int type = -1;
  Rondo_Topo_test(comm, &type);
  return type;
}

struct Degrees {
  int in = -1, out = -1, weighted = -1;
};

Degrees degrees_of(MPI_Comm comm) {
  Degrees degrees;
  Rondo_Dist_graph_neighbors_count(comm, &degrees.in, &degrees.out, &degrees.weighted);
  return degrees;
}

/// To the next rank, from the one before.
MPI_Comm ring(World const& world) {
  int const next = (world.rank + 1) % world.size, last = (world.rank + world.size - 1) % world.size;
  MPI_Comm comm = MPI_COMM_NULL;
  Rondo_Dist_graph_create_adjacent(world.comm, 1, &last, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &comm);
  return comm;
}

void kinds(World const& world, Report& report) {
  report.expect(type_of(world.comm) == MPI_UNDEFINED, "a communicator without a topology");
  MPI_Comm graph = ring(world), copy = MPI_COMM_NULL, copy_of_copy = MPI_COMM_NULL, part = MPI_COMM_NULL;
  report.expect(type_of(graph) == MPI_DIST_GRAPH, "a graph");
  Rondo_Comm_dup(graph, &copy);
  MPI_Comm_free(&graph);
  Rondo_Comm_dup_with_info(copy, MPI_INFO_NULL, &copy_of_copy);
  report.expect(type_of(copy) == MPI_DIST_GRAPH && type_of(copy_of_copy) == MPI_DIST_GRAPH, "duplicates of a graph");
  MPI_Comm idup = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  report.expect_code(Rondo_Comm_idup(copy, &idup, &request), MPI_SUCCESS, "Rondo_Comm_idup");
  Rondo_Wait(&request, MPI_STATUS_IGNORE);
  report.expect(request == MPI_REQUEST_NULL && type_of(idup) == MPI_DIST_GRAPH, "a duplicate that is asked for");
  MPI_Comm_free(&idup);
  MPI_Comm_split(copy, 0, world.rank, &part);
  report.expect(type_of(part) == MPI_UNDEFINED, "what is split off has no topology");
  for (MPI_Comm comm : {copy, copy_of_copy}) {
    int received = -1;
    report.expect_code(Rondo_Neighbor_allgather(&world.rank, 1, MPI_INT, &received, 1, MPI_INT, comm), MPI_SUCCESS,
                       "allgather on a duplicate");
    report.expect(received == (world.rank + world.size - 1) % world.size, "from the rank before");
    MPI_Comm_free(&comm);
  }
  MPI_Comm_free(&part);
}

/// All pairs (source, target) of a random-looking multigraph with weights; rank r names those with (a + b) % p == r.
struct Named {
  std::vector<int> sources, degrees, targets, weights;
};

int times(int source, int target) { return (source * 5 + target * 3) % 4 % 3; }

Named named_by(World const& world) {
  Named named;
  for (int source = 0; source < world.size; ++source) {
    int degree = 0;
    for (int target = world.size - 1; target >= 0; --target) {
      if ((source + target) % world.size != world.rank) continue;
      for (int k = 0; k < times(source, target); ++k, ++degree) {
        named.targets.push_back(target);
        named.weights.push_back(100 * source + 10 * target + k);
      }
    }
    named.sources.push_back(source);
    named.degrees.push_back(degree);
  }
  return named;
}

/// The weights of a rank's edges by their other ends, each list in the order of the neighbors.
using ByNeighbor = std::map<int, std::vector<int>>;

ByNeighbor by_neighbor(std::vector<int> const& ranks, std::vector<int> const& weights) {
  ByNeighbor result;
  for (std::size_t i = 0; i < ranks.size(); ++i) result[ranks[i]].push_back(weights[i]);
  return result;
}

ByNeighbor expected(World const& world, bool out) {
  ByNeighbor result;
  for (int other = 0; other < world.size; ++other) {
    int const source = out ? world.rank : other, target = out ? other : world.rank;
    for (int k = 0; k < times(source, target); ++k) result[other].push_back(100 * source + 10 * target + k);
  }
  return result;
}

void named_anywhere(World const& world, Report& report) {
  Named const named = named_by(world);
  MPI_Comm comm = MPI_COMM_NULL;
  report.expect_code(Rondo_Dist_graph_create(world.comm, static_cast<int>(named.sources.size()), named.sources.data(),
                                             named.degrees.data(), named.targets.data(),
                                             named.weights.empty() ? MPI_WEIGHTS_EMPTY : named.weights.data(),
                                             MPI_INFO_NULL, 0, &comm),
                     MPI_SUCCESS, "Rondo_Dist_graph_create");
  Degrees const degrees = degrees_of(comm);
  report.expect(degrees.weighted == 1, "the graph has weights");
  auto const in = static_cast<std::size_t>(std::max(degrees.in, 0)),
             out = static_cast<std::size_t>(std::max(degrees.out, 0));
  std::vector<int> sources(in), source_weights(in), targets(out), target_weights(out);
  Rondo_Dist_graph_neighbors(comm, degrees.in, sources.data(), source_weights.data(), degrees.out, targets.data(),
                             target_weights.data());
  report.expect(by_neighbor(targets, target_weights) == expected(world, true), "the targets and their weights");
  report.expect(by_neighbor(sources, source_weights) == expected(world, false), "the sources and their weights");
  // The k-th edge between two ranks is the same one at both: its weight comes along.
  std::vector<int> received(in, -1);
  Rondo_Neighbor_alltoall(target_weights.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm);
  report.expect(received == source_weights, "what each edge brings is its weight");
  MPI_Comm_free(&comm);
}

void without_edges(World const& world, Report& report) {
  MPI_Comm comm = MPI_COMM_NULL;
  report.expect_code(Rondo_Dist_graph_create_adjacent(world.comm, 0, nullptr, MPI_WEIGHTS_EMPTY, 0, nullptr,
                                                      MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, &comm),
                     MPI_SUCCESS, "a graph without edges");
  Degrees const degrees = degrees_of(comm);
  report.expect(degrees.in == 0 && degrees.out == 0 && degrees.weighted == 1, "no neighbors, but weights");
  report.expect_code(Rondo_Neighbor_alltoall(nullptr, 3, MPI_INT, nullptr, 3, MPI_INT, comm), MPI_SUCCESS,
                     "alltoall without neighbors");
  MPI_Comm_free(&comm);
}

/// A line from rank to rank: the first has no source, the last no target. What they say of the weights of nothing is
/// any of `empty`; the others give their edges weights, or none.
void weights_of_nothing(World const& world, Report& report) {
  if (world.size == 1) return;
  int const from = world.rank - 1, to = world.rank + 1, in = world.rank > 0 ? 1 : 0, out = to < world.size ? 1 : 0;
  for (int const* const empty : {static_cast<int const*>(MPI_UNWEIGHTED), static_cast<int const*>(MPI_WEIGHTS_EMPTY),
                                 static_cast<int const*>(nullptr)}) {
    for (bool const weighted : {true, false}) {
      int const *const in_weight = weighted ? &world.rank : MPI_UNWEIGHTED, *const out_weight =
                                                                                weighted ? &to : MPI_UNWEIGHTED;
      MPI_Comm comm = MPI_COMM_NULL;
      int const code = Rondo_Dist_graph_create_adjacent(world.comm, in, &from, in > 0 ? in_weight : empty, out, &to,
                                                        out > 0 ? out_weight : empty, MPI_INFO_NULL, 0, &comm);
      report.expect_code(code, MPI_SUCCESS, fmt::format("adjacent, weights: {}", weighted));
      if (code != MPI_SUCCESS) continue;
      int source = -1, target = -1, source_weight = -1, target_weight = -1;
      report.expect(degrees_of(comm).weighted == (weighted ? 1 : 0),
                    "whether it has weights, said by those with edges");
      Rondo_Dist_graph_neighbors(comm, in, &source, &source_weight, out, &target, &target_weight);
      report.expect(source_weight == (weighted && in > 0 ? world.rank : -1), "the weight from the rank before");
      report.expect(target_weight == (weighted && out > 0 ? to : -1), "the weight to the next rank");
      MPI_Comm_free(&comm);
      int const named = Rondo_Dist_graph_create(world.comm, out, &world.rank, &out, &to, out > 0 ? out_weight : empty,
                                                MPI_INFO_NULL, 0, &comm);
      report.expect_code(named, MPI_SUCCESS, fmt::format("named, weights: {}", weighted));
      if (named != MPI_SUCCESS) continue;
      report.expect(degrees_of(comm).weighted == (weighted ? 1 : 0), "whether the named edges have weights");
      MPI_Comm_free(&comm);
    }
  }
}

void part_of_the_neighbors(World const& world, Report& report) {
  std::vector<int> everybody(static_cast<std::size_t>(world.size)), weights(everybody.size());
  std::iota(everybody.begin(), everybody.end(), 0);
  std::iota(weights.begin(), weights.end(), 7);
  // A weight belongs to a neighbor at one end; MPI does not compare the ends.
  MPI_Comm comm = MPI_COMM_NULL;
  Rondo_Dist_graph_create_adjacent(world.comm, world.size, everybody.data(), weights.data(), world.size,
                                   everybody.data(), weights.data(), MPI_INFO_NULL, 0, &comm);
  std::array<int, 2> sources{-1, -1}, targets{-1, -1}, source_weights{-1, -1};
  report.expect_code(
      Rondo_Dist_graph_neighbors(comm, 1, sources.data(), source_weights.data(), 0, targets.data(), MPI_UNWEIGHTED),
      MPI_SUCCESS, "Rondo_Dist_graph_neighbors");
  report.expect(sources == std::array{0, -1} && source_weights == std::array{7, -1} && targets == std::array{-1, -1},
                "the first ones only");
  MPI_Comm_free(&comm);
}

void parts_of_grids(World const& world, Report& report) {
  int const columns = world.size % 2 == 0 ? 2 : 1;
  std::array<int, 3> const extents{world.size / columns, 1, columns}, periods{1, 0, 0}, rows{1, 0, 0}, none{0, 0, 0};
  MPI_Comm grid = MPI_COMM_NULL, part = MPI_COMM_NULL, point = MPI_COMM_NULL, copy = MPI_COMM_NULL;
  Rondo_Cart_create(world.comm, 3, extents.data(), periods.data(), 1, &grid);
  report.expect(type_of(grid) == MPI_CART, "a grid");
  report.expect_code(Rondo_Cart_sub(grid, rows.data(), &part), MPI_SUCCESS, "Rondo_Cart_sub");
  int dimensions = 0, extent = 0, period = 0, coordinate = 0;
  MPI_Cartdim_get(part, &dimensions);
  MPI_Cart_get(part, 1, &extent, &period, &coordinate);
  report.expect(dimensions == 1 && extent == world.size / columns && period == 1, "one dimension is left");
  report.expect(coordinate == world.rank / columns, "and the coordinate in it");
  Rondo_Comm_dup(part, &copy);
  std::array<int, 2> received{-1, -1};
  Rondo_Neighbor_allgather(&world.rank, 1, MPI_INT, received.data(), 1, MPI_INT, copy);
  int const before = (world.rank + world.size - columns) % world.size, behind = (world.rank + columns) % world.size;
  report.expect(received == std::array{before, behind}, "its neighbors");
  report.expect_code(Rondo_Cart_sub(grid, none.data(), &point), MPI_SUCCESS, "a part without dimensions");
  report.expect((point == MPI_COMM_NULL) == (world.rank > 0), "has one place");
  report.expect(point == MPI_COMM_NULL || type_of(point) == MPI_CART, "is a grid too");
  if (point != MPI_COMM_NULL) MPI_Comm_free(&point);
  for (MPI_Comm* comm : {&grid, &part, &copy}) MPI_Comm_free(comm);
}

/// Fewer places than ranks.
void left_over(World const& world, Report& report) {
  int const extent = std::max(world.size - 1, 1), period = 1;
  MPI_Comm grid = MPI_COMM_NULL;
  report.expect_code(Rondo_Cart_create(world.comm, 1, &extent, &period, 0, &grid), MPI_SUCCESS, "Rondo_Cart_create");
  report.expect((grid == MPI_COMM_NULL) == (world.rank >= extent), "no communicator for the last rank");
  if (grid != MPI_COMM_NULL) MPI_Comm_free(&grid);
}

struct WrongGraph {
  char const* what;
  int degree;  ///< the culprit's; the others have one neighbor, themselves
  int neighbor;
  int weight;  ///< 0: unweighted
  int code;
};

void wrong_graphs(World const& world, Report& report) {
  int const nobody = world.size;
  for (WrongGraph const& wrong :
       {WrongGraph{"a rank past the last", 1, nobody, 0, MPI_ERR_RANK},
        {"a negative rank", 1, -3, 0, MPI_ERR_RANK},
        {"a negative degree", -1, 0, 0, MPI_ERR_ARG},
        {"a target that does not know", 1, (world.rank + 1) % world.size, 0, MPI_ERR_TOPOLOGY},
        {"weights at one rank", 1, world.rank, 5, MPI_ERR_NOT_SAME},
        {"a negative weight", 1, world.rank, -5, MPI_ERR_ARG}}) {
    bool const culprit = world.rank == world.size - 1;
    bool const fine = world.size == 1 && (wrong.code == MPI_ERR_NOT_SAME || wrong.code == MPI_ERR_TOPOLOGY);
    int const degree = culprit ? wrong.degree : 1, target = culprit ? wrong.neighbor : world.rank;
    int const* const weights = culprit && wrong.weight != 0 ? &wrong.weight : MPI_UNWEIGHTED;
    MPI_Comm comm = world.comm;
    int const code = Rondo_Dist_graph_create_adjacent(world.comm, 1, &world.rank, weights, degree, &target, weights,
                                                      MPI_INFO_NULL, 0, &comm);
    report.expect_code(code, fine ? MPI_SUCCESS : wrong.code, wrong.what);
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
    if (wrong.code == MPI_ERR_TOPOLOGY) continue;  // here every edge is named once
    int const one = 1;
    int const named = Rondo_Dist_graph_create(world.comm, 1, &world.rank, culprit ? &wrong.degree : &one, &target,
                                              weights, MPI_INFO_NULL, 0, &comm);
    report.expect_code(named, fine ? MPI_SUCCESS : wrong.code, fmt::format("{}, named", wrong.what));
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  }
}

void wrong_queries(World const& world, Report& report) {
  int a = 0, b = 0, c = 0;
  report.expect_code(Rondo_Topo_test(MPI_COMM_NULL, &a), MPI_ERR_COMM, "no communicator");
  report.expect_code(Rondo_Dist_graph_neighbors_count(world.comm, &a, &b, &c), MPI_ERR_TOPOLOGY, "no graph");
  report.expect_code(Rondo_Neighbor_allgather(&a, 1, MPI_INT, &b, 1, MPI_INT, world.comm), MPI_ERR_TOPOLOGY,
                     "allgather without a topology");
  int const extent = world.size, period = 1;
  MPI_Comm grid = MPI_COMM_NULL;
  Rondo_Cart_create(world.comm, 1, &extent, &period, 0, &grid);
  report.expect_code(Rondo_Dist_graph_neighbors_count(grid, &a, &b, &c), MPI_ERR_TOPOLOGY, "a grid is no graph");
  report.expect_code(Rondo_Topo_test(grid, nullptr), MPI_ERR_ARG, "nowhere to put it");
  MPI_Comm_free(&grid);
}

/// One rank is wrong; it is told, and so is the rank that hears from it. All others go on, and afterwards all is well.
void wrong_blocks(World const& world, Report& report) {
  MPI_Comm comm = ring(world);
  bool const culprit = world.rank == 0, behind = world.rank == 1 % world.size, before = world.rank == world.size - 1;
  std::array<int, 4> sent{world.rank, 1, 2, 3}, received{-1, -1, -1, -1};
  auto const call = [&](void const* from, int count, void* into, MPI_Datatype type) {
    return Rondo_Neighbor_allgather(from, count, MPI_INT, into, 2, type, comm);
  };
  auto const expect = [&](int code, int at_culprit, int at_next, int at_last, char const* what) {
    int const expected = culprit ? at_culprit : behind ? at_next : before ? at_last : MPI_SUCCESS;
    report.expect_code(code, expected, what);
  };
  int const truncated = MPI_ERR_TRUNCATE, ok = MPI_SUCCESS;
  bool const alone = world.size == 1;
  expect(call(sent.data(), culprit ? 3 : 2, received.data(), MPI_INT), alone ? truncated : ok, truncated, ok,
         "too long");
  expect(call(sent.data(), culprit ? 1 : 2, received.data(), MPI_INT), alone ? truncated : ok, truncated, ok,
         "too short");
  expect(call(sent.data(), culprit ? -1 : 2, received.data(), MPI_INT), MPI_ERR_COUNT, truncated, ok, "negative");
  expect(call(culprit ? MPI_IN_PLACE : sent.data(), 2, received.data(), MPI_INT), MPI_ERR_BUFFER, truncated, ok,
         "in place");
  expect(call(sent.data(), 2, received.data(), culprit ? MPI_DATATYPE_NULL : MPI_INT), MPI_ERR_TYPE, truncated, ok,
         "no datatype");
  expect(call(sent.data(), 2, received.data(), MPI_INT), ok, ok, ok, "afterwards");
  report.expect(received == std::array{(world.rank + world.size - 1) % world.size, 1, -1, -1}, "the last one is right");
  MPI_Comm_free(&comm);
}

}  // namespace

std::vector<TestCase> topology_cases() {
  return {{"topologies_are_told_and_duplicated", kinds},
          {"edges_named_at_any_rank_come_to_both_their_ends", named_anywhere},
          {"graphs_without_edges", without_edges},
          {"weights_of_ranks_without_neighbors", weights_of_nothing},
          {"neighbors_as_many_as_there_is_room_for", part_of_the_neighbors},
          {"parts_of_grids", parts_of_grids},
          {"ranks_left_over_by_a_grid", left_over},
          {"wrong_graphs_are_refused_at_all_ranks", wrong_graphs},
          {"wrong_queries", wrong_queries},
          {"wrong_blocks_leave_nobody_waiting", wrong_blocks}};
}

}  // namespace rondo::mpi::testing
