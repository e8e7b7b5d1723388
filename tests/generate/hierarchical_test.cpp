// Hierarchical collectives: every composition is proved and has the counts that theory adds up from its parts. Their
// times are held against the native engine in tests/engine/classical_times.cpp.

#include <gtest/gtest.h>

#include "base/ids.hpp"
#include "classical_check.hpp"
#include "compositions.hpp"
#include "generate/classical.hpp"
#include "problem/composition_parts.hpp"

namespace rondo {
namespace {

using problem::Classical;
using problem::ClassicalAlgorithm;
using problem::PhaseAlgorithms;
using test::expect_as_in_theory;

void expect_random_compositions(int count, std::uint64_t seed) {
  Random random(seed);
  for (int i = 0; i < count; ++i) {
    expect_as_in_theory(test::random_composition(random), static_cast<int>(random.between(1, 3)));
    if (::testing::Test::HasFailure()) FAIL() << "composition " << i << " of seed " << seed;
  }
}

TEST(Hierarchical, a_hundred_random_compositions_deliver_with_theorys_counts) { expect_random_compositions(100, 57); }

TEST(LongHierarchical, five_hundred_random_compositions_deliver_with_theorys_counts) {
  expect_random_compositions(500, 574);
}

void expect_random_rings(int count, std::uint64_t seed) {
  Random random(seed);
  for (int i = 0; i < count; ++i) {
    expect_as_in_theory(test::random_rings(random), static_cast<int>(random.between(1, 3)));
    if (::testing::Test::HasFailure()) FAIL() << "rings " << i << " of seed " << seed;
  }
}

TEST(Rings, a_hundred_random_ones_deliver_with_theorys_counts) { expect_random_rings(100, 575); }

TEST(LongRings, a_thousand_random_ones_deliver_with_theorys_counts) { expect_random_rings(1000, 5751); }

// On two hosts of 4 ranks: each of 4 rings leaves a host by another rank and enters it by another one, every second one
// in the opposite direction.
TEST(Rings, enter_and_leave_hosts_by_different_ranks) {
  std::vector<int> const host_of{0, 0, 0, 0, 1, 1, 1, 1};
  std::vector<std::vector<int>> const orders{
      {0, 1, 2, 3, 4, 5, 6, 7}, {5, 6, 7, 4, 1, 2, 3, 0}, {2, 3, 0, 1, 6, 7, 4, 5}, {7, 4, 5, 6, 3, 0, 1, 2}};
  for (int ring = 0; ring < 4; ++ring) EXPECT_EQ(problem::order_of_ring(host_of, 8, ring, 4), orders[at(ring)]);
  // Two rings of 4 ranks begin half a host apart; more rings than ranks begin anew.
  EXPECT_EQ(problem::order_of_ring(host_of, 8, 1, 2), (std::vector<int>{6, 7, 4, 5, 2, 3, 0, 1}));
  EXPECT_EQ(problem::order_of_ring(host_of, 8, 4, 5), orders[0]);
  // Hosts of their own, where none are stated.
  EXPECT_EQ(problem::order_of_ring({}, 3, 1, 2), (std::vector<int>{2, 1, 0}));
}

// Two rings on 4 ranks, each with half of a vector of 160 B: 6 rounds, in which a rank sends a quarter of either half.
TEST(Rings, send_a_part_of_the_vector_each) {
  Classical problem{ClassicalCollective::allreduce, 4, Bytes(160), ClassicalAlgorithm("ring")};
  problem.rings = 2;
  expect_as_in_theory(problem, 2);
  Measures const counted = measure(generate::generate(problem));
  EXPECT_EQ(counted.rounds, 6);
  EXPECT_EQ(counted.messages, 2 * 6 * 4);
  EXPECT_EQ(counted.volume_bytes.value, 6 * (20 + 20));
  EXPECT_EQ(counted.ports, 2);
}

// .ci/long runs it.
TEST(LongHierarchical, DISABLED_twenty_thousand_random_compositions_deliver_with_theorys_counts) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) expect_random_compositions(500, seed);
}

Classical composed(ClassicalCollective collective, int ranks, Bytes block, std::vector<int> sizes, int lanes,
                   ClassicalAlgorithm intra, ClassicalAlgorithm inter) {
  Classical problem{collective, ranks, block, ClassicalAlgorithm("hierarchical")};
  problem.hierarchy.levels.assign(sizes.size(), PhaseAlgorithms{intra, {}, "/intra"});
  problem.hierarchy.levels.push_back({inter, {}, "/inter"});
  problem.hierarchy.sizes = std::move(sizes);
  problem.hierarchy.lanes = lanes;
  return problem;
}

struct Example {
  char const* name;
  Classical problem;
  int rounds;
  std::int64_t messages, busiest;  ///< messages of all, bytes that the busiest rank sends
};

