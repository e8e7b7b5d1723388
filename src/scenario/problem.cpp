#include <fmt/format.h>

#include "scenario/read.hpp"

namespace rondo::scenario {
namespace {

using problem::Kind;

/// Refuses `printed` where it would change nothing.
void expect_effect(Place const& collective, problem::Intergroup const& problem) {
  bool const by_schedule = problem.building_blocks == problem::BuildingBlocks::schedule;
  bool const sequences = problem.algorithm == problem::IntergroupAlgorithm::ring_sequences;
  if (problem.reading == problem::Reading::printed && (!sequences || !by_schedule)) {
    throw collective["printed"].error(
        "expected false but for ring_sequences, the algorithm that the paper prints, got true");
  }
}

void expect_size_a_sender(Place const& collective, problem::Intergroup const& problem) {
  std::size_t const sizes = problem.sizes.each.size();
  if (!collective.has("block_sizes") || !problem.sizes.expression.empty()) return;
  if (sizes == static_cast<std::size_t>(problem.groups.senders())) return;
  throw collective["block_sizes"].error(
      fmt::format("expected {} sizes, one for each sender, got {}", problem.groups.senders(), sizes));
}

problem::Intergroup read_intergroup(Place const& collective, Setting const& setting) {
  Groups const groups =
      collective.checked([&] { return Groups(collective["senders"].integer(), collective["receivers"].integer()); });
  problem::Intergroup problem{groups, read_block_sizes(collective, setting.block)};
  problem.algorithm = known_value<problem::IntergroupAlgorithm>(setting.algorithm);
  problem.allgather = word_at(collective, "allgather", problem.allgather);
  problem.broadcast = word_at(collective, "broadcast", problem.broadcast);
  if (collective.value.value("printed", false)) problem.reading = problem::Reading::printed;
  problem.building_blocks = word_at(collective, "building_blocks", problem.building_blocks);
  problem.selector = collective.value.value("selector", problem.selector);
  expect_size_a_sender(collective, problem);
  expect_effect(collective, problem);
  if (problem.algorithm == problem::IntergroupAlgorithm::ring_sequences) {
    collective.checked([&] { expect_even(groups); });
  }
  if (problem.algorithm == problem::IntergroupAlgorithm::receiver_allgather) {
    collective.checked([&] { expect_enough_senders(groups); });
  }
  return problem;
}

problem::Neighbor read_neighbor(problem::NeighborCollective kind, Place const& collective, Setting const& setting) {
  problem::Neighbor problem{kind, read_graph_source(collective["graph"], setting.seed),
                            read_block_sizes(collective, setting.block)};
  problem.algorithm = known_value<problem::NeighborAlgorithm>(setting.algorithm);
  problem.options.theta = collective.value.value("theta", problem.options.theta);
  problem.options.tie = word_at(collective, "tie", problem.options.tie);
  problem.options.suitors = word_at(collective, "suitors", problem.options.suitors);
  problem.options.half = word_at(collective, "half", problem.options.half);
  if (collective.value.value("cumulative", false)) problem.options.combining = problem::Combining::cumulative;
  problem.persistent = collective.value.value("persistent", true);
  problem.build_cost = collective.unit("build_cost", parse_seconds, problem.build_cost);
  if (problem.build_cost > Seconds(1)) {
    throw collective["build_cost"].error("expected a time of at most 1s, got " + shown(collective["build_cost"].value));
  }
  problem.setup = collective.value.value("setup", true);
  return problem;
}

problem::SparseOnGraph read_sparse_on_graph(Kind kind, Place const& collective, Setting const& setting) {
  auto const on_graph = problem::sparse_collective(kind);
  expects(on_graph.has_value(), "a reader for each kind of collective");
  problem::SparseOnGraph problem{*on_graph, read_graph_source(collective["graph"], setting.seed)};
  problem.block = setting.block;
  problem.root = collective.value.value("root", problem.root);
  int const p = ranks(problem.graph);
  if (problem.root < p) return problem;
  throw collective["root"].error(fmt::format("expected a rank, from 0 to {}, got {}", p - 1, problem.root));
}

}  // namespace

Problem read_problem(Setting const& setting) {
  using problem::GraphProgram;
  using problem::NeighborCollective;
  Place const collective = setting.root["collective"];
  auto const kind = known_value<Kind>(collective["kind"].text());
  switch (kind) {
    case Kind::isomorphic_alltoall:
      return read_isomorphic(NeighborCollective::alltoall, collective, setting);
    case Kind::isomorphic_allgather:
      return read_isomorphic(NeighborCollective::allgather, collective, setting);
    case Kind::intergroup_allgather:
      return read_intergroup(collective, setting);
    case Kind::neighbor_allgather:
      return read_neighbor(NeighborCollective::allgather, collective, setting);
    case Kind::neighbor_alltoall:
      return read_neighbor(NeighborCollective::alltoall, collective, setting);
    case Kind::sparse_exchange:
      return read_sparse_exchange(collective, setting);
    case Kind::independent_set:
      return read_graph_program(GraphProgram::Goal::independent_set, collective, setting);
    case Kind::coloring:
      return read_graph_program(GraphProgram::Goal::coloring, collective, setting);
    case Kind::bisection:
      return read_bisection(collective, setting);
    case Kind::program:
      return read_program(collective, setting);
    default:
      return read_sparse_on_graph(kind, collective, setting);
  }
}

}  // namespace rondo::scenario
