// Neighborhood collectives as a scenario sees them.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/permissions.hpp"
#include "families.hpp"
#include "folder.hpp"
#include "run/families/plan.hpp"

namespace rondo {
namespace {

/// As --allow-path does.
bool const temporary_folder_is_permitted =
    (permit({Permissions::Programs::refused, {std::filesystem::temp_directory_path().string()}, Seconds(0)}), true);

using namespace testing;

std::string graph(std::string const& kind, std::string const& of, std::string const& more = "") {
  return R"({"kind": ")" + kind + R"(", "graph": {)" + of + "}" + more + "}";
}

TEST(LongNeighborFamily, neighbor_collectives_agree) {
  std::vector<std::string> const algorithms = {"naive", "common_neighbors"};
  std::vector<std::string> const graphs = {
      R"("kind": "erdos_renyi", "ranks": 24, "density": 0.4)",
      R"("kind": "erdos_renyi", "ranks": 9, "density": 0)",
      R"("kind": "moore", "torus": [4, 6], "radius": 1)",
      R"("kind": "edges", "ranks": 5, "edges": [[0, 1], [0, 1], [2, 2], [4, 0], [1, 0]])",
  };
  for (std::string const kind : {"neighbor_allgather", "neighbor_alltoall"}) {
    for (std::string const& of : graphs) {
      for (std::string const more : {"", R"(, "theta": 2, "tie": "lowest", "cumulative": true)"}) {
        expect_agreement({.collective = graph(kind, of, more)}, algorithms);
        expect_agreement({.collective = graph(kind, of, more), .more = R"({"machine": {"ports": 3}})"}, algorithms);
      }
    }
  }
}

TEST(NeighborFamily, combining_is_recorded_as_the_papers_corrected_counts) {
  // docs/notes.md#counts-on-moore-graphs: Moore 8x8, radius 1
  Given const given{R"({"kind": "fully_connected", "hosts": 64})",
                    graph("neighbor_allgather", R"("kind": "moore", "torus": [8, 8], "radius": 1)")};
  Record const combined = record_of(given, "common_neighbors");
  EXPECT_EQ(combined.messages, 448);
  EXPECT_EQ(combined.combining.max_sends, 7);
  EXPECT_EQ(combined.combining.iterations, 1);
  EXPECT_EQ(combined.combining.pairing_rounds, 7);
  EXPECT_TRUE(combined.combining.friends && combined.combining.pairing_messages &&
              combined.combining.savable_messages && combined.combining.setup_wall_s);
  EXPECT_FALSE(combined.theory.messages);  // theory knows no pattern
  Record const naive = record_of(given, "naive");
  EXPECT_EQ(naive.messages, 512);
  EXPECT_EQ(naive.combining.max_sends, 8);
  EXPECT_EQ(naive.theory.messages, 512);
  EXPECT_FALSE(naive.combining.friends || naive.combining.setup_wall_s);
}

TEST(NeighborFamily, neighbor_blocks_of_different_sizes_agree) {
  std::string const edges = R"("kind": "edges", "ranks": 6, "edges": [[0, 1, 3], [0, 1], [2, 2, 9], [4, 0, 0.5],
      [1, 0], [0, 2], [1, 2], [0, 3], [1, 3, 7], [0, 4], [1, 4], [0, 5], [1, 5, 100]])";
  std::string const random = R"("kind": "erdos_renyi", "ranks": 24, "density": 0.4)";
  std::vector<std::string> const algorithms = {"naive", "common_neighbors"};
  for (std::string const block : {"64B", "0B"}) {
    std::string const more = R"({"block": ")" + block + R"("})";
    for (std::string const& of : {edges, random}) {
      expect_agreement(
          {.collective = graph("neighbor_allgather", of, R"(, "block_sizes": "r*targets + sources")"), .more = more},
          algorithms);
      expect_agreement(
          {.collective = graph("neighbor_alltoall", of, R"(, "block_sizes": "64*w + source*target")"), .more = more},
          algorithms);
    }
  }
  expect_agreement(
      {.collective = graph("neighbor_allgather", edges, R"(, "block_sizes": ["1B", "0B", "2KiB", "3B", "4B", "5B"])")},
      algorithms);
}

