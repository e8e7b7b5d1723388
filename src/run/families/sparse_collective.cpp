// Reductions and rooted collectives on a process graph: neighborhood collectives on the edges that they use. What a
// reduction makes of the blocks that arrive takes no time.

#include "topology/sparse_collective.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "generate/generate.hpp"
#include "run/families/answers.hpp"
#include "run/families/neighbor.hpp"
#include "theory/sparse_collective.hpp"

namespace rondo {
namespace {

using scenario::Scenario;
using scenario::SparseCollectiveProblem;

ProcessGraph process_graph(SparseCollectiveProblem const& problem, Scenario const& scenario) {
  scenario::NeighborPattern pattern{problem.graph};
  return graph_of(pattern, scenario).graph;
}

bool is_reduction(SparseCollective collective) {
  return collective == SparseCollective::allreduce || collective == SparseCollective::reduce ||
         collective == SparseCollective::barrier;
}

theory::NeighborBounds bounds_of(SparseCollective collective, ProcessGraph const& used, int ports) {
  if (is_reduction(collective)) return theory::reduction_bounds(used, ports);
  bool const per_edge = collective == SparseCollective::scatter;
  return theory::neighbor_bounds(used, per_edge ? theory::NeighborBlock::per_edge : theory::NeighborBlock::per_rank,
                                 ports);
}

Figures figures_of(theory::NaiveCounts const& counts) {
  Figures figures;
  figures.rounds = counts.rounds;
  figures.messages = figures.total_blocks = counts.messages;
  figures.volume_blocks = counts.volume_blocks;
  figures.received_blocks = counts.received_blocks;
  return figures;
}

Figures bound_of(SparseCollective collective, ProcessGraph const& used, Scenario const& scenario) {
  int const ports = scenario.machine.ports;
  theory::NeighborBounds const bounds = bounds_of(collective, used, ports);
  Figures figures;
  figures.rounds = bounds.sent.rounds;
  figures.volume_blocks = bounds.sent.volume_blocks;
  figures.received_blocks = bounds.received_blocks;
  figures.messages = bounds.messages;
  figures.time_s = theory::time_bound(bounds.sent, scenario.block, ports, cheapest_cost(scenario.machine)).value;
  return figures;
}

/// The messages of a root start at once wherever they go to, if no distance and no link tells them apart.
Prediction prediction_of(SparseCollectiveProblem const& problem, ProcessGraph const& graph, ProcessGraph const& used,
                         Scenario const& scenario) {
  Platform const& machine = scenario.machine;
  theory::NaiveCounts const counts = theory::sparse_collective(graph, problem.collective, Rank(problem.root));
  Prediction prediction{figures_of(counts), bound_of(problem.collective, used, scenario), "any", false};
  if (!has_root(problem.collective) || !distance_is_free(machine) || !links_unshared(machine)) return prediction;
  prediction.theory.time_s =
      theory::rooted_time(counts.messages, scenario.block, machine.ports, linear_cost(machine)).value;
  prediction.exact = true;
  return prediction;
}

}  // namespace

Plan plan_for(SparseCollectiveProblem const& problem, Scenario const& scenario) {
  ProcessGraph const graph = process_graph(problem, scenario);
  ProcessGraph const used = used_edges(graph, problem.collective, Rank(problem.root));
  Prediction const prediction = prediction_of(problem, graph, used, scenario);
  generate::BlockSizes const sizes{scenario.block, {}};
  if (problem.collective == SparseCollective::scatter) {
    return SchedulePlan{NeighborAlltoall{used}, generate::neighbor_alltoall_naive(used, sizes), prediction};
  }
  return SchedulePlan{NeighborAllgather{used}, generate::neighbor_allgather_naive(used, sizes), prediction};
}

Names names_for(SparseCollectiveProblem const& problem, Scenario const& scenario) {
  ProcessGraph const graph = process_graph(problem, scenario);
  ProcessGraph const used = used_edges(graph, problem.collective, Rank(problem.root));
  return {{"edges", static_cast<double>(graph.edges())}, {"used_edges", static_cast<double>(used.edges())}};
}

}  // namespace rondo
