#include <gtest/gtest.h>

#include <chrono>

#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace rondo::test {
namespace {

using nlohmann::json;

constexpr char const* stencil = R"({
  "machine": {"topology": {"kind": "fully_connected", "hosts": 9}, "latency": "1us", "bandwidth": "1GBps"},
  "collective": {"kind": "isomorphic_alltoall", "torus": [3, 3], "neighborhood": {"kind": "moore", "radius": 1}},
  "algorithm": "torus", "block": "8B",
  "sweep": {"/block": ["1B", "1KiB"], "/algorithm": ["straightforward", "torus"]},
  "expect": [{"claim": "rounds", "that": "torus.rounds == D && straightforward.rounds == s"}]
})";

std::string with(std::string text, std::string const& what, std::string const& instead) {
  std::size_t const at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), instead);
}

std::vector<std::string> lines_of(std::string const& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(Cli, run_prints_a_table_on_standard_output_and_progress_elsewhere) {
  Folder const folder;
  Ran const ran = rondo("run " + folder.write("s.json", stencil));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  // The title, what is the same at all points, the columns, four points, the fastest, and what is not shown.
  EXPECT_EQ(lines_of(ran.out).size(), 3 + 4 + 2u) << ran.out;
  EXPECT_NE(ran.err.find("4 points done"), std::string::npos);
  EXPECT_EQ(rondo("run --quiet " + (folder.path() / "s.json").string()).err, "");
}

TEST(Cli, run_writes_what_the_name_of_the_output_ends_with) {
  Folder const folder;
  std::string const file = folder.write("s.json", stencil);
  auto const written = [&](std::string const& name, std::string const& more) {
    std::string const path = (folder.path() / name).string();
    EXPECT_EQ(rondo("run --quiet " + more + " --output " + path + " " + file).exit_code, 0);
    return content_of(path);
  };
  EXPECT_EQ(written("a.csv", "").rfind("scenario,point,", 0), 0u);
  EXPECT_EQ(written("a.jsonl", "").rfind("{\"scenario\":", 0), 0u);
  EXPECT_EQ(written("a.md", "").rfind("### ", 0), 0u);
  EXPECT_EQ(written("b.csv", "--format jsonl").rfind("{\"scenario\":", 0), 0u);
  EXPECT_NE(written("a.txt", "").find("fastest:"), std::string::npos);
}

TEST(Cli, run_writes_a_record_a_line_that_says_theory_and_simulation_agree) {
  Folder const folder;
  Ran const ran = rondo("run --format jsonl " + folder.write("s.json", stencil));
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  auto const lines = lines_of(ran.out);
  ASSERT_EQ(lines.size(), 4u);
  for (std::string const& line : lines) {
    json const record = json::parse(line);
    // 3 x 3 torus, 8 neighbors: 8 rounds of one block, or D = 4 and V = 12 (docs/notes.md#exact-counts, Moore(2,1))
    bool const torus = record["algorithm"] == "torus";
    double const m = record["block_bytes"];
    EXPECT_EQ(record["rounds"], torus ? 4 : 8);
    EXPECT_EQ(record["volume_blocks"], torus ? 12 : 8);
    EXPECT_EQ(record["messages"], torus ? 36 : 72);
    double const expected = torus ? 4e-6 + 12 * m * 1e-9 : 8 * (1e-6 + m * 1e-9);
    EXPECT_NEAR(record["time_s"].get<double>() / expected, 1, 1e-9);
    EXPECT_EQ(record["payload"], "verified");
    EXPECT_EQ(record["delivered"], true);
    EXPECT_TRUE(record["error"].is_null());
  }
}

TEST(Cli, the_native_engine_times_as_smpi_does_and_moves_no_payload) {
  Folder const folder;
  std::string const scenario = folder.write("s.json", stencil);
  auto const smpi = lines_of(rondo("run --format jsonl " + scenario).out);
  auto const native = lines_of(rondo("run --format jsonl --engine native " + scenario).out);
  ASSERT_EQ(smpi.size(), 4u);
  ASSERT_EQ(native.size(), 4u);
  for (std::size_t i = 0; i < smpi.size(); ++i) {
    json const slow = json::parse(smpi[i]);
    json const fast = json::parse(native[i]);
    EXPECT_EQ(fast["engine"], "native");
    EXPECT_EQ(fast["payload"], "timing");
    EXPECT_NEAR(fast["time_s"].get<double>() / slow["time_s"].get<double>(), 1, 1e-9);
    EXPECT_TRUE(fast["error"].is_null());
  }
}

TEST(Cli, csv_has_a_header_and_a_row_a_point) {
  Folder const folder;
  Ran const ran = rondo("run --format csv " + folder.write("s.json", stencil));
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(lines_of(ran.out).size(), 5u);
  EXPECT_EQ(lines_of(ran.out)[0].substr(0, 15), "scenario,point,");
}

TEST(Cli, markdown_is_a_table_that_keeps_its_cells) {
  Folder const folder;
  std::string const titled = with(stencil, "{\n", "{\n  \"title\": \"A \\\\| b\",\n");
  Ran const ran =
      rondo("run --quiet --format markdown --set '/sweep/~1block=[\"1B\"]' " + folder.write("s.json", titled));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  // 3 x 3 torus, 8 neighbors: 8 rounds, or D = 4 and V = 12 (docs/notes.md#exact-counts, Moore(2,1))
  auto const lines = lines_of(ran.out);
  ASSERT_EQ(lines.size(), 7u) << ran.out;  // a blank one last, before the next table
  EXPECT_EQ(lines[0], "### A \\\\\\| b");
  EXPECT_TRUE(lines[2].starts_with("| point | block | algorithm | p | rounds |")) << lines[2];
  EXPECT_TRUE(lines[3].starts_with("|--:|--:|--:|")) << lines[3];
  EXPECT_TRUE(lines[4].starts_with("| 1 | 1B | straightforward | 9 | 8 | 8 |")) << lines[4];
  EXPECT_TRUE(lines[5].starts_with("| 2 | 1B | torus | 9 | 4 | 12 |")) << lines[5];
  EXPECT_EQ(rondo("run --resume --format markdown --output x " + (folder.path() / "s.json").string()).exit_code, 2);
}

TEST(Cli, an_output_file_is_appended_whole_and_never_overwritten_unasked) {
  Folder const folder;
  std::string const scenario = folder.write("s.json", stencil);
  std::string const output = folder.write("r.jsonl", "precious\n");
  Ran const refused = rondo("run --format jsonl --output " + output + " " + scenario);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("exists already"), std::string::npos);
  EXPECT_EQ(content_of(output), "precious\n");
  EXPECT_EQ(rondo("run --force --format jsonl --output " + output + " " + scenario).exit_code, 0);
  EXPECT_EQ(lines_of(content_of(output)).size(), 4u);
}

