// rondo explain, rondo list of one kind, and rondo new.

#include <gtest/gtest.h>

#include <sstream>

#include "cli/command.hpp"

namespace rondo::test {
namespace {

constexpr char const* scenario_text = R"json({
  "schema_version": 1,
  "machine": {"topology": {"kind": "ring", "hosts": 64}, "latency": "1us", "bandwidth": "1GBps"},
  "collective": {"kind": "isomorphic_alltoall", "torus": [8, 8], "neighborhood": {"kind": "moore", "radius": 1}},
  "algorithm": "torus", "block": "1KiB", "engine": "native",
  "sweep": {"/algorithm": ["straightforward", "torus"], "/block": ["1B", "2B"]},
  "expect": [{"claim": "c", "that": "torus.theory.rounds * 2 == straightforward.rounds && torus.time_s == torus.time"}]
})json";

bool says(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

TEST(Explain, says_what_a_scenario_will_do) {
  Folder const folder;
  Ran const ran = rondo("explain " + folder.write("s.json", scenario_text));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(says(ran.out, "isomorphic_alltoall by straightforward, torus\nmachine: 64 ranks on 64 hosts, a ring\n"))
      << ran.out;
  EXPECT_TRUE(says(ran.out, "4 points of up to 64 ranks on engine native\n")) << ran.out;
  EXPECT_TRUE(says(ran.out, "  /algorithm: straightforward, torus\n  /block: 1B, 2B\n")) << ran.out;
  // 64 ranks in twice 8 and twice 4 rounds of one message.
  EXPECT_TRUE(says(ran.out, "at most 1536 messages in all, at most 512 at a point\n")) << ran.out;
  EXPECT_TRUE(says(ran.out, "running them takes less than a second on one core, and about 17 MB of memory\n"))
      << ran.out;
  EXPECT_TRUE(says(ran.out, "1 claim judged by rondo check\n")) << ran.out;
}

TEST(Explain, foretells_classical_collectives) {
  Folder const folder;
  std::string const file = folder.write("s.json", R"json({
  "machine": {"topology": {"kind": "ring", "hosts": 64}, "latency": "1us", "bandwidth": "1GBps"},
  "collective": {"kind": "allgather", "ranks": 64}, "algorithm": "ring", "block": "1B", "engine": "native",
  "sweep": {"/algorithm": ["ring", "bruck"]}})json");
  // 64 ranks in 63 and in 6 rounds of one message.
  EXPECT_TRUE(says(rondo("explain " + file).out, "4416 messages in all, 4032 at a point\n"));
}

TEST(Explain, foretells_at_least_the_messages_that_a_run_counts) {
  Folder const folder;
  std::string const file = folder.write("s.json", scenario_text);
  std::string const rows = rondo("run --quiet --format csv " + file).out;
  EXPECT_TRUE(says(rows, ",512,")) << rows;
}

TEST(Explain, says_what_a_field_and_a_key_mean) {
  EXPECT_TRUE(says(rondo("explain bound.time_s").out, "a lower bound of `time_s`"));
  EXPECT_TRUE(says(rondo("explain hop_latency").out, "/machine/hop_latency: a string with a unit such as \"100ns\""));
  EXPECT_TRUE(
      says(rondo("explain volume").out, "volume_blocks: a field of records: the blocks that the busiest rank sends"));
}

TEST(Explain, names_the_nearest_word_for_one_that_it_does_not_know) {
  Ran const ran = rondo("explain hop_latncy");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err,
            "rondo explain: expected a scenario or machine file, a field of a record, a key, kind or algorithm of "
            "scenarios, or a term, got \"hop_latncy\"; did you mean \"hop_latency\"?\n");
  Ran const missing = rondo("explain nosuch.json");
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_EQ(missing.err, "nosuch.json: no such file\n");
}

/// A scenario on a machine large enough for each.
std::string large(std::string const& collective, std::string const& algorithm) {
  return R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 65536}, "latency": "1us", "bandwidth": "1GBps"},
    "collective": )" +
         collective + R"(, "algorithm": ")" + algorithm + R"(", "block": "1KiB", "engine": "native"})";
}

TEST(Explain, says_the_order_of_what_is_too_much_to_count) {
  Folder const folder;
  std::string const file = folder.write("s.json", large(R"({"kind": "alltoall", "ranks": 4096})", "linear"));
  std::string const said = rondo("explain " + file).out;
  // 4096 * 4095, in two digits; 245 B each are 4 GB.
  EXPECT_TRUE(says(said, "about 17000000 messages in all, about 17000000 at a point\n")) << said;
  EXPECT_TRUE(says(said, " GB of memory\n") && says(said, " minutes on one core")) << said;
}

