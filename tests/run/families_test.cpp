// Every family of collectives as a scenario sees it, and what a point says of itself is what the papers say
// (docs/notes.md).

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.hpp"
#include "families.hpp"
#include "run/families/plan.hpp"
#include "run/output/show.hpp"

namespace rondo {
namespace {

using namespace testing;

std::string isomorphic(std::string const& kind, std::string const& more = "") {
  return R"({"kind": ")" + kind + R"(", "torus": [4, 3, 2], "neighborhood": {"kind": "offsets",
            "offsets": [[1, 0, 0], [2, 1, 1], [-1, 2, 0], [0, 0, 0], [0, -1, 1], [2, 1, 0], [-3, 0, 5]]})" +
         more + "}";
}

std::vector<std::string> const alltoall = {"straightforward", "posted", "torus", "direct", "basis", "parity"};
std::vector<std::string> const allgather = {"straightforward", "posted", "torus", "direct", "basis", "steiner"};

TEST(Families, isomorphic_collectives_agree_on_one_port) {
  std::string const torus = R"({"kind": "torus", "dims": [4, 3, 2]})";
  std::string const far = R"({"machine": {"hop_latency": "300ns", "envelope": "16B"}})";
  for (std::string const topology : {R"({"kind": "fully_connected", "hosts": 24})", R"({"kind": "ring", "hosts": 24})",
                                     R"({"kind": "torus", "dims": [4, 3, 2]})"}) {
    expect_agreement({topology, isomorphic("isomorphic_alltoall")}, alltoall);
    expect_agreement({topology, isomorphic("isomorphic_allgather")}, allgather);
  }
  expect_agreement({torus, isomorphic("isomorphic_alltoall"), far}, alltoall);
  expect_agreement({torus, isomorphic("isomorphic_allgather"), far}, allgather);
}

TEST(Families, isomorphic_collectives_agree_in_every_order_and_wrapped) {
  for (std::string const order : {R"("best")", R"("paper")", "[2, 0, 1]"}) {
    std::string const more = R"(, "shortest_wrap": true, "dimension_order": )" + order;
    expect_agreement({.collective = isomorphic("isomorphic_alltoall", more)}, {"torus", "direct", "parity"});
    expect_agreement({.collective = isomorphic("isomorphic_allgather", more)}, {"torus", "direct", "steiner"});
  }
}

TEST(Families, isomorphic_collectives_agree_on_several_ports) {
  for (std::string const ports : {"2", "3", "7"}) {
    std::string const more = R"({"machine": {"ports": )" + ports + "}}";
    expect_agreement({.collective = isomorphic("isomorphic_alltoall"), .more = more}, alltoall);
    expect_agreement({.collective = isomorphic("isomorphic_allgather"), .more = more}, allgather);
  }
}

TEST(Families, blocks_of_different_sizes_agree) {
  for (std::string const sizes : {R"(["1B", "2KiB", "0B", "7B", "64B", "100B", "3B"])", R"("m*l1 + c0 + 3")"}) {
    Given given{.collective = isomorphic("isomorphic_alltoall", R"(, "block_sizes": )" + sizes)};
    expect_agreement(given, alltoall);
    given.more = R"({"machine": {"ports": 2}})";
    expect_agreement(given, alltoall);
  }
}

/// Whatever the order in which messages get their ports, one waits only while its sender or its receiver is busy with
/// one of their other s' - 1: on one port everything is over after 2s' - 1 messages.
TEST(Families, messages_posted_at_once_take_smpi_less_than_twice_as_long) {
  double const message = 1e-6 + 64e-9;
  for (std::string const kind : {"isomorphic_alltoall", "isomorphic_allgather"}) {
    Given const given{.collective = isomorphic(kind)};
    EXPECT_NEAR(*record_of(given, "posted", "native").time_s, 6 * message, 1e-15);
    double const smpi = *record_of(given, "posted", "smpi").time_s;
    EXPECT_GE(smpi, 6 * message * (1 - 1e-9));
    EXPECT_LE(smpi, 11 * message * (1 + 1e-9));
  }
}