TEST(Cli, dry_run_lists_the_points_and_simulates_nothing) {
  Folder const folder;
  Ran const ran = rondo("run --dry-run " + folder.write("s.json", stencil));
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_NE(ran.out.find("4 points"), std::string::npos);
  EXPECT_NE(ran.out.find("  4 /block=\"1KiB\" /algorithm=\"torus\""), std::string::npos) << ran.out;
}

// Each of these graphs takes seconds to be drawn and minutes to be combined.
TEST(Cli, dry_run_lists_at_once_what_takes_long_to_make) {
  Folder const folder;
  std::string const file = folder.write("s.json", R"({
    "machine": {"topology": {"kind": "fully_connected", "hosts": 16384}, "latency": "1us", "bandwidth": "1GBps"},
    "collective": {"kind": "neighbor_allgather", "graph": {"kind": "erdos_renyi", "ranks": 16384, "density": 0.5}},
    "algorithm": "common_neighbors", "block": "8B", "engine": "native",
    "sweep": {"/seed": [1, 2, 3, 4, 5, 6, 7, 8], "/block": ["1B", "2B", "4B", "8B"]},
    "expect": [{"claim": "c", "that": "common_neighbors.rounds > edges", "across": "/block"}]})");
  auto const start = std::chrono::steady_clock::now();
  Ran const ran = rondo("run --dry-run " + file);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(lines_of(ran.out).size(), 33u);
}

TEST(Cli, dry_run_generates_only_if_told_to) {
  Folder const folder;
  // Only with the graph at hand it shows that the expression gives no whole number of bytes.
  std::string const file = folder.write("s.json", R"({
    "machine": {"topology": {"kind": "ring", "hosts": 4}, "latency": "1us", "bandwidth": "1GBps"},
    "collective": {"kind": "neighbor_allgather", "block_sizes": "m/3",
                   "graph": {"kind": "edges", "ranks": 4, "edges": [[0, 1]]}},
    "algorithm": "naive", "block": "8B"})");
  EXPECT_EQ(rondo("run --dry-run " + file).exit_code, 0);
  Ran const generated = rondo("run --dry-run=generate " + file);
  EXPECT_EQ(generated.exit_code, 2);
  EXPECT_NE(generated.err.find("/collective/block_sizes: expected a whole number of bytes"), std::string::npos)
      << generated.err;
  Ran const neither = rondo("run --dry-run=maybe " + file);
  EXPECT_EQ(neither.exit_code, 2);
  EXPECT_EQ(neither.err, "--dry-run: expected nothing or \"generate\", got \"maybe\"\n");
}