TEST(Explain, counts_the_messages_along_a_graph) {
  Folder const folder;
  // A Moore neighborhood of radius 1 on a torus: 8 neighbors of each of 16 ranks.
  std::string const small = folder.write(
      "s.json",
      large(R"({"kind": "neighbor_allgather", "graph": {"kind": "moore", "torus": [4, 4], "radius": 1}})", "naive"));
  EXPECT_TRUE(says(rondo("explain " + small).out, "\n128 messages in all, 128 at a point\n"))
      << rondo("explain " + small).out;
  // A radius past the torus: 256 ranks and all of the other 255, which is 65280, in two digits.
  std::string const whole = folder.write(
      "w.json",
      large(R"({"kind": "neighbor_allgather", "graph": {"kind": "moore", "torus": [4, 4, 4, 4], "radius": 3}})",
            "naive"));
  EXPECT_TRUE(says(rondo("explain " + whole).out, "\nabout 65000 messages in all, ")) << rondo("explain " + whole).out;
  // A quarter of 20000 * 19999 pairs, drawn.
  std::string const huge = folder.write(
      "h.json",
      large(R"({"kind": "neighbor_allgather", "graph": {"kind": "erdos_renyi", "ranks": 20000, "density": 0.25}})",
            "naive"));
  EXPECT_TRUE(says(rondo("explain " + huge).out, "\nabout 100000000 messages in all"));
}

TEST(Explain, shortens_a_long_sweep) {
  Folder const folder;
  std::string text = scenario_text;
  std::string const two = R"(["1B", "2B"])";
  std::string many = "[";
  for (int i = 1; i <= 200; ++i) many += (i == 1 ? "\"" : ", \"") + std::to_string(i) + "B\"";
  text.replace(text.find(two), two.size(), many + "]");
  std::string const said = rondo("explain " + folder.write("s.json", text)).out;
  EXPECT_TRUE(says(said, "  /block: 1B, 2B, ... 200 values ... 200B\n")) << said;
}

TEST(Explain, knows_places_kinds_algorithms_and_words_of_the_field) {
  EXPECT_TRUE(says(rondo("explain /machine/latency").out, "/machine/latency: a string with a unit"));
  EXPECT_EQ(rondo("explain when").out.rfind("/expect/*/when: a non-empty expression; the points at which", 0), 0u);
  EXPECT_EQ(rondo("explain torus").out.find("no such"), std::string::npos);
  EXPECT_TRUE(says(rondo("explain torus").out, "torus (On a torus, the same neighborhood at every rank)"));
  EXPECT_TRUE(says(rondo("explain ring").out, "topologies\n  ring: "));
  EXPECT_TRUE(says(rondo("explain binomial").out, "binomial (gather and scatter)\n"));
  EXPECT_TRUE(says(rondo("explain custom").out, "custom: an algorithm of custom"));
  for (char const* word :
       {"one-ported",      "D",          "V",    "W",   "gap",  "bound",   "m_cut", "round",   "volume", "links",
        "critical_blocks", "delivered",  "unit", "any", "kind", "minimal", "ecmp",  "valiant", "ugal",   "regret",
        "promise",         "flow timing"}) {
    Ran const ran = rondo("explain '" + std::string(word) + "'");
    EXPECT_EQ(ran.out.rfind(std::string(word) + ": ", 0), 0u) << word << ran.out << ran.err;
  }
}

TEST(Explain, says_of_an_algorithm_what_it_does_when_and_at_what_cost) {
  // The row of docs/algorithms.md, and that of the table of costs.
  std::string const scan = rondo("explain recursive_doubling").out;
  EXPECT_TRUE(says(scan,
                   "recursive_doubling (scan and exscan)\n"
                   "  what it does: exchanges with the rank at distance 1, 2, 4, ... the joined\n    vectors"))
      << scan;
  EXPECT_TRUE(says(scan, "  rounds: p-1, L; volume: 1, L (of linear, recursive_doubling)\n")) << scan;
  EXPECT_TRUE(says(scan, "  source: MPICH, OMPI\n")) << scan;
  // A link is printed as its text alone, and no line is longer than 80 characters.
  std::string const hierarchical = rondo("explain hierarchical").out;
  EXPECT_TRUE(says(hierarchical, "(hierarchical)") && !says(hierarchical, "](")) << hierarchical;
  for (std::string const word : {"recursive_doubling", "hierarchical", "rendezvous", "lr"}) {
    std::istringstream lines(rondo("explain " + word).out);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), 80U) << line;
    }
  }
}

