// The distributed pattern against the central one: the same pairs, parts and messages, with no rank knowing more than
// its own neighbors.

#include "engine/programs/neighbor_setup.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.hpp"
#include "base/random.hpp"
#include "sanitized.hpp"
#include "schedules.hpp"

namespace rondo {
namespace {

using namespace testing;
using generate::Combining;
using generate::CombiningPattern;
using mpi::LocalPattern;
using problem::CommonNeighbors;

NeighborSetup setup_of(ProcessGraph const& graph, CommonNeighbors const& options, Platform const& platform) {
  Outcome<NeighborSetup> outcome = simulate_common_neighbors(graph, options, platform, {});
  EXPECT_EQ(outcome.error, "");
  return outcome.result.value_or(NeighborSetup{});
}

std::int64_t all_messages(generate::SetupMessages const& setup) {
  return setup.build + setup.pairing + setup.notify + setup.update;
}

/// What the whole pattern means to each rank: who sends it what at the end of each iteration, and what is left.
struct Expected {
  std::map<std::size_t, std::vector<mpi::Onloading>> incoming;  ///< by iteration, from 0
  std::vector<Rank> targets, sources;
};

std::vector<Expected> expected_parts(ProcessGraph const& graph, CombiningPattern const& pattern) {
  std::vector<std::set<Rank>> active;
  for (int r = 0; r < graph.ranks(); ++r) {
    auto const targets = graph.distinct_targets(Rank(r));
    active.emplace_back(targets.begin(), targets.end());
  }
  auto const of = [&](Rank rank) -> std::set<Rank>& { return active[static_cast<std::size_t>(rank.value)]; };
  std::vector<Expected> parts(active.size());
  for (std::size_t k = 0; k < pattern.iterations.size(); ++k) {
    auto const side = [&](Rank rank, Rank partner, std::vector<Rank> const& onloads,
                          std::vector<Rank> const& offloads) {
      for (Rank const target : onloads) {
        parts[static_cast<std::size_t>(target.value)].incoming[k].push_back({rank, partner});
        if (pattern.combining == Combining::single) of(rank).erase(target);
      }
      for (Rank const target : offloads) of(rank).erase(target);
    };
    for (generate::Pair const& pair : pattern.iterations[k].pairs) {
      side(pair.low, pair.high, pair.low_onloads, pair.high_onloads);
      side(pair.high, pair.low, pair.high_onloads, pair.low_onloads);
    }
    for (Expected& part : parts) {
      if (part.incoming.contains(k)) std::sort(part.incoming[k].begin(), part.incoming[k].end());
    }
  }
  for (std::size_t r = 0; r < parts.size(); ++r) {
    parts[r].targets.assign(active[r].begin(), active[r].end());
    for (Rank const target : active[r]) {
      parts[static_cast<std::size_t>(target.value)].sources.emplace_back(static_cast<std::int32_t>(r));
    }
  }
  return parts;
}

void expect_parts(std::vector<LocalPattern> const& parts, ProcessGraph const& graph, CombiningPattern const& pattern) {
  std::vector<Expected> const expected = expected_parts(graph, pattern);
  ASSERT_EQ(parts.size(), expected.size());
  for (std::size_t r = 0; r < parts.size(); ++r) {
    SCOPED_TRACE("rank " + std::to_string(r));
    EXPECT_EQ(parts[r].targets, expected[r].targets);
    EXPECT_EQ(parts[r].sources, expected[r].sources);
    std::map<std::size_t, std::vector<mpi::Onloading>> incoming;
    for (std::size_t k = 0; k < parts[r].iterations.size(); ++k) {
      if (!parts[r].iterations[k].incoming.empty()) incoming[k] = parts[r].iterations[k].incoming;
    }
    EXPECT_EQ(incoming, expected[r].incoming);
  }
}

/// Runs both ways; `pattern` is what the distributed one must find, without the fallback of cumulative patterns.
void expect_same(ProcessGraph const& graph, CommonNeighbors options, Platform const& platform) {
  CombiningPattern const pattern = generate::common_neighbors(graph, options);
  options.combining = pattern.combining;
  NeighborSetup const setup = setup_of(graph, options, platform);
  EXPECT_EQ(mpi::whole_pattern(setup.parts, options.combining), pattern);
  expect_parts(setup.parts, graph, pattern);
  EXPECT_EQ(setup.timing.messages, all_messages(pattern.setup));
}

// Item [Mirsadeghi17, distributed design]: holds.
TEST(SmokeNeighborSetup, finds_the_central_pattern_on_200_random_graphs) {
  Random random(61);
  for (int k = 0; k < 200 / test::sampled; ++k) {
    SCOPED_TRACE("case " + std::to_string(k));
    int const p = static_cast<int>(random.between(1, k % 8 == 0 && !test::sanitized ? 64 : 28));
    double const density =
        k < 3 ? std::vector{1.0, 0.02, 0.5}[static_cast<std::size_t>(k)] : 0.02 + 0.98 * random.unit();
    CommonNeighbors options;
    options.theta = k % 3 == 0 ? 4 : static_cast<int>(random.between(2, 7));
    options.tie = k % 2 == 0 ? problem::FriendTie::highest : problem::FriendTie::lowest;
    options.half = k % 5 == 0 ? generate::Half::ceil : generate::Half::floor;
    options.suitors = k % 3 == 1 ? problem::Suitors::active : problem::Suitors::literal;
    options.combining = k % 7 == 0 ? Combining::cumulative : Combining::single;
    expect_same(erdos_renyi(p, density, random.bits()), options, machine(p));
  }
}

TEST(SmokeNeighborSetup, finds_it_on_graphs_with_isolated_ranks_self_loops_and_parallel_edges) {
  auto const graph = [](int ranks, std::vector<std::pair<int, int>> const& pairs) {
    std::vector<Edge> edges;
    for (auto const& [source, target] : pairs) edges.push_back({Rank(source), Rank(target)});
    return ProcessGraph(ranks, edges);
  };
  // In-degree 0 at ranks 0 and 1, parallel edges and self loops among the targets, rank 8 isolated.
  std::vector<std::pair<int, int>> pairs{{0, 2}, {2, 2}, {3, 3}, {3, 3}, {0, 1}};
  for (int target = 2; target < 8; ++target) pairs.insert(pairs.end(), {{0, target}, {1, target}});
  for (ProcessGraph const& each : {graph(1, {}), graph(1, {{0, 0}}), graph(4, {}), graph(9, pairs)}) {
    expect_same(each, {}, machine(each.ranks()));
  }
}

TEST(SmokeNeighborSetup, finds_it_on_moore_neighborhoods_and_on_several_ports) {
  Platform four_ports = machine(64);
  four_ports.ports = 4;
  expect_same(moore(Torus({8, 8}), 1), {}, four_ports);
  expect_same(moore(Torus({6, 6}), 2), {}, machine(36));
}

// Ranks 0 and 1 share the targets 2..5: a list along each edge, one round of two messages each way, a notice along each
// edge; then no target is left to ask. Ranks 0 and 1 take lists one after the other from the targets in the same order,
// one behind the other: five slots. Notices are posted at once, and while 0 sends to one target, 1 sends to the next:
// four slots.
TEST(SmokeNeighborSetup, takes_the_time_of_its_messages) {
  std::vector<Edge> edges;
  for (int target = 2; target < 6; ++target) {
    edges.push_back({Rank(0), Rank(target)});
    edges.push_back({Rank(1), Rank(target)});
  }
  NeighborSetup const setup = setup_of(ProcessGraph(6, edges), {}, machine(6));
  EXPECT_EQ(setup.timing.messages, 8 + 4 + 8);
  EXPECT_EQ(setup.timing.bytes, 8 * 8_B + 4 * 4_B + 8 * 8_B);
  Seconds const lists = 5 * (1_us + 8_B / 1_GBps), pairing = 2 * (1_us + 4_B / 1_GBps);
  EXPECT_SECONDS(setup.timing.makespan, lists + pairing + 4 * (1_us + 8_B / 1_GBps));
}

TEST(SmokeNeighborSetup, refuses_a_theta_below_2) {
  CommonNeighbors options;
  options.theta = 1;
  EXPECT_THROW(simulate_common_neighbors(erdos_renyi(4, 1, 1), options, machine(4), {}), InputError);
}

TEST(SmokeNeighborSetup, parts_survive_their_way_as_numbers) {
  NeighborSetup const setup = setup_of(erdos_renyi(24, 0.5, 3), {}, machine(24));
  for (LocalPattern const& part : setup.parts) EXPECT_EQ(mpi::decoded(mpi::encoded(part)), part);
  std::vector<std::int64_t> numbers = mpi::encoded(setup.parts[0]);
  numbers.pop_back();
  EXPECT_THROW(mpi::decoded(numbers), ContractViolation);
}

}  // namespace
}  // namespace rondo
