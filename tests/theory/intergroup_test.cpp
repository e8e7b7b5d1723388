#include "theory/intergroup.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "base/error.hpp"
#include "intergroup_search.hpp"
#include "reference.hpp"

namespace rondo::theory {
namespace {

using enum problem::IntraAllgather;
using enum problem::Broadcast;

constexpr Bytes block{64};

int log2_ceil(int n) { return std::bit_width(static_cast<unsigned>(n - 1)); }

std::string name(int p, int q) { return std::to_string(p) + " senders, " + std::to_string(q) + " receivers"; }

/// Messages of any number of blocks.
IntergroupBounds ring_bounds(Groups const& groups, int ports) {
  return intergroup_bounds_ring(groups, ports, RingMessages::any);
}

void expect_counts(IntergroupCounts const& counts, std::int64_t rounds, double critical, double total,
                   std::string const& what) {
  EXPECT_EQ(counts.rounds, rounds) << what;
  EXPECT_NEAR(counts.critical_blocks, critical, 1e-9 * critical) << what;
  EXPECT_NEAR(counts.total_blocks, total, 1e-9 * total) << what;
}

// docs/notes-intergroup.md#fully-connected: 1 + ceil(log2 p) rounds, p with a ring; p blocks a receiver. p < q:
// ceil(log2 g) + ceil(log2 p).
TEST(IntergroupTheory, gives_the_rounds_of_group_allgather) {
  for (int p = 1; p <= 64; ++p) {
    for (int q = 1; q <= 64; ++q) {
      Groups const groups(p, q);
      int const g = (q + p - 1) / p + 1;
      int const first = p >= q ? 1 : log2_ceil(g);
      int const members = p >= q ? p : (q + p - 1) / p * p;
      double const total = q + members * (p - 1);
      expect_counts(group_allgather(groups, block, bruck, binomial), first + log2_ceil(p), first + p - 1, total,
                    name(p, q) + " bruck");
      expect_counts(group_allgather(groups, block, ring, binomial), first + p - 1, first + p - 1, total,
                    name(p, q) + " ring");
      EXPECT_EQ(group_allgather(groups, block, bruck, binomial).received_blocks, p) << name(p, q);
      if (std::has_single_bit(static_cast<unsigned>(p))) {
        expect_counts(group_allgather(groups, block, recursive_doubling, binomial), first + log2_ceil(p), first + p - 1,
                      total, name(p, q) + " recursive doubling");
      }
      int const split = p >= q ? 1 : 2 * log2_ceil(g);
      EXPECT_EQ(group_allgather(groups, block, bruck, scatter_allgather).rounds, split + log2_ceil(p)) << name(p, q);
      int const along = p >= q ? 1 : log2_ceil(g) + g - 1;
      EXPECT_EQ(group_allgather(groups, block, bruck, scatter_ring_allgather).rounds, along + log2_ceil(p))
          << name(p, q);
    }
  }
}

// Six members: two hand in (1), pairs {0,4 | 1,5} exchange 2, then {0,1,4,5} give 4 to {2,3}, the last round brings 5.
TEST(IntergroupTheory, gives_the_rounds_of_recursive_doubling_among_six) {
  expect_counts(group_allgather(Groups(6, 6), block, recursive_doubling, binomial), 5, 1 + 1 + 2 + 4 + 5, 6 + 30,
                "six");
}

// docs/notes-intergroup.md#root-gathering; fractions where q divides the p blocks of 64 bytes in equal segments.
TEST(IntergroupTheory, gives_the_rounds_of_root_gathering) {
  for (int p = 1; p <= 64; ++p) {
    for (int q = 1; q <= 64; ++q) {
      Groups const groups(p, q);
      int const binary = log2_ceil(p) + 1 + log2_ceil(q);
      auto const tree = root_gathering(groups, block, binomial);
      EXPECT_EQ(tree.rounds, binary) << name(p, q);
      EXPECT_EQ(tree.critical_blocks, 2 * p - 1 + p * log2_ceil(q)) << name(p, q);
      auto const split = root_gathering(groups, block, scatter_allgather);
      EXPECT_EQ(split.rounds, binary + log2_ceil(q)) << name(p, q);
      auto const along = root_gathering(groups, block, scatter_ring_allgather);
      EXPECT_EQ(along.rounds, binary + q - 1) << name(p, q);
      EXPECT_EQ(along.total_bytes, split.total_bytes) << name(p, q);
      if (64 * p % q == 0) {
        EXPECT_NEAR(split.critical_blocks, 2 * p - 1 + 2.0 * p * (q - 1) / q, 1e-9) << name(p, q);
        EXPECT_NEAR(along.critical_blocks, 2 * p - 1 + 2.0 * p * (q - 1) / q, 1e-9) << name(p, q);
      }
    }
  }
}

// With q = 3, a block of 64 bytes goes in segments of 22, 22 and 20.
TEST(IntergroupTheory, counts_segments_of_unequal_size_to_the_byte) {
  auto const counts = root_gathering(Groups(1, 3), block, scatter_allgather);
  // a_0 to b_0: 64; scatter: 20 to b_2, 22 to b_1; bruck: every receiver sends one segment, in both rounds 22 at most.
  EXPECT_EQ(counts.critical_bytes, Bytes(64 + 20 + 22 + 22 + 22));
  EXPECT_EQ(counts.total_bytes, Bytes(64 + 20 + 22 + 2 * 64));
  EXPECT_DOUBLE_EQ(counts.critical_blocks, 150.0 / 64);
  EXPECT_DOUBLE_EQ(counts.received_blocks, (64 + 64 - 22) / 64.0);  // b_0: all, and the segments it has
}

// With q = 5 segments of 13, 13, 13, 13 and 12 bytes.
TEST(IntergroupTheory, counts_what_is_passed_along_a_ring_to_the_byte) {
  auto const counts = root_gathering(Groups(1, 5), block, scatter_ring_allgather);
  EXPECT_EQ(counts.rounds, 1 + 3 + 4);
  // a_0 to b_0: 64; scatter: 12 to b_4, 26 to b_2 (and 13 to b_3 later), 13 to b_1; ring: in each of 4 rounds 13.
  EXPECT_EQ(counts.critical_bytes, Bytes(64 + 12 + 26 + 13 + 4 * 13));
  EXPECT_EQ(counts.total_bytes, Bytes(64 + 12 + 26 + 13 + 13 + 4 * 64));
  EXPECT_DOUBLE_EQ(counts.received_blocks, (64 + 64 - 13) / 64.0);  // b_0: all, then all segments but its own
}

TEST(IntergroupTheory, gives_the_rounds_on_the_ring) {
  expect_counts(ring_allgather(Groups(7, 12), block), 18, 18, 126, "recorded");
  expect_counts(ring_optimal(Groups(12, 30), block), 26, 26, 492, "recorded");
  expect_counts(ring_sequences(Groups(14, 2), block), 15, 15, 119, "recorded");
  EXPECT_EQ(ring_optimal(Groups(64, 192), block).rounds, 159);
  EXPECT_EQ(ring_optimal(Groups(1, 8), block).rounds, 5);
  EXPECT_EQ(ring_sequences(Groups(64, 192), block).rounds, 160);
  EXPECT_THROW(ring_sequences(Groups(3, 4), block), InputError);
  EXPECT_THROW(ring_sequences(Groups(4, 3), block), InputError);
}

TEST(IntergroupTheory, bounds_are_those_of_the_record) {
  int compared = 0;
  for (auto const& pair : reference::pairs("intergroup.json", "fully_connected_intergroup")) {
    Groups const groups(pair["request"]["p"], pair["request"]["q"]);
    int const k = pair["request"].value("k", 1);
    EXPECT_EQ(intergroup_bounds_any(groups, 1).rounds, pair["answer"]["lower_bound_steps"]) << pair;
    EXPECT_EQ(k * intergroup_bounds_any(groups, 1).critical_blocks, pair["answer"]["lower_bound_volume"]) << pair;
    ++compared;
  }
  for (auto const& pair : reference::pairs("intergroup.json", "ring_intergroup")) {
    Groups const groups(pair["request"]["p"], pair["request"]["q"]);
    EXPECT_EQ(ring_bounds(groups, 1).critical_blocks, pair["answer"]["lower_bound"]) << pair;
    ++compared;
  }
  EXPECT_EQ(compared, 61);
}

// Item [Kang19, ring bound]: holds.
TEST(IntergroupTheory, no_schedule_on_a_small_ring_is_below_the_bounds) {
  using search::Cost;
  for (auto const& [p, q] : {std::pair(1, 1), {1, 2}, {2, 1}, {1, 3}, {2, 2}, {3, 1}, {1, 4}, {2, 3}}) {
    int const n = p + q;
    auto const neighbors = [n](int a, int b) { return (a + 1) % n == b || (b + 1) % n == a; };
    auto const bounds = ring_bounds(Groups(p, q), 1);
    int const fewest = search::cheapest(p, q, Cost::one, neighbors);
    EXPECT_LE(bounds.rounds, fewest) << name(p, q);
    // If n is even, neighbors that swap all they hold, in turns with either one, reach the bound.
    EXPECT_GE(bounds.rounds, n % 2 == 0 ? fewest : fewest - 1) << name(p, q);
    EXPECT_EQ(bounds.critical_blocks, search::cheapest(p, q, Cost::largest, neighbors)) << name(p, q);
    EXPECT_EQ(bounds.total_blocks, search::cheapest(p, q, Cost::sum, neighbors)) << name(p, q);
  }
  for (auto const& [p, q] : {std::pair(3, 2), {4, 1}}) {
    auto const neighbors = [](int a, int b) { return (a + 1) % 5 == b || (b + 1) % 5 == a; };
    EXPECT_LE(ring_bounds(Groups(p, q), 1).rounds, search::cheapest(p, q, Cost::one, neighbors));
  }
}

// Item [Kang19, bandwidth bound]: holds.
TEST(IntergroupTheory, no_schedule_on_a_small_fully_connected_machine_is_below_the_bounds) {
  auto const all = [](int, int) { return true; };
  for (auto const& [p, q] : {std::pair(1, 1), {1, 2}, {2, 1}, {1, 3}, {2, 2}, {3, 1}}) {
    auto const bounds = intergroup_bounds_any(Groups(p, q), 1);
    EXPECT_LE(bounds.rounds, search::cheapest(p, q, search::Cost::one, all)) << name(p, q);
    EXPECT_LE(bounds.critical_blocks, search::cheapest(p, q, search::Cost::largest, all)) << name(p, q);
    EXPECT_LE(bounds.total_blocks, search::cheapest(p, q, search::Cost::sum, all)) << name(p, q);
  }
  // One round better than the paper's 1 + ceil(log2 3): two senders pair up, then one of them and the third send.
  EXPECT_EQ(search::cheapest(3, 1, search::Cost::one, all), 2);
}

/// The links that join a sender with all receivers: the shortest stretch of the circle that holds them all.
int shortest_stretch(int p, int q, int sender) {
  int const n = p + q;
  for (int length = 0;; ++length) {
    for (int first = 0; first < n; ++first) {
      auto const inside = [&](int rank) { return (rank - first + n) % n <= length; };
      bool all = inside(sender);
      for (int rank = p; rank < n; ++rank) all = all && inside(rank);
      if (all) return length;
    }
  }
}

TEST(IntergroupTheory, bounds_the_volume_on_the_ring_by_the_shortest_stretches) {
  for (int p = 1; p <= 12; ++p) {
    for (int q = 1; q <= 12; ++q) {
      int links = 0;
      for (int i = 0; i < p; ++i) links += shortest_stretch(p, q, i);
      EXPECT_EQ(ring_bounds(Groups(p, q), 1).total_blocks, links) << name(p, q);
    }
  }
}

TEST(IntergroupTheory, bounds_fall_with_the_ports) {
  EXPECT_EQ(intergroup_bounds_any(Groups(8, 8), 2).rounds, 2);  // 9 = 3^2
  EXPECT_EQ(intergroup_bounds_any(Groups(8, 8), 2).critical_blocks, 4);
  EXPECT_EQ(ring_bounds(Groups(1, 4), 1).critical_blocks, 3);
  EXPECT_EQ(ring_bounds(Groups(1, 4), 1).rounds, 3);
  EXPECT_EQ(ring_bounds(Groups(1, 4), 2).rounds, 2);  // both ways at once
  EXPECT_EQ(ring_bounds(Groups(1, 4), 2).critical_blocks, 1.5);
}

// The middle receiver gets its first block in round ceil(q/2) and p of them one by one.
TEST(IntergroupTheory, bounds_the_rounds_of_messages_of_one_block) {
  auto const rounds = [](int p, int q, int ports) {
    return intergroup_bounds_ring(Groups(p, q), ports, RingMessages::of_one_block).rounds;
  };
  EXPECT_EQ(rounds(64, 192, 1), 159);
  EXPECT_EQ(rounds(192, 64, 1), 223);
  EXPECT_EQ(rounds(1, 8, 1), 5);  // two middle receivers, and one send to start with
  EXPECT_EQ(rounds(1, 9, 1), 5);
  EXPECT_EQ(rounds(6, 4, 2), 5);  // as far as b_2's opposite; by blocks alone 1 + 6/2
  EXPECT_EQ(rounds(12, 4, 2), 8);
  EXPECT_EQ(rounds(12, 3, 2), 7);  // 1 + 12/2 = (12 + 3 - 1)/2
  // Neighbors that swap all they hold are faster in rounds: no bound for messages of any number of blocks.
  EXPECT_EQ(ring_bounds(Groups(3, 1), 1).rounds, 2);
  EXPECT_EQ(rounds(3, 1, 1), 3);
}

TEST(IntergroupTheory, gives_the_alpha_beta_time_and_its_bound) {
  LinearCost const cost{Seconds(1e-6), BytesPerSecond(1e9)};
  // 5 rounds of 1 us, 5 blocks of 64 B and 5 envelopes of 16 B at 1 GB/s: 5e-6 + 400e-9
  EXPECT_NEAR(time(ring_optimal(Groups(4, 4), block), Bytes(16), cost).value, 5.4e-6, 1e-18);
  // A chain of 4 whole blocks, or 1 before b_1 gets its first and then 4 blocks: 2 alpha + 5 * 64 ns
  EXPECT_NEAR(time_bound(ring_bounds(Groups(4, 4), 1), block, cost).value, 4.256e-6, 1e-18);
  EXPECT_NEAR(time_bound(ring_bounds(Groups(4, 4), 1), Bytes(1000000), cost).value, 5.002e-3, 1e-15);
  // Cut blocks may travel in pieces: 3 alpha, or alpha + 4 * 64 ns
  EXPECT_NEAR(time_bound(intergroup_bounds_any(Groups(4, 4), 1), block, cost).value, 3e-6, 1e-18);
  EXPECT_NEAR(time_bound(intergroup_bounds_any(Groups(4, 4), 1), Bytes(1000000), cost).value, 4.001e-3, 1e-15);
}

}  // namespace
}  // namespace rondo::theory