TEST(Cli, check_says_a_line_a_claim_and_exits_by_the_verdict) {
  Folder const folder;
  Ran const good = rondo("check --quiet " + folder.write("s.json", stencil));
  EXPECT_EQ(good.exit_code, 0) << good.out << good.err;
  EXPECT_EQ(good.out.substr(0, 5), "holds");
  Ran const bad = rondo("check --quiet " + folder.write("t.json", with(stencil, "== s", "== s + 1")));
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_EQ(bad.out.substr(0, 5), "FAILS");
  EXPECT_NE(bad.out.find("straightforward.rounds = 8"), std::string::npos) << bad.out;
}

TEST(Cli, check_takes_a_folder_and_refuses_one_without_scenarios) {
  Folder const folder;
  folder.write("a.json", stencil);
  folder.write("b.json", stencil);
  EXPECT_EQ(lines_of(rondo("check --quiet " + folder.path().string()).out).size(), 2u);
  Folder const empty;
  EXPECT_EQ(rondo("check " + empty.path().string()).exit_code, 2);
}

TEST(Cli, show_prints_the_schedule_round_by_round) {
  Folder const folder;
  Ran const ran = rondo("show --point 2 " + folder.write("s.json", stencil));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("round 4"), std::string::npos);
  EXPECT_EQ(ran.out.find("round 5"), std::string::npos);
  EXPECT_NE(
      ran.out.find("verified: every block is in its place at the end, once; no rank received a block that it held"),
      std::string::npos);
  EXPECT_EQ(rondo("show --point 5 " + (folder.path() / "s.json").string()).exit_code, 2);
}

TEST(Cli, set_and_engine_change_the_scenario) {
  Folder const folder;
  std::string const scenario = folder.write("s.json", with(stencil, "\"1B\", \"1KiB\"", "\"1B\""));
  Ran const ran = rondo("run --format jsonl --set /machine/latency=2us " + scenario);
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NEAR(json::parse(lines_of(ran.out)[0])["time_s"].get<double>(), 8 * (2e-6 + 1e-9), 1e-14);
  EXPECT_EQ(rondo("run --set /machine/latncy=2us " + scenario).exit_code, 2);
  EXPECT_EQ(rondo("run --engine warp " + scenario).exit_code, 2);
}

TEST(Cli, list_fields_prints_the_reference_of_records_that_the_documentation_has) {
  EXPECT_EQ(rondo("list fields").out, content_of(RONDO_SOURCE_DIR "/docs/records.md"));
}

TEST(Cli, list_and_schema_describe_what_there_is) {
  EXPECT_NE(rondo("list").out.find("isomorphic_alltoall"), std::string::npos);
  EXPECT_EQ(rondo("list algorithm").exit_code, 2);
  json const schema = json::parse(rondo("schema").out);
  EXPECT_EQ(schema["type"], "object");
}

TEST(Cli, schemas_have_the_names_by_which_editors_keep_them) {
  EXPECT_EQ(json::parse(rondo("schema").out)["$id"], "urn:rondo:scenario:1");
  EXPECT_EQ(json::parse(rondo("schema scenario").out)["$id"], "urn:rondo:scenario:1");
  EXPECT_EQ(json::parse(rondo("schema schedule").out)["$id"], "urn:rondo:schedule:1");
  EXPECT_EQ(json::parse(rondo("schema promise").out)["$id"], "urn:rondo:promise:1");
}

TEST(Cli, a_timeout_is_that_points_error_and_the_others_go_on) {
  Folder const folder;
  std::string text = with(stencil, "[3, 3]", "[16, 16]");
  text = with(text, "\"hosts\": 9", "\"hosts\": 256");
  text = with(text, "\"radius\": 1", "\"radius\": 7");  // 224 rounds of 256 messages: longer than a millisecond
  Ran const ran = rondo("run --quiet --format jsonl --timeout 1ms " + folder.write("s.json", text));
  EXPECT_EQ(ran.exit_code, 3);
  ASSERT_EQ(lines_of(ran.out).size(), 4u);
  for (std::string const& line : lines_of(ran.out)) {
    json const record = json::parse(line);
    EXPECT_TRUE(record["time_s"].is_null());
    EXPECT_EQ(record["error"].get<std::string>().substr(0, 13), "timeout after") << record["error"];
  }
}