// Derivations, on 4 groups of 4 ranks with vectors or blocks of 160 B:
// - leaders: ceil(log2 4) rounds up, a reduce-scatter and allgather of 3 rounds each around the ring of 4 leaders, 2
//   rounds down. 12 + 12 messages in the groups, 2 * 3 * 4 between them. A leader sends 6 quarters, and 2 vectors.
// - full lanes: 3 rounds of quarters, a ring of 4 on a quarter, 3 rounds of quarters: 48 + 4 * 24 + 48 messages; a rank
//   sends 3 * 40 + 6 * 10 + 3 * 40.
// - bcast in two segments over binomial trees: 2 rounds between the leaders and 2 in the groups, of which the second
//   stage does both: 3 stages. 2 * (3 + 12) messages; the root sends 2 * (2 + 2) segments of 80.
// - full lanes of an all-to-all: 3 rounds in the group, 4 blocks each, and 3 between groups, 4 blocks each.
// - full lanes of an allgather: 3 rounds with a block, then 3 with 4 blocks.
TEST(Hierarchical, has_the_rounds_and_volumes_that_were_derived) {
  Example examples[] = {
      {"leaders", composed(ClassicalCollective::allreduce, 16, Bytes(160), {4}, 1, "binomial", "ring"), 10, 48,
       6 * 40 + 2 * 160},
      {"full lanes", composed(ClassicalCollective::allreduce, 16, Bytes(160), {4}, 0, "ring", "ring"), 12, 192,
       3 * 40 + 6 * 10 + 3 * 40},
      {"segments", composed(ClassicalCollective::bcast, 16, Bytes(160), {4}, 1, "binomial", "binomial"), 6, 30, 640},
      {"all-to-all", composed(ClassicalCollective::alltoall, 16, Bytes(160), {4}, 0, "pairwise", "pairwise"), 6, 96,
       24 * 160},
      {"allgather", composed(ClassicalCollective::allgather, 16, Bytes(160), {4}, 0, "ring", "ring"), 6, 96, 15 * 160},
  };
  examples[2].problem.hierarchy.segment = Bytes(80);
  for (Example const& each : examples) {
    SCOPED_TRACE(each.name);
    expect_as_in_theory(each.problem);
    Measures const counted = measure(generate::generate(each.problem));
    EXPECT_EQ(counted.rounds, each.rounds);
    EXPECT_EQ(counted.messages, each.messages);
    EXPECT_EQ(counted.volume_bytes.value, each.busiest);
  }
}

// Algorithms that keep the order of ranks keep it in groups of consecutive ranks as well, for any root and lanes.
TEST(Hierarchical, joins_in_the_order_of_ranks_where_its_parts_do) {
  for (ClassicalCollective const collective :
       {ClassicalCollective::reduce, ClassicalCollective::allreduce, ClassicalCollective::reduce_scatter}) {
    for (int const p : {2, 7, 12, 16, 23}) {
      for (int const size : {1, 2, 3, 5}) {
        for (int const lanes : {1, 2, 0}) {
          Classical problem = composed(collective, p, Bytes(100), {size, 2}, lanes, "linear", "linear");
          for (PhaseAlgorithms& level : problem.hierarchy.levels) {
            level.exceptions = {{ClassicalCollective::reduce, ClassicalAlgorithm("binomial")},
                                {ClassicalCollective::reduce_scatter, ClassicalAlgorithm("noncommutative")},
                                {ClassicalCollective::allgather, ClassicalAlgorithm("bruck")},
                                {ClassicalCollective::allreduce, ClassicalAlgorithm("recursive_doubling")}};
          }
          problem.commutative = false;
          for (int root = 0; root < (collective == ClassicalCollective::reduce ? p : 1); ++root) {
            problem.root = root;
            if (test::fits(problem)) expect_as_in_theory(problem);
          }
        }
      }
    }
  }
}

// The generator of random problems reaches what it is to reach.
TEST(Hierarchical, random_compositions_have_many_lanes_levels_segments_and_ranks) {
  Random random(57);
  int lanes = 0, levels = 0, hosts = 0, segments = 0, many = 0;
  for (int i = 0; i < 500; ++i) {
    Classical const problem = test::random_composition(random);
    lanes += problem.hierarchy.lanes != 1 ? 1 : 0;
    levels += problem.hierarchy.sizes.size() > 1 ? 1 : 0;
    hosts += problem.hierarchy.group_of.empty() ? 0 : 1;
    segments += problem.hierarchy.segment > Bytes(0) ? 1 : 0;
    many += problem.ranks > 12 ? 1 : 0;
  }
  for (int const each : {lanes, levels, hosts, segments, many}) EXPECT_GE(each, 50);
}

}  // namespace
}  // namespace rondo
