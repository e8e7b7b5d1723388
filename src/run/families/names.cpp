// The names of a problem that claims may use, family by family: numbers of ranks, edges and neighbors, parameters of
// algorithms. docs/claims.md lists them.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <type_traits>

#include "run/families/answers.hpp"
#include "theory/neighbor.hpp"

namespace rondo {
namespace {

double number(std::int64_t count) { return static_cast<double>(count); }

double most_targets(ProcessGraph const& graph) {
  std::int64_t most = 0;
  for (int rank = 0; rank < graph.ranks(); ++rank) most = std::max(most, std::ssize(graph.targets(Rank(rank))));
  return number(most);
}

/// s, d, and D, V, W of `torus` on this torus or mesh, on one port.
Names family_names(problem::Isomorphic const& problem, theory::MachineCost const& cost) {
  auto const [rounds, alltoall, allgather] = theory::dimension_wise_counts(problem);
  return {{"s", problem.neighborhood.size()},
          {"d", problem.torus.dimensions()},
          {"D", rounds},
          {"V", alltoall},
          {"W", allgather},
          {"m_cut", theory::cutoff(problem, cost)}};
}

Names family_names(problem::Intergroup const& problem, theory::MachineCost const& /*cost*/) {
  return {{"senders", problem.groups.senders()}, {"receivers", problem.groups.receivers()}};
}

Names family_names(problem::Neighbor const& problem, theory::MachineCost const& /*cost*/) {
  ProcessGraph const& graph = graph_of(problem.graph);
  return {{"edges", number(graph.edges())},
          {"theta", problem.options.theta},
          {"cumulative", problem.options.combining == problem::Combining::cumulative ? 1.0 : 0.0},
          {"persistent", problem.persistent ? 1.0 : 0.0},
          {"fewest_combined_once", number(theory::fewest_messages_combined_once(graph))}};
}

Names family_names(problem::SparseOnGraph const& problem, theory::MachineCost const& /*cost*/) {
  return {{"edges", number(graph_of(problem.graph).edges())},
          {"used_edges", number(graph_of(as_neighborhood(problem).graph).edges())},
          {"theta", problem.options.theta},
          {"cumulative", problem.options.combining == problem::Combining::cumulative ? 1.0 : 0.0}};
}

Names family_names(problem::SparseExchange const& problem, theory::MachineCost const& /*cost*/) {
  ProcessGraph const& graph = graph_of(problem.pattern);
  return {{"edges", number(graph.edges())}, {"most_targets", most_targets(graph)}, {"exchanges", problem.exchanges}};
}

Names family_names(problem::GraphProgram const& problem, theory::MachineCost const& /*cost*/) {
  ProcessGraph const& graph = graph_of(problem.graph);
  return {{"edges", number(graph.edges())}, {"most_targets", most_targets(graph)}};
}

Names family_names(problem::Bisection const& problem, theory::MachineCost const& /*cost*/) {
  return {{"points", number(problem.cloud.points)}};
}

Names family_names(problem::Classical const& problem, theory::MachineCost const& /*cost*/) {
  return {{"root", problem.root},
          {"radix", radix_of(problem)},
          {"segment", number(problem.segment.value > 0 ? problem.segment.value : problem.sizes.block.value)}};
}

/// argument_0, argument_1, ...: the arguments that are whole numbers.
Names family_names(problem::UserProgram const& problem, theory::MachineCost const& /*cost*/) {
  Names names;
  for (std::size_t i = 0; i < problem.arguments.size(); ++i) {
    std::string const& word = problem.arguments[i];
    std::int64_t value = 0;
    auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    bool const whole = error == std::errc() && end == word.data() + word.size();
    if (whole) names[fmt::format("argument_{}", i)] = number(value);
  }
  return names;
}

Names family_names(problem::Workload const& problem, theory::MachineCost const& /*cost*/) {
  if (problem.has_jobs()) return {};
  return {{"repeat", problem.jobs.front().repeat}};
}

/// The names of the promised collective.
Names family_names(problem::Custom const& problem, theory::MachineCost const& cost) {
  if (!problem.promise) return {};
  return std::visit(
      [&](auto const& of) {
        if constexpr (std::is_same_v<std::decay_t<decltype(of)>, StatedPromise>) {
          return Names{};
        } else {
          return family_names(of, cost);
        }
      },
      problem.promise->of);
}

}  // namespace

Names names_for(problem::Problem const& problem, theory::MachineCost const& cost, Seconds poll) {
  Names names = std::visit([&](auto const& each) { return family_names(each, cost); }, problem);
  if (exchange_ways(problem) != nullptr) names["poll_time"] = poll.value;
  return names;
}

}  // namespace rondo