TEST(Families, block_sizes_that_are_none_are_refused_with_their_place) {
  auto const refusal = [](std::string const& expression) -> std::string {
    std::string const more = R"(, "block_sizes": ")" + expression + R"(")";
    auto const scenario = parsed({.collective = isomorphic("isomorphic_alltoall", more)}, "torus");
    try {
      plan_of(scenario, "s.json");
    } catch (InputError const& refused) {
      return refused.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal("m/2"), "accepted");
  EXPECT_EQ(refusal("m/l1"),
            "s.json: /collective/block_sizes: expected a whole number of bytes from 0 to 1099511627776 for each "
            "offset, got 21.333333333333332 for [-1,2,0]");
  EXPECT_EQ(refusal("c0"),
            "s.json: /collective/block_sizes: expected a whole number of bytes from 0 to 1099511627776 for each "
            "offset, got -1 for [-1,2,0]");
  EXPECT_EQ(refusal("m*l3"), "s.json: /collective/block_sizes: unknown name \"l3\"; did you mean \"l1\"?");
  EXPECT_EQ(refusal("m*(").substr(0, 37), "s.json: /collective/block_sizes: \"m*(");
}

TEST(Families, isomorphic_collectives_agree_on_a_mesh) {
  std::string const mesh = R"({"kind": "mesh", "dims": [4, 3, 2]})";
  std::string const more = R"({"machine": {"hop_latency": "300ns", "ports": 2}})";
  expect_agreement({mesh, isomorphic("isomorphic_alltoall"), more}, {"straightforward", "posted", "torus", "direct"});
  expect_agreement({mesh, isomorphic("isomorphic_allgather"), more}, {"straightforward", "posted", "torus", "direct"});
}

TEST(Families, unit_algorithms_run_where_only_neighbors_may_talk_and_others_do_not) {
  std::string const only = R"({"machine": {"neighbors_only": true}})";
  for (std::string const topology :
       {R"({"kind": "torus", "dims": [4, 3, 2]})", R"({"kind": "mesh", "dims": [4, 3, 2]})"}) {
    Given const given{topology, isomorphic("isomorphic_allgather"), only};
    EXPECT_FALSE(record_of(given, "torus").error) << *record_of(given, "torus").error;
    EXPECT_GT(record_of(given, "straightforward").violations, 0);
  }
}

std::string groups(int senders, int receivers, std::string const& more = "") {
  return R"({"kind": "intergroup_allgather", "senders": )" + std::to_string(senders) + R"(, "receivers": )" +
         std::to_string(receivers) + more + "}";
}

TEST(LongFamilies, groups_agree_fully_connected) {
  for (auto const& [p, q] : {std::pair{1, 1}, {1, 5}, {5, 1}, {4, 4}, {3, 7}, {7, 3}, {4, 12}, {5, 13}}) {
    for (std::string const allgather_by : {"bruck", "recursive_doubling", "ring"}) {
      for (std::string const broadcast :
           {"binomial", "scatter_allgather", "scatter_ring_allgather", "multiple_messages"}) {
        std::string const more = R"(, "allgather": ")" + allgather_by + R"(", "broadcast": ")" + broadcast + R"(")";
        expect_agreement({.collective = groups(p, q, more)}, {"group_allgather", "root_gathering"});
      }
    }
  }
}

TEST(Families, groups_agree_on_the_alternatives_of_the_paper) {
  for (auto const& [p, q] : {std::pair{1, 1}, {5, 1}, {4, 4}, {7, 3}, {12, 4}, {13, 5}, {16, 8}, {11, 6}}) {
    for (std::string const allgather_by : {"bruck", "recursive_doubling", "ring"}) {
      expect_agreement({.collective = groups(p, q, R"(, "allgather": ")" + allgather_by + R"(")")},
                       {"receiver_allgather"});
    }
  }
  for (auto const& [p, q] : {std::pair{2, 6}, {1, 2}, {1, 1}, {3, 4}, {2, 9}, {1, 15}, {2, 14}, {1, 22}}) {
    expect_agreement({.collective = groups(p, q, R"(, "broadcast": "multiple_messages")")},
                     {"group_allgather", "root_gathering"});
  }
  // 3 segments down 8 members: 6 rounds of a third of a block each, then the allgather of 2.
  Record const record =
      record_of({.collective = groups(2, 14, R"(, "broadcast": "multiple_messages")"), .more = R"({"block": "6KiB"})"},
                "group_allgather");
  EXPECT_EQ(record.rounds, 7);
  EXPECT_EQ(record.critical_blocks, 3);
  EXPECT_EQ(record.redundant_blocks, 0);
}

TEST(Families, algorithm_1_as_printed_sends_stale_data) {
  auto const record = [](std::string const& offsets) {
    return record_of({.topology = R"({"kind": "fully_connected", "hosts": 25})",
                      .collective = R"({"kind": "isomorphic_alltoall", "torus": [5, 5], "printed": true,
                                        "neighborhood": {"kind": "offsets", "offsets": )" +
                                    offsets + "}}"},
                     "torus");
  };
  EXPECT_EQ(record("[[1, 2], [-1, 1], [1, 0]]").violations, 0);
  // What each of the 25 ranks has for itself is left out.
  EXPECT_EQ(record("[[1, 2], [-1, 1], [0, 0], [1, 0]]").violations, 25);
  Record const stale = record("[[2, 0]]");
  EXPECT_GT(stale.violations, 0);
  EXPECT_FALSE(stale.theory.rounds.has_value());
  EXPECT_GT(record("[[0, -3], [1, 1]]").violations, 0);
}

TEST(Families, a_basis_may_be_stated) {
  std::string const ring = R"({"kind": "isomorphic_alltoall", "torus": [19],
                               "neighborhood": {"kind": "octant", "radius": 8}, "basis": )";
  expect_agreement({R"({"kind": "ring", "hosts": 19})", ring + "[[1], [2], [3], [6]]}"}, {"basis"});
  Record const record = record_of({R"({"kind": "ring", "hosts": 19})", ring + "[[1], [2], [3], [6]]}"}, "basis");
  EXPECT_EQ(record.rounds, 4);
  EXPECT_EQ(record.volume_blocks, 12);  // 1, 2, 3, 1+3, 2+3, 6, 1+6, 2+6
  try {
    record_of({R"({"kind": "ring", "hosts": 19})", ring + "[[1], [2], [4]]}"}, "basis");
    FAIL();
  } catch (InputError const& refused) {
    EXPECT_STREQ(
        refused.what(),
        "s.json: /collective/basis: expected vectors of which distinct ones sum up to each offset, got none for [8]");
  }
}

