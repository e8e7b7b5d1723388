// Reductions and rooted collectives on graphs: theory, counting, proof and both engines agree.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "run/families.hpp"

namespace rondo {
namespace {

using namespace testing;

/// On a graph with parallel edges, a self loop, a rank without edges and one that only receives.
constexpr char const* odd_edges =
    R"({"kind": "edges", "ranks": 6, "edges": [[0, 1], [0, 1], [0, 0], [0, 2], [1, 0], [2, 0], [2, 0], [2, 3], [3, 2]]})";

Given given(std::string const& kind, std::string const& graph, int root, std::string const& more = "{}") {
  std::string const rooted = root < 0 ? "" : fmt::format(R"(, "root": {})", root);
  return {R"({"kind": "fully_connected", "hosts": 24})",
          fmt::format(R"({{"kind": "sparse_{}", "graph": {}{}}})", kind, graph, rooted), more};
}

struct Expected {
  char const* kind;
  int root;
  std::int64_t messages;
  double volume_blocks, received_blocks;
};

TEST(SparseCollectives, count_what_the_edges_of_a_graph_say) {
  // By hand, from the edges above: 8 join two ranks, and 6 pairs. Rank 0 sends along 3 of them, to 2 ranks, 1 twice;
  // it receives along 3, from 2 ranks, 2 twice.
  for (Expected const& e : {Expected{"allreduce", -1, 8, 3, 3},
                            {"bcast", 0, 2, 2, 1},
                            {"scatter", 0, 3, 3, 2},
                            {"gather", 0, 3, 2, 3},
                            {"reduce", 0, 3, 2, 3},
                            {"bcast", 5, 0, 0, 0},
                            {"gather", 4, 0, 0, 0}}) {
    Record const record = record_of(given(e.kind, odd_edges, e.root), "naive");
    EXPECT_EQ(record.error.value_or(""), "") << e.kind;
    EXPECT_EQ(record.messages, e.messages) << e.kind;
    EXPECT_EQ(record.volume_blocks, e.volume_blocks) << e.kind;
    EXPECT_EQ(record.received_blocks, e.received_blocks) << e.kind;
    EXPECT_EQ(record.rounds, e.messages > 0 ? 1 : 0) << e.kind;
    EXPECT_EQ(record.delivered, true) << e.kind;
  }
  Record const barrier = record_of(given("barrier", odd_edges, -1, R"({"block": "0B"})"), "naive");
  EXPECT_EQ(barrier.messages, 6);
  EXPECT_EQ(barrier.volume_bytes, 0);
}

TEST(SparseCollectives, a_roots_messages_carry_the_envelope) {
  for (char const* const kind : {"bcast", "scatter", "gather", "reduce"}) {
    // 1 us, 1 KiB and an envelope of 16 B at 1 GB/s.
    std::string const pair = R"({"kind": "edges", "ranks": 2, "edges": [[0, 1], [1, 0]]})";
    for (char const* const engine : {"native", "smpi"}) {
      std::string const more =
          fmt::format(R"({{"machine": {{"envelope": "16B"}}, "block": "1KiB", "engine": "{}"}})", engine);
      Record const record = record_of(given(kind, pair, 0, more), "naive");
      EXPECT_EQ(record.error.value_or(""), "") << kind << " " << engine;
      EXPECT_NEAR(record.time_s.value_or(0), 2.04e-6, 1e-15) << kind << " " << engine;
    }
  }
}

TEST(SparseCollectives, a_root_serves_its_neighbors_as_its_ports_allow) {
  // A star of 7 leaves, 1 us and 64 ns for a message of 64 B: 7, 4 and 1 of them one behind the other.
  std::string edges;
  for (int leaf = 1; leaf < 8; ++leaf) edges += fmt::format("{}[0, {}], [{}, 0]", leaf == 1 ? "" : ", ", leaf, leaf);
  std::string const star = R"({"kind": "edges", "ranks": 8, "edges": [)" + edges + "]}";
  for (auto const& [ports, turns] : {std::pair{1, 7}, {2, 4}, {8, 1}}) {
    std::string const more = fmt::format(R"({{"machine": {{"ports": {}}}}})", ports);
    for (char const* kind : {"bcast", "scatter", "gather", "reduce"}) {
      for (char const* engine : {"native", "smpi"}) {
        Record const record = record_of(given(kind, star, 0, more), "naive", engine);
        EXPECT_EQ(record.error.value_or(""), "") << kind << " " << engine;
        EXPECT_NEAR(record.time_s.value_or(0) / (turns * 1.064e-6), 1, 1e-9) << kind << " " << ports << " " << engine;
        EXPECT_NEAR(record.theory.time_s.value_or(0) / (turns * 1.064e-6), 1, 1e-12);
      }
    }
  }
}

TEST(SparseCollectives, agree_on_both_engines_whatever_the_graph) {
  for (char const* graph :
       {odd_edges, R"({"kind": "moore", "torus": [4, 3], "radius": 1})",
        R"({"kind": "edges", "ranks": 1, "edges": [[0, 0]]})",
        R"({"kind": "erdos_renyi", "ranks": 24, "density": 0.3})", R"({"kind": "edges", "ranks": 3, "edges": []})"}) {
    for (char const* kind : {"bcast", "scatter", "gather", "reduce"})
      expect_agreement(given(kind, graph, 0), {"naive"});
    expect_agreement(given("allreduce", graph, -1), {"naive"});
    expect_agreement(given("barrier", graph, -1, R"({"block": "0B"})"), {"naive"});
  }
}

TEST(SparseCollectives, reductions_that_combine_agree_on_both_engines) {
  for (char const* graph : {odd_edges, R"({"kind": "erdos_renyi", "ranks": 24, "density": 0.6})"}) {
    for (char const* more : {"{}", R"({"collective": {"cumulative": true, "theta": 2}})"}) {
      expect_agreement(given("allreduce", graph, -1, more), {"naive", "common_neighbors"});
    }
  }
  for (char const* graph : {R"({"kind": "moore", "torus": [4, 3, 2], "radius": 1})",
                            R"({"kind": "offsets", "torus": [5], "offsets": [[1], [1], [0], [-2], [7]]})",
                            R"({"kind": "offsets", "torus": [3, 4], "offsets": []})"}) {
    for (char const* more : {"{}", R"({"machine": {"ports": 3}})"}) {
      expect_agreement(given("allreduce", graph, -1, more), {"naive", "torus"});
      expect_agreement(given("reduce", graph, 3, more), {"naive", "torus"});
    }
  }
}

}  // namespace
}  // namespace rondo
