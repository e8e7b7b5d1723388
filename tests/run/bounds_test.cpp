// A bound is of a problem: no algorithm takes less than what it says, whichever algorithm it was printed beside.

#include <algorithm>

#include "families.hpp"

namespace rondo::testing {
namespace {

/// The times of all algorithms of a problem, none of which is below a bound of any of them for the same links, or for
/// any links.
void expect_bounds_of_the_problem(Given const& given, std::vector<std::string> const& algorithms) {
  std::vector<Record> records;
  for (std::string const& algorithm : algorithms) {
    records.push_back(record_of(given, algorithm));
    EXPECT_EQ(records.back().error.value_or(""), "") << algorithm << given.collective << given.more;
  }
  for (Record const& bounded : records) {
    for (Record const& other : records) {
      if (bounded.bound_links != "any" && bounded.bound_links != other.bound_links) continue;
      EXPECT_LE(bounded.bound.time_s.value_or(0), other.time_s.value_or(-1) * (1 + 1e-9))
          << bounded.algorithm << " and " << other.algorithm << given.collective << given.topology << given.more;
    }
  }
}

/// A round of more messages than ports takes longer than its largest one, so that no bound on those holds for it.
TEST(Bounds, on_the_largest_messages_of_rounds_are_those_of_rounds_within_the_ports) {
  for (std::string const collective : {R"({"kind": "scatter", "ranks": 8})", R"({"kind": "gather", "ranks": 8})"}) {
    for (std::string const algorithm : {"linear", "knomial", "binomial"}) {
      Record const record = record_of({.collective = collective}, algorithm);
      EXPECT_EQ(record.error.value_or(""), "");
      EXPECT_EQ(record.bound.critical_blocks.has_value(), algorithm == "binomial") << collective << algorithm;
      EXPECT_LE(record.bound.critical_blocks.value_or(0), record.critical_blocks.value_or(-1))
          << collective << algorithm;
    }
  }
}

std::vector<std::string> const machines = {
    R"({"machine": {"links": "shared"}})",
    R"({"machine": {"ranks_per_host": 4, "intra_latency": "200ns", "intra_bandwidth": "20GBps"}})",
    R"({"machine": {"links": "shared", "ranks_per_host": 2, "intra_latency": "200ns", "intra_bandwidth": "20GBps"}})",
    R"({"machine": {"timing": "flow"}})",
    R"({"machine": {"timing": "flow", "links": "shared"}})",
    R"({"machine": {"timing": "flow", "ranks_per_host": 4, "intra_latency": "200ns", "intra_bandwidth": "20GBps"}})",
};

TEST(Bounds, of_a_problem_hold_for_every_algorithm_where_links_nics_or_memories_are_shared) {
  for (std::string const& machine : machines) {
    for (std::string const block : {"64B", "64KiB"}) {
      Json more = Json::parse(machine);
      more["block"] = block;
      auto const on = [&](std::string const& topology, std::string const& collective) {
        return Given{topology, collective, more.dump()};
      };
      int const each = more["machine"].value("ranks_per_host", 1);
      std::string const ring = R"({"kind": "ring", "hosts": )" + std::to_string(16 / each) + "}";
      std::string const torus = each == 1 ? R"({"kind": "torus", "dims": [4, 4]})" : ring;
      expect_bounds_of_the_problem(on(ring, R"({"kind": "allgather", "ranks": 16})"),
                                   {"bruck", "neighbor_exchange", "ring", "linear", "recursive_doubling"});
      expect_bounds_of_the_problem(on(ring, R"({"kind": "alltoall", "ranks": 16})"), {"bruck", "pairwise", "linear"});
      expect_bounds_of_the_problem(on(ring, R"({"kind": "bcast", "ranks": 16})"),
                                   {"binomial", "linear", "scatter_ring_allgather", "pipeline"});
      expect_bounds_of_the_problem(on(ring, R"({"kind": "allreduce", "ranks": 16})"),
                                   {"ring", "recursive_doubling", "rabenseifner", "nonoverlapping"});
      expect_bounds_of_the_problem(on(ring, R"({"kind": "intergroup_allgather", "senders": 8, "receivers": 8})"),
                                   {"group_allgather", "root_gathering", "ring_optimal", "ring_sequences"});
      for (std::string const kind : {"isomorphic_alltoall", "isomorphic_allgather"}) {
        expect_bounds_of_the_problem(
            on(torus,
               R"({"kind": ")" + kind +
                   R"(", "torus": [4, 4], "neighborhood": {"kind": "offsets", "offsets": [[1, 1], [1, -1], [-1, 1], [-1, -1], [0, 2]]}})"),
            {"straightforward", "torus", "direct"});
      }
      expect_bounds_of_the_problem(
          on(torus, R"({"kind": "neighbor_allgather", "graph": {"kind": "moore", "torus": [4, 4], "radius": 1}})"),
          {"naive", "common_neighbors"});
    }
  }
}

// By hand: in the first round of Bruck's allgather on a ring of 5 hosts every rank sends a block to the one before it,
// in the second one two blocks over two links that way, in the third one a block the other way. So 1 + 2 + 2 blocks of
// 64 KiB cross each link one way.
TEST(Bounds, of_loads_are_told_apart_and_are_of_the_messages_themselves) {
  Given const given{R"({"kind": "ring", "hosts": 5})", R"({"kind": "allgather", "ranks": 5})",
                    R"({"machine": {"links": "shared"}, "block": "64KiB"})"};
  Record const bruck = record_of(given, "bruck");
  EXPECT_DOUBLE_EQ(bruck.load_time_s.value_or(0), 5 * 65536e-9);
  EXPECT_GE(bruck.time_s.value_or(0), 5 * 65536e-9);
  EXPECT_LE(bruck.bound.time_s.value_or(1), record_of(given, "ring").time_s.value_or(0) * (1 + 1e-12));
  Given const alone{given.topology, given.collective, R"({"block": "64KiB"})"};
  EXPECT_FALSE(record_of(alone, "bruck").load_time_s.has_value());
}

}  // namespace
}  // namespace rondo::testing