TEST(Families, groups_agree_on_tori_of_any_shape_between_neighbors) {
  struct Shape {
    std::string torus;
    int senders, receivers;
  };
  for (Shape const& shape : {Shape{"[4, 3, 2]", 6, 18},
                             {"[4, 3, 2]", 18, 6},
                             {"[2, 3, 4]", 12, 12},
                             {"[5, 3]", 6, 9},
                             {"[2, 2, 2, 3]", 12, 12},
                             {"[7]", 3, 4},
                             {"[3, 1, 5]", 10, 5}}) {
    for (std::string const what : {"allgather", "exchange", "gather", "scatter", "reduce"}) {
      std::string const collective = R"({"kind": "intergroup_)" + what + R"(", "torus": )" + shape.torus +
                                     R"(, "senders": )" + std::to_string(shape.senders) + R"(, "receivers": )" +
                                     std::to_string(shape.receivers) + "}";
      std::string const topology = R"({"kind": "torus", "dims": )" + shape.torus + "}";
      std::string const only = R"({"machine": {"hop_latency": "300ns", "neighbors_only": true}})";
      expect_agreement({topology, collective, only}, {"torus_rings"});
      EXPECT_TRUE(record_of({topology, collective, only}, "torus_rings").theory.time_s.has_value()) << collective;
      expect_agreement({topology, collective, R"({"machine": {"ports": 2}, "block": "0B"})"}, {"torus_rings"});
      expect_agreement({R"({"kind": "ring", "hosts": 24})", collective, R"({"machine": {"links": "shared"}})"},
                       {"torus_rings"});
    }
  }
}

TEST(Families, groups_on_a_torus_have_blocks_of_any_sizes) {
  expect_agreement({R"({"kind": "torus", "dims": [4, 3, 2]})",
                    R"json({"kind": "intergroup_allgather", "torus": [4, 3, 2], "senders": 12, "receivers": 12,
                            "block_sizes": "i == 3 ? 0 : m*(i+1)"})json",
                    R"({"machine": {"neighbors_only": true}})"},
                   {"torus_rings"});
}

