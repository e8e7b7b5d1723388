// Reductions on a process graph without combining, and those on a torus, which use the lanes of isomorphic collectives.

#include <algorithm>

#include "decomposition/dimension_order.hpp"
#include "generate/lanes.hpp"
#include "generate/neighbor_blocks.hpp"

namespace rondo::generate {
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

}  // namespace rondo::generate