TEST(Cli, neighbors_only_refuses_a_schedule_that_talks_past_a_neighbor) {
  Folder const folder;
  std::string text =
      with(stencil, R"({"kind": "fully_connected", "hosts": 9})", R"({"kind": "torus", "dims": [3, 3]})");
  text = with(text, R"("bandwidth": "1GBps")", R"("bandwidth": "1GBps", "neighbors_only": true)");
  Ran const ran = rondo("run --quiet --format jsonl " + folder.write("s.json", text));
  EXPECT_EQ(ran.exit_code, 3);
  json const straightforward = json::parse(lines_of(ran.out).at(0));
  json const torus = json::parse(lines_of(ran.out).at(1));
  EXPECT_GT(straightforward["violations"], 0);
  EXPECT_TRUE(straightforward["time_s"].is_null());
  EXPECT_EQ(torus["violations"], 0);
  EXPECT_EQ(rondo("check --quiet " + (folder.path() / "s.json").string()).exit_code, 3);
}

struct Bad {
  char const* name;
  std::string text;
  char const* said;  ///< part of the one line on standard error
};

TEST(Cli, bad_input_is_one_line_exit_2_and_nothing_written) {
  std::string const huge = std::string(2 << 20, 'x');
  std::vector<Bad> const table{
      {"unknown key", with(stencil, "\"radius\"", "\"radus\""), "did you mean \"radius\""},
      {"wrong type", with(stencil, "[3, 3]", "\"3x3\""), "/collective/torus"},
      {"wrong unit", with(stencil, "\"1us\"", "\"1parsec\""), "/machine/latency"},
      {"bare bandwidth", with(stencil, "\"1GBps\"", "1e9"), "/machine/bandwidth"},
      {"bare bandwidth string", with(stencil, "\"1GBps\"", "\"1000000000\""), "/machine/bandwidth"},
      {"another dimension",
       with(stencil, R"({"kind": "moore", "radius": 1})", R"({"kind": "offsets", "offsets": [[1, 0], [1, 0, 0]]})"),
       "/collective/neighborhood/offsets/1"},
      {"p differs", with(stencil, "\"hosts\": 9", "\"hosts\": 8"), "8"},
      {"sweep of nothing", with(stencil, "\"/block\"", "\"/blok\""), "did you mean \"block\"?"},
      {"malformed", "{\n  \"machine\": {,}\n}", ":2:15:"},
      {"huge string", with(stencil, "\"8B\"", "\"" + huge + "\""), "/block"},
      {"NaN", with(stencil, "\"hosts\": 9", "\"hosts\": NaN"), ":2:"},
      {"negative size", with(stencil, "\"1B\"", "\"-1B\""), "/block"},
      {"past 2^63", with(stencil, "\"hosts\": 9", "\"hosts\": 92233720368547758080"), "/machine/topology/hosts"},
      {"size past 2^63", with(stencil, "\"1B\"", "\"9223372036854775808B\""), "/block"},
      {"unknown name in a claim", with(stencil, "torus.rounds", "torus.round"), "did you mean \"torus.rounds\""},
      {"algorithm not in the sweep", with(stencil, "torus.rounds", "direct.rounds"), "direct.rounds"},
      {"empty", "", "s.json"},
  };
  for (Bad const& bad : table) {
    Folder const folder;
    std::string const output = (folder.path() / "out.jsonl").string();
    Ran const ran = rondo("run --format jsonl --output " + output + " " + folder.write("s.json", bad.text));
    EXPECT_EQ(ran.exit_code, 2) << bad.name << ran.err;
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << bad.name << ": " << ran.err;
    EXPECT_LT(ran.err.size(), 600u) << bad.name;
    EXPECT_NE(ran.err.find("s.json"), std::string::npos) << bad.name << ": " << ran.err;
    EXPECT_NE(ran.err.find(bad.said), std::string::npos) << bad.name << ": " << ran.err;
    EXPECT_EQ(ran.out, "") << bad.name;
    EXPECT_FALSE(std::filesystem::exists(output)) << bad.name;
  }
}

TEST(Cli, a_missing_file_and_bad_usage_exit_with_2_and_one_line) {
  for (std::string const words : {"run /nowhere/s.json", "run", "", "dance", "run --format xml /dev/null",
                                  "check /nowhere", "run --timeout 5 /nowhere/s.json"}) {
    Ran const ran = rondo(words);
    EXPECT_EQ(ran.exit_code, 2) << words;
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << words << ": " << ran.err;
  }
}