/// Ranks that are beside each other on the logical ring may be anywhere on the machine.
TEST(Families, groups_agree_along_a_ring_of_ranks_on_any_machine) {
  std::vector<std::string> const algorithms = {"ring_sequences", "ring_allgather", "ring_optimal"};
  std::string const far = R"({"machine": {"hop_latency": "300ns"}})";
  for (std::string const topology :
       {R"({"kind": "fully_connected", "hosts": 12})", R"({"kind": "ring", "hosts": 12})",
        R"({"kind": "torus", "dims": [4, 3]})", R"({"kind": "mesh", "dims": [2, 6]})",
        R"({"kind": "dragonfly", "groups": 3, "chassis": 1, "routers": 2, "hosts_per_router": 2})"}) {
    for (auto const& [p, q] : std::vector<std::pair<int, int>>{{4, 6}, {6, 6}, {8, 2}}) {
      expect_agreement({topology, groups(p, q)}, algorithms);
      expect_agreement({topology, groups(p, q), far}, algorithms);
    }
  }
  // On all of them the time is theory's where distance costs nothing; else on a ring of as many hosts.
  Given const torus{R"({"kind": "torus", "dims": [4, 3]})", groups(6, 6)};
  EXPECT_EQ(record_of(torus, "ring_optimal").theory.time_s, 8 * (1e-6 + 64e-9));
  EXPECT_FALSE(record_of({torus.topology, torus.collective, far}, "ring_optimal").theory.time_s.has_value());
  Given const ring{R"({"kind": "ring", "hosts": 12})", groups(6, 6), far};
  EXPECT_EQ(record_of(ring, "ring_optimal").theory.time_s, 8 * (1e-6 + 64e-9));
}

TEST(Families, groups_agree_with_a_size_for_each_sender) {
  std::vector<std::string> const algorithms = {"group_allgather", "root_gathering", "ring_sequences", "ring_allgather",
                                               "ring_optimal"};
  for (auto const& [p, q] : std::vector<std::pair<int, int>>{{4, 4}, {2, 6}, {6, 2}, {4, 10}}) {
    for (std::string const broadcast : {"binomial", "scatter_allgather", "scatter_ring_allgather"}) {
      std::string const more = R"x(, "block_sizes": "m*i + 3*(i == 2)", "broadcast": ")x" + broadcast + R"(")";
      expect_agreement({.collective = groups(p, q, more)}, algorithms);
    }
  }
  // By hand: 100 B and 20 B from two senders to one receiver. The left copies go first to a_0's other neighbor, b_0.
  std::string const listed = R"(, "block_sizes": ["100B", "20B"])";
  Record const record = record_of({.collective = groups(2, 1, listed)}, "ring_allgather");
  EXPECT_EQ(record.rounds, 2);
  EXPECT_EQ(record.volume_bytes, 120);  // a_1 passes on the block of a_0 behind its own
  EXPECT_EQ(record.delivered, true);
  EXPECT_EQ(record.theory.rounds, 2);
  EXPECT_FALSE(record.theory.time_s.has_value());
}

void expect_no_less(std::optional<double> value, std::optional<double> bound, std::string const& what) {
  ASSERT_TRUE(value && bound) << what;
  EXPECT_GE(*value, *bound * (1 - 1e-12)) << what;
}

