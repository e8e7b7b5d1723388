// The distributed common neighbors: what the ranks find together is the central pattern.

#include <algorithm>
#include <utility>

#include "mpi/cases.hpp"
#include "mpi/setup/common_neighbors.hpp"

namespace rondo::mpi::testing {
namespace {

using problem::CommonNeighbors;

/// The parts of all ranks, at rank 0.
std::vector<LocalPattern> gathered(LocalPattern const& part, World const& world) {
  std::vector<std::int64_t> const mine = encoded(part);
  auto const length = static_cast<int>(mine.size());
  std::vector<int> lengths(static_cast<std::size_t>(world.size)), starts{0};
  MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, world.comm);
  for (int const each : lengths) starts.push_back(starts.back() + each);
  std::vector<std::int64_t> all(static_cast<std::size_t>(starts.back()) + 1);
  MPI_Gatherv(mine.data(), length, MPI_INT64_T, all.data(), lengths.data(), starts.data(), MPI_INT64_T, 0, world.comm);
  std::vector<LocalPattern> parts;
  if (world.rank != 0) return parts;
  for (std::size_t r = 0; r < lengths.size(); ++r) {
    parts.push_back(
        decoded(std::span(all).subspan(static_cast<std::size_t>(starts[r]), static_cast<std::size_t>(lengths[r]))));
  }
  return parts;
}

std::vector<Rank> ranks_of(std::span<Neighbor const> neighbors) {
  std::vector<Rank> ranks;
  for (Neighbor const& each : neighbors) ranks.push_back(each.rank);
  return ranks;
}

void expect_central(ProcessGraph const& graph, CommonNeighbors options, World const& world, Report& report,
                    std::string const& what) {
  generate::CombiningPattern const central = generate::common_neighbors(graph, options);
  options.combining = central.combining;
  Rank const self(world.rank);
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm_dup(world.comm, &own);
  LocalPattern const part =
      common_neighbors(ranks_of(graph.targets(self)), ranks_of(graph.sources(self)), options, own);
  MPI_Comm_free(&own);
  auto const parts = gathered(part, world);
  if (world.rank == 0) report.expect(whole_pattern(parts, options.combining) == central, what);
}

void random_graphs(World const& world, Report& report) {
  int const graphs = world.effort == Effort::full ? 24 : 6;
  for (int k = 0; k < graphs; ++k) {
    CommonNeighbors options;
    options.theta = 2 + k % 2;
    options.tie = k % 3 == 0 ? problem::FriendTie::lowest : problem::FriendTie::highest;
    options.suitors = k % 2 == 0 ? problem::Suitors::literal : problem::Suitors::active;
    options.half = k % 5 == 0 ? problem::Half::ceil : problem::Half::floor;
    if (k % 4 == 1) options.combining = generate::Combining::cumulative;
    ProcessGraph const graph = erdos_renyi(world.size, k == 0 ? 1.0 : 0.3 + 0.03 * k, static_cast<std::uint64_t>(k));
    expect_central(graph, options, world, report, "random graph " + std::to_string(k));
  }
}

/// Lists as they come from a graph with parallel edges and self loops.
void multigraph(World const& world, Report& report) {
  std::vector<Edge> edges;
  for (int source = 0; source < world.size; ++source) {
    for (int target = world.size - 1; target >= 0; --target) {
      edges.insert(edges.end(), static_cast<std::size_t>((source + target) % 3), Edge{Rank(source), Rank(target)});
    }
  }
  CommonNeighbors options;
  options.theta = 2;
  expect_central(ProcessGraph(world.size, edges), options, world, report, "multigraph");
}

}  // namespace

std::vector<TestCase> neighbor_cases() {
  // Item [Mirsadeghi17, distributed design]: holds.
  return {{"common_neighbors_of_random_graphs_are_the_central_ones", random_graphs},
          {"common_neighbors_count_parallel_edges_once_and_self_loops_never", multigraph}};
}

}  // namespace rondo::mpi::testing