TEST(Explain, knows_what_smpi_calls_an_algorithm) {
  std::string const ring = rondo("explain lr").out;
  EXPECT_TRUE(says(ring, "lr (SMPI, allreduce)\n  SMPI's algorithm: rdb, lr, ") &&
              says(ring, "ours: recursive_doubling,\n    ring, "))
      << ring;
  EXPECT_TRUE(says(rondo("explain GB").out, "gathers directly to rank 0")) << rondo("explain GB").out;
  EXPECT_TRUE(says(rondo("explain NTSL_Isnd").err, "did you mean \"NTSL_Isend\"?"));
}

TEST(Explain, list_says_what_makes_distance_cost_something) {
  EXPECT_TRUE(says(rondo("list ring").out, "unless the machine says \"hop_latency\""));
  EXPECT_TRUE(says(rondo("list torus").out, "\"neighbors_only\": true refuses"));
  EXPECT_FALSE(says(rondo("list fully_connected").out, "hop_latency"));
}

TEST(Explain, a_reader_that_has_gone_ends_list_quietly) {
  Folder const folder;
  std::string const told = (folder.path() / "told").string();
  // A pipe holds 64 KiB; true reads none of it.
  std::string const words =
      std::string("{ ") + RONDO_BINARY + " schema; echo $? >" + told + ".code; } 2>" + told + " | true";
  ASSERT_EQ(std::system(("sleep 0; " + words).c_str()), 0);
  EXPECT_EQ(content_of(told), "");
}

TEST(Explain, list_prints_one_kind_alone) {
  EXPECT_EQ(rondo("list ring").out.rfind("topologies\n  ring: ", 0), 0u);
  std::string const moore = rondo("list moore").out;
  EXPECT_TRUE(says(moore, "neighborhoods\n") && says(moore, "graphs\n") && says(moore, "patterns\n")) << moore;
  EXPECT_TRUE(
      says(rondo("list isomorphic_alltoall").out, "algorithms\n  isomorphic_alltoall: straightforward, posted, torus"));
  EXPECT_EQ(rondo("list rign").exit_code, 2);
  std::string parts;
  for (std::string const part : {"collectives", "algorithms", "neighborhoods", "graphs", "patterns", "topologies",
                                 "islands", "noises", "arrivals", "machine"}) {
    parts += rondo("list " + part).out;
  }
  EXPECT_EQ(parts, rondo("list").out);
}

TEST(New, writes_what_runs_on_the_machine_and_with_the_file_that_it_names) {
  Folder const folder;
  std::string const own = (folder.path() / "own.json").string();
  EXPECT_EQ(rondo("new custom --machine torus --output " + own).exit_code, 0);
  Ran const ran = rondo("run --quiet --format jsonl " + own);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(says(ran.out, "\"delivered\":true")) << ran.out;
  std::string const program = (folder.path() / "p.json").string();
  EXPECT_EQ(rondo("new program --output " + program).exit_code, 0);
  EXPECT_TRUE(says(content_of(program), "// It names program.c, which has to be there"));
  EXPECT_TRUE(says(content_of(folder.path() / "program.c"), "MPI_Init"));
  EXPECT_EQ(rondo("run --quiet --allow-programs " + program).exit_code, 0);
}

TEST(New, replaces_a_scenario_by_wish_and_no_file_beside_it) {
  Folder const folder;
  std::string const own = folder.write("own.json", "mine");
  std::string const named = folder.write("schedule.json", "mine too");
  EXPECT_EQ(rondo("new custom --output " + own).exit_code, 2);
  EXPECT_EQ(content_of(own), "mine");
  EXPECT_EQ(rondo("new custom --force --output " + own).exit_code, 0);
  EXPECT_NE(content_of(own), "mine");
  EXPECT_EQ(content_of(named), "mine too");
  Ran const wrong = rondo("new bcast --machine rign");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_EQ(wrong.err,
            "rondo new --machine: expected one of the topologies fully_connected, ring, torus, mesh, dragonfly, "
            "fat_tree, got \"rign\"; did you mean \"ring\"?\n");
}

TEST(Explain, claims_may_use_the_names_of_fields) {
  Folder const folder;
  Ran const ran = rondo("check --quiet " + folder.write("s.json", scenario_text));
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
}

}  // namespace
}  // namespace rondo::test
