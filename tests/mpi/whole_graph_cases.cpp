// Graphs of which every rank knows the whole, and where ranks would be on graphs and grids.

#include <fmt/format.h>

#include <array>
#include <vector>

#include "mpi/cases.hpp"
#include "rondo/topology.h"

namespace rondo::mpi::testing {
namespace {

/// Neighbors by node, as the interface takes them.
struct Lists {
  std::vector<int> index, edges;

  explicit Lists(std::vector<std::vector<int>> const& neighbors) {
    for (auto const& each : neighbors) {
      edges.insert(edges.end(), each.begin(), each.end());
      index.push_back(static_cast<int>(edges.size()));
    }
  }
  int nodes() const { return static_cast<int>(index.size()); }
};

int create(MPI_Comm comm, Lists const& lists, MPI_Comm* result) {
  return Rondo_Graph_create(comm, lists.nodes(), lists.index.data(), lists.edges.data(), 0, result);
}

int type_of_graph(MPI_Comm comm) {
  int type = -1;
  Rondo_Topo_test(comm, &type);
  return type;
}

/// Both neighbors on a line of the first ranks; its last one is its own neighbor too.
std::vector<std::vector<int>> line(int ranks) {
  std::vector<std::vector<int>> result(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) {
    auto& mine = result[static_cast<std::size_t>(rank)];
    if (rank + 1 < ranks) mine.push_back(rank + 1);
    if (rank > 0) mine.push_back(rank - 1);
  }
  result.back().push_back(ranks - 1);
  return result;
}

void expect_told(MPI_Comm comm, Lists const& lists, std::vector<std::vector<int>> const& neighbors, Report& report) {
  int nodes = -1, edges = -1;
  report.expect_code(Rondo_Graphdims_get(comm, &nodes, &edges), MPI_SUCCESS, "Rondo_Graphdims_get");
  report.expect(nodes == lists.nodes() && edges == static_cast<int>(lists.edges.size()), "nodes and edges");
  std::vector<int> index(lists.index.size()), all(lists.edges.size() + 1, -7);
  report.expect_code(Rondo_Graph_get(comm, nodes, edges + 1, index.data(), all.data()), MPI_SUCCESS, "Rondo_Graph_get");
  report.expect(all.back() == -7, "no more edges than there are");
  all.pop_back();
  report.expect(index == lists.index && all == lists.edges, "the lists it was made of");
  for (int rank = 0; rank < nodes; ++rank) {
    auto const& expected = neighbors[static_cast<std::size_t>(rank)];
    int number = -1;
    Rondo_Graph_neighbors_count(comm, rank, &number);
    report.expect(number == static_cast<int>(expected.size()), fmt::format("the number of neighbors of {}", rank));
    std::vector<int> found(expected.size());
    Rondo_Graph_neighbors(comm, rank, number, found.data());
    report.expect(found == expected, fmt::format("the neighbors of {}", rank));
  }
}

/// Everybody knows all of the graph, on copies too; ranks that have no place get no communicator.
void tells_the_whole(World const& world, Report& report) {
  for (int const ranks : {world.size, world.size - 1}) {
    if (ranks == 0) continue;
    auto const neighbors = line(ranks);
    Lists const lists(neighbors);
    MPI_Comm graph = MPI_COMM_WORLD, copy = MPI_COMM_NULL;
    report.expect_code(create(world.comm, lists, &graph), MPI_SUCCESS, "Rondo_Graph_create");
    report.expect((graph == MPI_COMM_NULL) == (world.rank >= ranks), "a communicator where there is a place");
    if (graph == MPI_COMM_NULL) continue;
    report.expect(type_of_graph(graph) == MPI_GRAPH, "a graph");
    expect_told(graph, lists, neighbors, report);
    Rondo_Comm_dup(graph, &copy);
    MPI_Comm_free(&graph);
    report.expect(type_of_graph(copy) == MPI_GRAPH, "a duplicate of a graph");
    expect_told(copy, lists, neighbors, report);
    MPI_Comm_free(&copy);
  }
}

/// Each rank gets a block from each neighbor, in the order of its list.
void exchanges_with_neighbors(World const& world, Report& report) {
  auto const neighbors = line(world.size);
  MPI_Comm graph = MPI_COMM_NULL;
  create(world.comm, Lists(neighbors), &graph);
  auto const& mine = neighbors[static_cast<std::size_t>(world.rank)];
  std::vector<int> sent(mine.size()), received(mine.size(), -1), expected(mine.size());
  for (std::size_t i = 0; i < mine.size(); ++i) {
    sent[i] = 100 * world.rank + mine[i];
    expected[i] = 100 * mine[i] + world.rank;
  }
  report.expect_code(Rondo_Neighbor_alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, graph), MPI_SUCCESS,
                     "Rondo_Neighbor_alltoall");
  report.expect(received == expected, "a block from each neighbor");
  Rondo_Neighbor_allgather(&world.rank, 1, MPI_INT, received.data(), 1, MPI_INT, graph);
  report.expect(received == mine, "the rank of each neighbor");
  MPI_Comm_free(&graph);
}

/// Where an edge does not lead back, somebody would wait for ever.
void needs_edges_both_ways_to_exchange(World const& world, Report& report) {
  if (world.size < 2) return;
  std::vector<std::vector<int>> neighbors(static_cast<std::size_t>(world.size));
  neighbors[0] = {1, 1};
  neighbors[1] = {0};
  MPI_Comm graph = MPI_COMM_NULL;
  report.expect_code(create(world.comm, Lists(neighbors), &graph), MPI_SUCCESS, "an edge that does not lead back");
  std::array<int, 2> received{};
  report.expect_code(Rondo_Neighbor_allgather(&world.rank, 1, MPI_INT, received.data(), 1, MPI_INT, graph),
                     MPI_ERR_TOPOLOGY, "an exchange over it");
  MPI_Comm_free(&graph);
}

void refuses_what_is_no_graph(World const& world, Report& report) {
  MPI_Comm graph = world.comm;
  int const two[] = {1, 2}, falling[] = {2, 1}, loops[] = {0, 1}, far[] = {1, 2};
  auto const refuses = [&](int nodes, int const* index, int const* edges, int code, char const* what) {
    graph = world.comm;
    report.expect_code(Rondo_Graph_create(world.comm, nodes, index, edges, 0, &graph), code, what);
    report.expect(graph == MPI_COMM_NULL, what);
  };
  refuses(-1, two, loops, MPI_ERR_ARG, "a negative number of nodes");
  std::vector<int> const many(static_cast<std::size_t>(world.size) + 1);
  refuses(world.size + 1, many.data(), nullptr, MPI_ERR_ARG, "more nodes than ranks");
  refuses(0, nullptr, nullptr, MPI_SUCCESS, "no node");
  refuses(1, nullptr, nullptr, MPI_ERR_ARG, "no index");
  if (world.size < 2) return;
  refuses(2, falling, loops, MPI_ERR_ARG, "an index that falls");
  refuses(2, two, far, MPI_ERR_ARG, "an edge to what is no node");
  refuses(2, two, nullptr, MPI_ERR_ARG, "no edges");
  refuses(world.rank == 0 ? 1 : 2, two, loops, MPI_ERR_NOT_SAME, "graphs that differ");
  refuses(world.rank == 0 ? -1 : 2, two, loops, MPI_ERR_ARG, "a graph that is wrong at one rank");
}

void refuses_questions_to_other_communicators(World const& world, Report& report) {
  int a = 0, b = 0;
  report.expect_code(Rondo_Graphdims_get(world.comm, &a, &b), MPI_ERR_TOPOLOGY, "dims of what is no graph");
  report.expect_code(Rondo_Graph_get(MPI_COMM_NULL, 0, 0, &a, &b), MPI_ERR_COMM, "no communicator");
  MPI_Comm graph = MPI_COMM_NULL;
  create(world.comm, Lists(line(world.size)), &graph);
  report.expect_code(Rondo_Graph_neighbors_count(graph, world.size, &a), MPI_ERR_RANK, "a rank that is none");
  report.expect_code(Rondo_Graph_neighbors(graph, -1, 1, &a), MPI_ERR_RANK, "a negative rank");
  report.expect_code(Rondo_Graph_neighbors(graph, 0, -1, &a), MPI_ERR_ARG, "room for less than nothing");
  report.expect_code(Rondo_Graphdims_get(graph, nullptr, &b), MPI_ERR_ARG, "nowhere to put it");
  MPI_Comm_free(&graph);
}

/// Ranks are not reordered: each is where it is, and those past the end are nowhere.
void maps_ranks_to_themselves(World const& world, Report& report) {
  int mapped = -7;
  int const places = world.size > 1 ? world.size - 1 : 1, open = 0;
  report.expect_code(Rondo_Cart_map(world.comm, 1, &places, &open, &mapped), MPI_SUCCESS, "Rondo_Cart_map");
  report.expect(mapped == (world.rank < places ? world.rank : MPI_UNDEFINED), "a place on the grid");
  report.expect_code(Rondo_Cart_map(world.comm, 0, nullptr, nullptr, &mapped), MPI_SUCCESS, "a grid of one place");
  report.expect(mapped == (world.rank == 0 ? 0 : MPI_UNDEFINED), "one place");
  int const too_many = world.size + 1;
  report.expect_code(Rondo_Cart_map(world.comm, 1, &too_many, &open, &mapped), MPI_ERR_DIMS, "too large a grid");
  Lists const lists(line(places));
  report.expect_code(Rondo_Graph_map(world.comm, places, lists.index.data(), lists.edges.data(), &mapped), MPI_SUCCESS,
                     "Rondo_Graph_map");
  report.expect(mapped == (world.rank < places ? world.rank : MPI_UNDEFINED), "a place on the graph");
}

}  // namespace

std::vector<TestCase> whole_graph_cases() {
  return {{"graphs_tell_the_whole", tells_the_whole},
          {"neighbors_on_a_whole_graph_exchange", exchanges_with_neighbors},
          {"exchanges_need_edges_both_ways", needs_edges_both_ways_to_exchange},
          {"what_is_no_graph_is_refused", refuses_what_is_no_graph},
          {"questions_to_a_graph_are_refused_elsewhere", refuses_questions_to_other_communicators},
          {"ranks_are_mapped_to_themselves", maps_ranks_to_themselves}};
}

}  // namespace rondo::mpi::testing
