// rondo explain, and rondo list of one kind.

#include <gtest/gtest.h>

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
  EXPECT_TRUE(says(ran.out, "isomorphic_alltoall by straightforward, torus\non ring hosts=64\n")) << ran.out;
  EXPECT_TRUE(says(ran.out, "4 points of up to 64 ranks on engine native\n")) << ran.out;
  EXPECT_TRUE(says(ran.out, "  /algorithm: straightforward, torus\n  /block: 1B, 2B\n")) << ran.out;
  // 64 ranks in twice 8 and twice 4 rounds of one message.
  EXPECT_TRUE(says(ran.out, "at most 1536 messages in all, 512 at a point\n")) << ran.out;
  EXPECT_TRUE(says(ran.out, "1 claim judged by rondo check\n")) << ran.out;
}

TEST(Explain, foretells_classical_collectives) {
  Folder const folder;
  std::string const file = folder.write("s.json", R"json({
  "machine": {"topology": {"kind": "ring", "hosts": 64}, "latency": "1us", "bandwidth": "1GBps"},
  "collective": {"kind": "allgather", "ranks": 64}, "algorithm": "ring", "block": "1B", "engine": "native",
  "sweep": {"/algorithm": ["ring", "bruck"]}})json");
  // 64 ranks in 63 and in 6 rounds of one message.
  EXPECT_TRUE(says(rondo("explain " + file).out, "at most 4416 messages in all, 4032 at a point\n"));
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
  EXPECT_TRUE(says(rondo("explain volume").out, "volume_blocks: a field of records: most blocks that a rank sends"));
}

TEST(Explain, names_the_nearest_word_for_one_that_it_does_not_know) {
  Ran const ran = rondo("explain hop_latncy");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err,
            "rondo explain: expected a scenario file, a field of a record or a key of scenarios, got \"hop_latncy\"; "
            "did you mean "
            "\"hop_latency\"?\n");
}

TEST(Explain, list_prints_one_kind_alone) {
  EXPECT_EQ(rondo("list ring").out.rfind("topologies\n  ring: ", 0), 0u);
  std::string const moore = rondo("list moore").out;
  EXPECT_TRUE(says(moore, "neighborhoods\n") && says(moore, "graphs\n") && says(moore, "patterns\n")) << moore;
  EXPECT_TRUE(
      says(rondo("list isomorphic_alltoall").out, "algorithms\n  isomorphic_alltoall: straightforward, posted, torus"));
  EXPECT_EQ(rondo("list rign").exit_code, 2);
}

TEST(Explain, claims_may_use_the_names_of_fields) {
  Folder const folder;
  Ran const ran = rondo("check --quiet " + folder.write("s.json", scenario_text));
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
}

}  // namespace
}  // namespace rondo::test