TEST(LongCli, an_interrupt_exits_with_130_and_leaves_whole_lines) {
  Folder const folder;
  std::string blocks;
  for (int m = 1; m <= 2000; ++m) blocks += (m > 1 ? ", \"" : "\"") + std::to_string(m) + "B\"";
  std::string const scenario = folder.write("s.json", with(stencil, "\"1B\", \"1KiB\"", blocks));
  std::string const output = (folder.path() / "out.jsonl").string();
  // Interrupted as soon as there is a record, thousands of points before the end.
  std::string const script =
      folder.write("run.sh", std::string(RONDO_BINARY) + " run --quiet --format jsonl --output " + output + " " +
                                 scenario + " & pid=$!\nwhile [ ! -s " + output +
                                 " ] && kill -0 $pid; do sleep 0.02; done\nkill -INT $pid\n" + "wait $pid\n");
  int const status = std::system(("sh " + script).c_str());
  EXPECT_EQ(WEXITSTATUS(status), 130);
  std::string const written = content_of(output);
  ASSERT_FALSE(written.empty());
  EXPECT_EQ(written.back(), '\n');
  auto const lines = lines_of(written);
  EXPECT_LT(lines.size(), 4000u);
  EXPECT_EQ(json::parse(lines.back())["point"], lines.size());
}

TEST(Cli, a_point_that_is_refused_while_it_runs_is_its_own_error) {
  // Past 2^32 bytes MPI's counts need a size of an even number of bytes: known only when the messages are made.
  Folder const folder;
  std::string const scenario =
      folder.write("s.json", with(stencil, "\"1B\", \"1KiB\"", "\"1B\", \"4294967297B\", \"2B\""));
  Ran const ran = rondo("run --format jsonl " + scenario);
  EXPECT_EQ(ran.exit_code, 3);
  // Those of 4294967297 B, by two algorithms.
  EXPECT_NE(ran.err.find(": 4 points done, 2 refused\n"), std::string::npos) << ran.err;
  auto const lines = lines_of(ran.out);
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_TRUE(json::parse(lines[0])["error"].is_null());
  EXPECT_EQ(json::parse(lines[2])["error"].get<std::string>().substr(0, 9), "refused: ");
  EXPECT_TRUE(json::parse(lines[5])["error"].is_null());
}

TEST(Cli, a_platform_file_with_too_few_hosts_is_refused_before_anything_runs) {
  Folder const folder;
  std::string const file = std::string(RONDO_SOURCE_DIR) + "/platforms/ring-64.xml";
  std::string text = with(stencil, "[3, 3]", "[13, 5]");
  text = with(text, R"({"kind": "fully_connected", "hosts": 9})", R"({"kind": "fully_connected", "hosts": 65})");
  text = with(
      text, "\"/block\": [\"1B\", \"1KiB\"]",
      R"("/machine/topology": [{"kind": "fully_connected", "hosts": 65}, {"kind": "file", "path": ")" + file + "\"}]");
  Ran const ran = rondo("run --format jsonl " + folder.write("s.json", text));
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(ran.err.find("s.json: /machine/topology: "), std::string::npos) << ran.err;
  EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
}

TEST(Cli, check_wants_every_invalid_point_to_be_expected) {
  Folder const folder;
  std::string text =
      with(stencil, R"({"kind": "fully_connected", "hosts": 9})", R"({"kind": "torus", "dims": [3, 3]})");
  text = with(text, R"("bandwidth": "1GBps")", R"("bandwidth": "1GBps", "neighbors_only": true)");
  text = with(text, "torus.rounds == D && straightforward.rounds == s", "straightforward.violations > 0");
  std::string const whole = folder.write("s.json", text);
  EXPECT_EQ(rondo("check --quiet " + whole).exit_code, 0) << rondo("check --quiet " + whole).out;
  std::string const half = with(text, "\"that\"", "\"when\": \"m == 1\", \"that\"");
  EXPECT_EQ(rondo("check --quiet " + folder.write("t.json", half)).exit_code, 3);
  std::string const other = with(text, "straightforward.violations > 0", "torus.delivered");
  EXPECT_EQ(rondo("check --quiet " + folder.write("u.json", other)).exit_code, 3);
}

TEST(Cli, a_full_disk_is_no_success) {
  for (std::string const words : {"list", "schema"}) {
    EXPECT_EQ(std::system((std::string(RONDO_BINARY) + " " + words + " >/dev/full 2>/dev/null").c_str()), 2 << 8)
        << words;
  }
}

TEST(Cli, an_unknown_command_is_named) {
  EXPECT_NE(rondo("rnu").err.find("got \"rnu\"; did you mean \"run\"?"), std::string::npos) << rondo("rnu").err;
}

}  // namespace
}  // namespace rondo::test