TEST(Families, groups_have_bounds_whatever_the_size_of_each_block) {
  std::string const sizes = R"x(, "block_sizes": "m + 0*i")x", growing = R"x(, "block_sizes": "m*(i+1) - 3*(i == 2)")x";
  for (std::string const algorithm : {"group_allgather", "root_gathering", "ring_sequences", "ring_optimal"}) {
    for (auto const& [p, q] : std::vector<std::pair<int, int>>{{4, 6}, {6, 4}, {1, 2}, {2, 1}, {4, 4}}) {
      if (algorithm == "ring_sequences" && (p % 2 != 0 || q % 2 != 0)) continue;  // it takes even groups alone
      std::string const what = algorithm + " " + std::to_string(p) + " " + std::to_string(q);
      Record const equal = record_of({.collective = groups(p, q)}, algorithm);
      Record const said = record_of({.collective = groups(p, q, sizes)}, algorithm);
      EXPECT_EQ(said.bound.rounds, equal.bound.rounds) << what;
      EXPECT_EQ(said.bound.critical_blocks, equal.bound.critical_blocks) << what;
      EXPECT_EQ(said.bound.total_blocks, equal.bound.total_blocks) << what;
      EXPECT_EQ(said.bound.received_blocks, equal.bound.received_blocks) << what;
      ASSERT_TRUE(said.bound.time_s && equal.bound.time_s) << what;
      EXPECT_NEAR(*said.bound.time_s, *equal.bound.time_s, 1e-12 * *equal.bound.time_s) << what;
      EXPECT_EQ(said.optimal, equal.optimal) << what;
      Record const other = record_of({.collective = groups(p, q, growing)}, algorithm);
      expect_no_less(other.time_s, other.bound.time_s, what);
      expect_no_less(other.critical_blocks, other.bound.critical_blocks, what);
      expect_no_less(other.total_blocks, other.bound.total_blocks, what);
      expect_no_less(other.received_blocks, other.bound.received_blocks, what);
    }
  }
  // By hand: blocks of 100 B and 20 B to three receivers, over any links; m is 64 B.
  Record const record =
      record_of({.collective = groups(2, 3, R"(, "block_sizes": ["100B", "20B"])")}, "group_allgather");
  EXPECT_EQ(record.bound.received_blocks, 120.0 / 64);
  EXPECT_EQ(record.bound.total_blocks, 360.0 / 64);
  EXPECT_EQ(record.bound.critical_blocks, 120.0 / 64);
}

TEST(Families, groups_agree_on_a_ring_of_neighbors) {
  std::string const only = R"({"machine": {"neighbors_only": true, "hop_latency": "5us", "envelope": "8B"}})";
  for (auto const& [p, q] : {std::pair{2, 2}, {2, 6}, {6, 2}, {4, 6}, {8, 8}}) {
    Given const given{R"({"kind": "ring", "hosts": )" + std::to_string(p + q) + "}", groups(p, q), only};
    expect_agreement(given, {"ring_sequences", "ring_allgather", "ring_optimal"});
    EXPECT_GT(record_of(given, "root_gathering").violations, 0);  // it talks past neighbors
  }
  // On a ring with more hosts the way from the last rank to the first leads past hosts.
  Given const gap{R"({"kind": "ring", "hosts": 8})", groups(4, 2), only};
  EXPECT_GT(record_of(gap, "ring_optimal").violations, 0);
  Given const odd{R"({"kind": "ring", "hosts": 8})", groups(1, 7), only};
  expect_agreement(odd, {"ring_allgather", "ring_optimal"});
}

TEST(Families, algorithm_3_as_printed_is_shown_to_fail_by_rank_round_and_block) {
  Given const given{R"({"kind": "ring", "hosts": 8})", groups(2, 6, R"(, "printed": true)")};
  Record const record = record_of(given, "ring_sequences");
  EXPECT_EQ(record.delivered, false);
  EXPECT_FALSE(record.theory.rounds);
  EXPECT_FALSE(record.time_s);
  Shown const shown = show(parsed(given, "ring_sequences"), "s.json");
  EXPECT_FALSE(shown.valid);
  EXPECT_NE(shown.text.find("rank 7, round 5: block 0 of rank 1 is lost"), std::string::npos) << shown.text;
  for (std::string const label : {"    #1 send to", "    #2 receive from", "    #3 send to", "    #4 send to"}) {
    EXPECT_NE(shown.text.find(label), std::string::npos) << label;
  }
}

TEST(Families, ring_optimal_is_proven_optimal) {
  Record const record = record_of({R"({"kind": "ring", "hosts": 10})", groups(4, 6)}, "ring_optimal");
  EXPECT_EQ(record.rounds, 6);
  EXPECT_EQ(record.bound.rounds, 6);  // p + ceil(q/2) - 1
  EXPECT_EQ(record.optimal, "rounds critical");
  EXPECT_EQ(record.bound_links, "unit");
  EXPECT_EQ(record.bound_message_blocks, 1);
  Record const sequences = record_of({R"({"kind": "ring", "hosts": 10})", groups(4, 6)}, "ring_sequences");
  EXPECT_EQ(sequences.rounds, 7);
  EXPECT_EQ(sequences.bound.rounds, 6);
  EXPECT_EQ(sequences.optimal.value_or("").find("rounds"), std::string::npos);
}

}  // namespace
}  // namespace rondo
