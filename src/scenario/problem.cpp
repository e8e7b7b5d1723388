#include <fmt/format.h>

#include "scenario/read.hpp"
#include "scenario/words.hpp"

namespace rondo::scenario {
namespace {

/// The enumerator of the word at `key`; `absent` where there is none.
template <typename Enum, std::size_t N>
Enum word_at(Place const& place, char const* key, Words<Enum, N> const& words, Enum absent) {
  return place.has(key) ? value_of(words, place[key].text()) : absent;
}

/// Refuses `printed` where it would change nothing.
void expect_effect(Place const& collective, IntergroupAllgatherProblem const& problem) {
  bool const by_schedule = problem.building_blocks == IntergroupAllgatherProblem::BuildingBlocks::schedule;
  bool const sequences = problem.algorithm == IntergroupAllgatherProblem::Algorithm::ring_sequences;
  if (problem.printed && (!sequences || !by_schedule)) {
    throw collective["printed"].error(
        "expected false but for ring_sequences, the algorithm that the paper prints, got true");
  }
}

void expect_size_a_sender(Place const& collective, IntergroupAllgatherProblem const& problem) {
  std::size_t const sizes = problem.sizes.list.size();
  if (!collective.has("block_sizes") || !problem.sizes.expression.empty()) return;
  if (sizes == static_cast<std::size_t>(problem.groups.senders())) return;
  throw collective["block_sizes"].error(
      fmt::format("expected {} sizes, one for each sender, got {}", problem.groups.senders(), sizes));
}

IntergroupAllgatherProblem read_intergroup(Place const& collective, Place const& algorithm) {
  Groups const groups =
      collective.checked([&] { return Groups(collective["senders"].integer(), collective["receivers"].integer()); });
  IntergroupAllgatherProblem problem{groups, value_of(intergroup_algorithms, algorithm.text())};
  problem.allgather = word_at(collective, "allgather", intra_allgathers, problem.allgather);
  problem.broadcast = word_at(collective, "broadcast", broadcasts, problem.broadcast);
  problem.printed = collective.value.value("printed", false);
  problem.building_blocks = word_at(collective, "building_blocks", building_block_kinds, problem.building_blocks);
  problem.selector = collective.value.value("selector", problem.selector);
  problem.sizes = read_block_sizes(collective);
  expect_size_a_sender(collective, problem);
  expect_effect(collective, problem);
  if (problem.algorithm == IntergroupAllgatherProblem::Algorithm::ring_sequences) {
    collective.checked([&] { expect_even(groups); });
  }
  return problem;
}

NeighborPattern read_neighbor_pattern(Place const& collective, Place const& algorithm) {
  NeighborPattern pattern{read_graph_source(collective["graph"]), value_of(neighbor_algorithms, algorithm.text())};
  pattern.theta = collective.value.value("theta", pattern.theta);
  pattern.tie = word_at(collective, "tie", friend_ties, pattern.tie);
  pattern.cumulative = collective.value.value("cumulative", false);
  pattern.persistent = collective.value.value("persistent", true);
  pattern.build_cost = collective.unit("build_cost", parse_seconds, pattern.build_cost);
  if (pattern.build_cost > Seconds(1)) {
    throw collective["build_cost"].error("expected a time of at most 1s, got " + shown(collective["build_cost"].value));
  }
  pattern.setup = collective.value.value("setup", true);
  pattern.sizes = read_block_sizes(collective);
  return pattern;
}

SparseCollectiveProblem read_sparse_collective(Place const& collective) {
  SparseCollectiveProblem problem{value_of(sparse_collectives, collective["kind"].text()),
                                  read_graph_source(collective["graph"])};
  problem.root = collective.value.value("root", problem.root);
  if (problem.root < ranks(problem.graph)) return problem;
  throw collective["root"].error(
      fmt::format("expected a rank, from 0 to {}, got {}", ranks(problem.graph) - 1, problem.root));
}

}  // namespace

Problem read_problem(Place const& root, Platform const& machine) {
  Place const collective = root["collective"];
  std::string const kind = collective["kind"].text();
  if (kind == "program") return read_program(root, ranks(machine));
  Place const algorithm = root["algorithm"];
  if (kind == "isomorphic_alltoall") return read_isomorphic_alltoall(collective, algorithm);
  if (kind == "isomorphic_allgather") return read_isomorphic_allgather(collective, algorithm);
  if (kind == "intergroup_allgather") return read_intergroup(collective, algorithm);
  if (kind == "neighbor_allgather") return NeighborAllgatherProblem{read_neighbor_pattern(collective, algorithm)};
  if (kind == "independent_set") return read_independent_set(collective, algorithm);
  if (kind == "coloring") return read_coloring(collective, algorithm);
  if (kind == "bisection") return read_bisection(collective, algorithm);
  if (kind == "sparse_exchange") return read_sparse_exchange(collective, algorithm);
  if (kind.starts_with("sparse_")) return read_sparse_collective(collective);
  expects(kind == "neighbor_alltoall", "a reader for each kind of collective");
  return NeighborAlltoallProblem{read_neighbor_pattern(collective, algorithm)};
}

}  // namespace rondo::scenario
