// Chooses the generator of a neighborhood or sparse collective on a process graph, and states its promise. The
// generators without combining are here too. In the naive one each rank sends each target its block in one round, as
// MPI libraries do by default. Reductions on a torus use the lanes of isomorphic collectives.

#include "generate/neighbor.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "decomposition/routes.hpp"
#include "generate/generate.hpp"
#include "generate/lanes.hpp"

namespace rondo::generate {
namespace {

/// A rank whose edges all lead to itself has no round.
ProgramBuilder naive_program(NeighborBlocks const& blocks, Rank rank) {
  ProgramBuilder builder(blocks.layout(rank));
  blocks.copy_self_loops(builder, rank);
  auto const targets = blocks.graph().targets(rank);
  auto const sources = blocks.graph().sources(rank);
  auto const away = [&](Neighbor const& neighbor) { return neighbor.rank != rank; };
  if (std::ranges::none_of(targets, away) && std::ranges::none_of(sources, away)) return builder;
  builder.reserve(targets.size() + sources.size());
  builder.begin_round();
  for (std::uint32_t j = 0; j < sources.size(); ++j) {
    Place const into = receive_slot(j);
    if (away(sources[j])) builder.receive(sources[j].rank.value, {&into, 1});
  }
  for (std::uint32_t i = 0; i < targets.size(); ++i) {
    Place const from = blocks.place(i);
    if (away(targets[i])) builder.send(targets[i].rank.value, {&from, 1});
  }
  return builder;
}

}  // namespace

Schedule neighbor_naive(problem::Neighbor const& problem) {
  NeighborBlocks const blocks(problem);
  std::vector<ProgramBuilder> builders;
  for (std::int32_t r = 0; r < blocks.graph().ranks(); ++r) builders.push_back(naive_program(blocks, Rank(r)));
  return schedule_of(std::move(builders));
}

namespace {

/// The program of a rank in the naive reduction: copies for self loops, then one round with all messages.
ProgramBuilder reducing_program(ProcessGraph const& graph, Bytes block, Rank rank) {
  auto const targets = graph.targets(rank);
  auto const sources = graph.sources(rank);
  Layout layout{block, {}};
  layout[Buffer::send].slots = 1;
  layout[Buffer::receive].slots = sources.empty() ? 0 : 1;
  ProgramBuilder builder(std::move(layout));
  Place const from = send_slot(0);
  Place const into = receive_slot(0);
  FirstStoresThenJoins reducing;
  auto const away = [&](Neighbor const& neighbor) { return neighbor.rank != rank; };
  for (Neighbor const& source : sources) {
    if (!away(source)) builder.copy(from, into, reducing.next());
  }
  if (std::ranges::none_of(targets, away) && std::ranges::none_of(sources, away)) return builder;
  builder.reserve(targets.size() + sources.size());
  builder.begin_round();
  for (Neighbor const& source : sources) {
    if (away(source)) builder.receive(source.rank.value, {&into, 1}, reducing.next());
  }
  for (Neighbor const& target : targets) {
    if (away(target)) builder.send(target.rank.value, {&from, 1});
  }
  return builder;
}

}  // namespace

/// Each rank sends its vector to every target, and joins what it gets.
Schedule neighbor_reduction(problem::Neighbor const& problem) {
  ProcessGraph const& graph = graph_of(problem.graph);
  std::vector<ProgramBuilder> builders;
  for (std::int32_t r = 0; r < graph.ranks(); ++r) {
    builders.push_back(reducing_program(graph, problem.sizes.block, Rank(r)));
  }
  return schedule_of(std::move(builders));
}

/// Contributions meet on their ways along the dimensions, and are joined there.
Schedule sparse_reduction_dimension_wise(problem::SparseOnGraph const& problem) {
  expects(problem.torus.has_value(), "a graph that is made of a torus");
  Torus const& torus = problem.torus->torus;
  Lanes const lanes =
      unit_lanes(torus, problem::sources_on_torus(*problem.torus), given_dimension_order(torus.dimensions()));
  Promises const promises{problem.ports, Links::unit};
  return problem.collective == SparseCollective::reduce
             ? combine_reduction(lanes, problem.block, promises, Rank(problem.root))
             : combine_reduction(lanes, problem.block, promises);
}

Schedule generate(problem::Neighbor const& problem) {
  if (problem.algorithm == problem::NeighborAlgorithm::naive) return neighbor_naive(problem);
  expects(problem.algorithm == problem::NeighborAlgorithm::common_neighbors, "an algorithm for a process graph");
  return neighbor_common_neighbors(problem, common_neighbors(graph_of(problem.graph), problem.options));
}

namespace {

bool reduces(SparseCollective collective) {
  return collective == SparseCollective::allreduce || collective == SparseCollective::reduce;
}

}  // namespace

/// A sparse collective that does not reduce has the schedule of the neighborhood collective on the same graph.
Schedule generate(problem::SparseOnGraph const& problem) {
  problem::Neighbor const used = as_neighborhood(problem);
  if (!reduces(problem.collective)) return generate(used);
  switch (problem.algorithm) {
    case problem::NeighborAlgorithm::naive:
      return neighbor_reduction(used);
    case problem::NeighborAlgorithm::dimension_wise:
      return sparse_reduction_dimension_wise(problem);
    case problem::NeighborAlgorithm::common_neighbors:
      return neighbor_reduction_combined(used, common_neighbors(graph_of(used.graph), problem.options));
    case problem::NeighborAlgorithm::automatic:
      break;
  }
  throw ContractViolation("an algorithm for a reduction on a process graph");
}

Collective promise(problem::Neighbor const& problem) {
  ProcessGraph const& graph = graph_of(problem.graph);
  if (problem.collective == problem::NeighborCollective::alltoall) return NeighborAlltoall{graph};
  return NeighborAllgather{graph};
}

Collective promise(problem::SparseOnGraph const& problem) {
  problem::Neighbor const used = as_neighborhood(problem);
  if (reduces(problem.collective)) return NeighborReduction{graph_of(used.graph)};
  return promise(used);
}

}  // namespace rondo::generate