TEST(NeighborFamily, neighbor_block_sizes_that_do_not_fit_are_refused_with_their_place) {
  auto const refusal = [](std::string const& kind, std::string const& sizes) -> std::string {
    std::string const of = R"("kind": "edges", "ranks": 3, "edges": [[0, 1, 0.3], [2, 0]])";
    auto const scenario = parsed({.collective = graph(kind, of, R"(, "block_sizes": )" + sizes)}, "naive");
    try {
      validate(scenario, "s.json");
    } catch (InputError const& refused) {
      return refused.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal("neighbor_allgather", R"(["1B"])"),
            "s.json: /collective/block_sizes: expected 3 sizes, one for each rank, got 1");
  EXPECT_EQ(refusal("neighbor_alltoall", R"(["1B", "2B", "3B"])"),
            "s.json: /collective/block_sizes: expected 2 sizes, one for each edge, got 3");
  EXPECT_EQ(refusal("neighbor_alltoall", R"("w")"),
            "s.json: /collective/block_sizes: expected a whole number of bytes from 0 to 1099511627776, got 0.3 for "
            "edge [0,1]");
  EXPECT_EQ(refusal("neighbor_allgather", R"("r-1")"),
            "s.json: /collective/block_sizes: expected a whole number of bytes from 0 to 1099511627776, got -1 for "
            "rank 0");
  EXPECT_EQ(refusal("neighbor_allgather", R"("0/0")"),
            "s.json: /collective/block_sizes: expected a whole number of bytes from 0 to 1099511627776, got nan for "
            "rank 0");
  EXPECT_EQ(refusal("neighbor_allgather", R"("m*w")").substr(0, 49),
            "s.json: /collective/block_sizes: unknown name \"w\"");
  EXPECT_EQ(refusal("neighbor_alltoall", R"j("m*ceil(w)")j"), "accepted");
}

// Two ranks with the targets 2 .. 9: each of them exchanges one message and sends four, so that it has 6. Building a
// naive schedule takes "almost no overhead" [Mirsadeghi17, Section VI-A].
TEST(NeighborFamily, building_a_combined_schedule_is_charged_to_each_call_or_if_persistent_to_the_first) {
  std::string edges;
  for (int target = 2; target < 10; ++target) {
    for (std::string const source : {"0", "1"}) {
      edges += (edges.empty() ? "[" : ", [") + source + ", " + std::to_string(target) + "]";
    }
  }
  std::string const of = R"("kind": "edges", "ranks": 10, "edges": [)" + edges + "]";
  for (auto const& [algorithm, messages] : {std::pair<std::string, int>{"naive", 0}, {"common_neighbors", 6}}) {
    double const building = messages * messages * 2e-6;
    std::string const cost = R"(, "build_cost": "2us", "persistent": )";
    Record const once = record_of({.collective = graph("neighbor_allgather", of, cost + "true")}, algorithm);
    Record const each = record_of({.collective = graph("neighbor_allgather", of, cost + "false")}, algorithm);
    EXPECT_NEAR(*once.combining.build_time_s, building, 1e-18);
    EXPECT_EQ(each.combining.build_time_s, once.combining.build_time_s);
    EXPECT_NEAR(*each.time_s, *once.time_s + building, 1e-15);
    EXPECT_NEAR(*each.combining.first_call_time_s, *each.time_s, 1e-15);
    EXPECT_NEAR(*once.combining.first_call_time_s, *each.time_s, 1e-15);
  }
}

TEST(NeighborFamily, finding_the_pattern_is_simulated_on_smpi_unless_it_is_too_large_or_not_wanted) {
  std::string const of = R"("kind": "moore", "torus": [4, 6], "radius": 1)";
  Given const given{.collective = graph("neighbor_allgather", of)};
  Record const smpi = record_of(given, "common_neighbors", "smpi");
  EXPECT_EQ(smpi.error.value_or(""), "");
  EXPECT_GT(smpi.combining.setup_time_s.value_or(0), 0);
  EXPECT_GT(smpi.combining.setup_messages.value_or(0), smpi.combining.pairing_messages.value_or(-1));
  Record const native = record_of(given, "common_neighbors", "native");
  EXPECT_FALSE(native.combining.setup_time_s);
  EXPECT_EQ(native.combining.setup_note, "finding the pattern was not simulated: only the engine \"smpi\" does");
  EXPECT_FALSE(smpi.combining.setup_note);
  EXPECT_EQ(native.combining.setup_messages, smpi.combining.setup_messages);
  EXPECT_FALSE(record_of(given, "naive", "smpi").combining.setup_messages);
  Given const unwanted{.collective = graph("neighbor_allgather", of, R"(, "setup": false)")};
  Record const none = record_of(unwanted, "common_neighbors", "smpi");
  EXPECT_FALSE(none.combining.setup_time_s || none.combining.setup_note);
  Given const large{R"({"kind": "fully_connected", "hosts": 1025})",
                    graph("neighbor_allgather", R"("kind": "erdos_renyi", "ranks": 1025, "density": 0.003)")};
  Record const too_large = record_of(large, "common_neighbors", "smpi");
  EXPECT_FALSE(too_large.combining.setup_time_s);
  EXPECT_EQ(too_large.combining.setup_note, "finding the pattern was not simulated: 1025 ranks, at most 1024");
}

TEST(NeighborFamily, the_seed_makes_the_graph) {
  auto const edges = [](std::string const& seed) {
    Given const given{.collective = graph("neighbor_alltoall", R"("kind": "erdos_renyi", "ranks": 24, "density": 0.3)"),
                      .more = R"({"seed": )" + seed + "}"};
    return problem_names(parsed(given, "naive"), "s.json")["edges"];
  };
  EXPECT_EQ(edges("1"), edges("1"));
  EXPECT_NE(edges("1"), edges("2"));
}

// Self loops, parallel edges, a rank without sources (4), isolated ranks (6 and, but for its self loop, 2).
TEST(NeighborFamily, graph_files_run_with_self_loops_parallel_edges_and_isolated_ranks) {
  std::string const list =
      "# source target weight\n0 1\n0 1 4 # parallel\n2 2\n\n4 0 % no sources\n4 1\n4 3\n4 5\n1 0\n1 3\n1 5\n0 3\n0 5 "
      "8\n";
  std::string const general =
      "%%MatrixMarket matrix coordinate real general\n% a comment\n7 7 5\n1 2 4.0\n1 2 1\n3 3 "
      "9\n5 1 1\n2 1 2e0\n";
  std::string const symmetric = "%%MatrixMarket matrix coordinate pattern symmetric\n7 7 4\n2 1\n3 3\n4 1\n4 2\n";
  struct File {
    std::string name, text;
    double edges;
  };
  for (auto const& [name, text, edges] :
       {File{"list.txt", list, 12}, File{"general.mtx", general, 5}, File{"symmetric.mtx", symmetric, 7}}) {
    test::Folder const folder;
    std::string const path = folder.write(name, text);
    std::string const of = R"("kind": "edges", "ranks": 7, "path": ")" + path + R"(")";
    for (std::string const kind : {"neighbor_allgather", "neighbor_alltoall"}) {
      for (std::string const more : {"", R"(, "theta": 2, "cumulative": true)"}) {
        Given const given{.collective = graph(kind, of, more)};
        expect_agreement(given, {"naive", "common_neighbors"});
        EXPECT_EQ(problem_names(parsed(given, "naive"), "s.json")["edges"], edges) << name;
      }
    }
    expect_agreement({.collective = graph("neighbor_alltoall", of, R"(, "theta": 2, "block_sizes": "m*w")")},
                     {"naive", "common_neighbors"});
  }
}

}  // namespace
}  // namespace rondo
