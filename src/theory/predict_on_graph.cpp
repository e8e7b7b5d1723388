// The prediction for collectives on process graphs that are schedules.

#include <algorithm>

#include "theory/graph_collectives.hpp"
#include "theory/predict.hpp"

namespace rondo::theory {
namespace {

/// The volume in blocks: `blocks` or, if sizes differ, `bytes` in blocks of m bytes; unset if m is 0.
std::optional<double> volume(problem::BlockSizes const& sizes, std::int64_t blocks, Bytes bytes) {
  if (!sizes.differ()) return static_cast<double>(blocks);
  if (sizes.block == Bytes(0)) return std::nullopt;
  return static_cast<double>(bytes.value) / static_cast<double>(sizes.block.value);
}

/// Only the naive algorithm has one.
Figures closed_form(problem::Neighbor const& problem) {
  Figures figures;
  if (problem.algorithm != problem::NeighborAlgorithm::naive) return figures;
  problem::BlockSizes const& sizes = problem.sizes;
  NaiveCounts const counts = neighbor_naive(graph_of(problem.graph), problem.collective, sizes.each);
  figures.rounds = counts.rounds;
  figures.messages = counts.messages;
  figures.volume_blocks = volume(sizes, counts.volume_blocks, counts.volume_bytes);
  figures.received_blocks = volume(sizes, counts.received_blocks, counts.received_bytes);
  figures.total_blocks = volume(sizes, counts.messages, counts.total_bytes);
  if (sizes.differ()) figures.volume_bytes = counts.volume_bytes.value;
  return figures;
}

/// The bounds of a collective with these blocks, with the names of the record.
Figures bound_of(problem::BlockSizes const& sizes, NeighborBounds const& bounds, MachineCost const& cost) {
  Figures figures;
  figures.rounds = bounds.sent.rounds;
  figures.volume_blocks = volume(sizes, bounds.sent.volume_blocks, bounds.sent.volume_bytes);
  figures.received_blocks = volume(sizes, bounds.received_blocks, bounds.received_bytes);
  figures.messages = bounds.messages;
  if (sizes.differ()) {
    Bytes const smallest = *std::min_element(sizes.each.begin(), sizes.each.end());
    set_time(figures, time_bound_irregular(bounds.sent, smallest, cost.ports, cost.cheapest));
  } else {
    set_time(figures, time_bound(bounds.sent, sizes.block, cost.ports, cost.cheapest));
  }
  return figures;
}

bool is_reduction(SparseCollective collective) {
  return collective == SparseCollective::allreduce || collective == SparseCollective::reduce ||
         collective == SparseCollective::barrier;
}

/// Counts as figures.
Figures figures_of(NaiveCounts const& counts) {
  Figures figures;
  figures.rounds = counts.rounds;
  figures.messages = figures.total_blocks = counts.messages;
  figures.volume_blocks = counts.volume_blocks;
  figures.received_blocks = counts.received_blocks;
  return figures;
}

}  // namespace

Prediction predict(problem::Neighbor const& problem, MachineCost const& cost) {
  NeighborBounds const bounds =
      neighbor_bounds(graph_of(problem.graph), problem.collective, cost.ports, problem.sizes.each);
  return {closed_form(problem), bound_of(problem.sizes, bounds, cost), "any", false};
}

namespace {

/// A reduction along the routes of an allgather is the allgather in reverse: it receives where that sends, and has the
/// same rounds and volume. A reduction to one rank uses each hop once, and each hop from another rank.
Prediction of_torus(problem::SparseOnGraph const& problem, MachineCost const& cost) {
  problem::OnTorus const& on = *problem.torus;
  problem::Isomorphic backwards{.collective = problem::NeighborCollective::allgather,
                                .torus = on.torus,
                                .neighborhood = sources_on_torus(on),
                                .sizes = problem.block};
  backwards.ports = problem.ports;
  Prediction prediction = predict(backwards, cost);
  Figures& theory = prediction.theory;
  if (problem.collective == SparseCollective::allreduce) {
    theory.received_blocks = theory.volume_blocks;
    theory.total_blocks = *theory.volume_blocks * on.torus.size();
    if (problem.ports == 1) theory.messages = *theory.rounds * on.torus.size();
    return prediction;
  }
  Figures rooted;
  rooted.rounds = theory.rounds;
  rooted.total_blocks = theory.volume_blocks;
  rooted.volume_blocks = std::min(1.0, *theory.volume_blocks);
  return {rooted, {}, "any", false, prediction.accounted};
}

/// What is known about each algorithm.
Prediction of_algorithm(problem::SparseOnGraph const& problem, MachineCost const& cost) {
  if (problem.algorithm == problem::NeighborAlgorithm::dimension_wise) return of_torus(problem, cost);
  if (problem.algorithm == problem::NeighborAlgorithm::common_neighbors) return {{}, {}, "any", false};
  NaiveCounts const counts = sparse_collective(graph_of(problem.graph), problem.collective, Rank(problem.root));
  Prediction prediction;
  prediction.theory = figures_of(counts);
  if (!has_root(problem.collective) || !cost.distance_is_free || !cost.links_unshared) return prediction;
  prediction.theory.time_s = rooted_time(counts.messages, problem.block, cost.envelope, cost.ports, cost.usual).value;
  prediction.exact = true;
  return prediction;
}

}  // namespace

/// The bounds are those of the edges that the collective uses.
Prediction predict(problem::SparseOnGraph const& problem, MachineCost const& cost) {
  problem::Neighbor const used = as_neighborhood(problem);
  NeighborBounds const bounds = is_reduction(problem.collective)
                                    ? reduction_bounds(graph_of(used.graph), cost.ports)
                                    : neighbor_bounds(graph_of(used.graph), used.collective, cost.ports);
  Prediction prediction = of_algorithm(problem, cost);
  prediction.bound = bound_of(used.sizes, bounds, cost);
  prediction.links = "any";
  return prediction;
}

}  // namespace rondo::theory
