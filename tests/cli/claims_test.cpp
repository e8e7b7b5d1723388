// Every claim in scenarios/claims and scenarios/workloads, and the ways in which claims are printed.

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "sanitized.hpp"

namespace rondo::test {
namespace {

/// They take most of the time of all. Of the other files every second one is simulated, unless the tests are whole.
std::set<std::string> const slow_claims{"allgather-figure-5b",
                                        "cartesian-reductions",
                                        "classical-bine-distances",
                                        "classical-children",
                                        "classical-swing-groups",
                                        "classical-swing-groups-aligned",
                                        "classical-swing-torus",
                                        "common-neighbors-lockstep",
                                        "common-neighbors-pairing-neighbors",
                                        "common-neighbors-suitors-random",
                                        "cutoff-27-point-stencil",
                                        "intergroup-scatter",
                                        "intergroup-torus",
                                        "intergroup-torus-shapes",
                                        "nodes-nics",
                                        "nodes-rails",
                                        "noise-barrier",
                                        "parity",
                                        "pipeline-training",
                                        "platform-ring",
                                        "platform-torus",
                                        "program-allgather",
                                        "program-life",
                                        "program-neighbors",
                                        "program-noncommutative",
                                        "programs",
                                        "proposition-1-aliasing",
                                        "proposition-1-moore",
                                        "proposition-1-moore-aliasing",
                                        "proposition-1-random",
                                        "proposition-1-shales",
                                        "proposition-1-shapes",
                                        "proposition-2-moore",
                                        "real-torus",
                                        "sparse-allreduce-combined",
                                        "sparse-collectives",
                                        "sparse-exchange-bgq",
                                        "sparse-exchange-bisection",
                                        "sparse-exchange-coloring",
                                        "sparse-exchange-consensus",
                                        "sparse-exchange-counts",
                                        "sparse-exchange-independent-set",
                                        "sparse-exchange-poll",
                                        "sparse-exchange-times",
                                        "start-ups-figure-6b",
                                        "stencil-step"};

TEST(Claims, are_found_as_their_files_say) {
  if (sanitized) GTEST_SKIP() << "in release: programs are linked with librondo_mpi, which is built without sanitizers";
  std::set<std::string> quick;
  std::string files;
  std::size_t slow = 0;
  for (std::string const folder : {"claims", "workloads"}) {
    for (auto const& each : std::filesystem::directory_iterator(RONDO_SOURCE_DIR "/scenarios/" + folder)) {
      if (each.path().extension() != ".json") continue;
      bool const takes_long = slow_claims.contains(each.path().stem());
      slow += takes_long ? 1 : 0;
      if (whole) files += " " + each.path().string();
      if (!takes_long) quick.insert(each.path().string());
    }
  }
  EXPECT_EQ(slow, slow_claims.size());
  bool taken = false;
  for (std::string const& each : quick) {
    if (taken = !taken; taken && !whole) files += " " + each;
  }
  Ran const ran = rondo("check --quiet --jobs 2 --allow-programs" + files);
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
}

/// The text between the codes of a terminal's colour and its end.
std::string in_colour(char const* code, std::string const& word) {
  return std::string("\x1b[") + code + "m" + word + "\x1b[0m";
}

constexpr char const* with_a_correction = R"({
  "title": "A | in the title", "source": "a paper, Table 1",
  "machine": {"topology": {"kind": "ring", "hosts": 4}, "latency": "1us", "bandwidth": "1GBps"},
  "collective": {"kind": "isomorphic_alltoall", "torus": [4], "neighborhood": {"kind": "offsets", "offsets": [[1]]}},
  "algorithm": "torus", "block": "8B",
  "expect": [{"claim": "one round", "that": "torus.rounds == 1", "correction": "printed: 2 rounds"},
             {"claim": "two rounds", "that": "torus.rounds == 2"}]
})";

constexpr char const* with_a_refutation = R"({
  "machine": {"topology": {"kind": "ring", "hosts": 4}, "latency": "1us", "bandwidth": "1GBps"},
  "collective": {"kind": "isomorphic_alltoall", "torus": [4], "neighborhood": {"kind": "offsets", "offsets": [[1]]}},
  "algorithm": "torus", "block": "8B",
  "expect": [{"claim": "two rounds", "that": "torus.rounds == 2", "verdict": "refuted", "correction": "one does"}]
})";

TEST(Claims, are_judged_on_stored_results_without_a_run) {
  Folder const folder;
  std::string const file = folder.write("s.json", with_a_correction);
  Ran const fresh = rondo("check --quiet " + file);
  for (std::string const format : {"jsonl", "csv"}) {
    std::string const stored = folder.file("r." + format);
    EXPECT_EQ(rondo("run --quiet --output " + stored + " " + file).exit_code, 0);
    Ran const judged = rondo("check --quiet --results " + stored + " " + file);
    EXPECT_EQ(judged.exit_code, fresh.exit_code) << format;
    EXPECT_EQ(judged.out, fresh.out) << format;
  }
  // What the file says counts.
  std::string text = content_of(folder.file("r.jsonl"));
  text.replace(text.find("\"rounds\":1"), 10, "\"rounds\":2");
  std::string const out = rondo("check --quiet --results " + folder.write("two.jsonl", text) + " " + file).out;
  EXPECT_NE(out.find("FAILS     " + file + ": one round"), std::string::npos) << out;
  EXPECT_NE(out.find("holds     " + file + ": two rounds"), std::string::npos) << out;
}

TEST(Claims, have_no_stored_result_of_a_point_of_another_sweep) {
  Folder const folder;
  std::string const file = folder.write("s.json", with_a_correction), stored = folder.file("r.jsonl");
  EXPECT_EQ(rondo("run --quiet --set /block=9B --output " + stored + " " + file).exit_code, 0);
  Ran const judged = rondo("check --quiet --results " + stored + " " + file);
  EXPECT_EQ(judged.exit_code, 2);
  EXPECT_EQ(judged.err, stored + ": expected a record by this version of point 1 of " + file +
                            ", got none; 0 of 1 point is there, rondo run --resume --output " + stored + " " + file +
                            " runs what is missing\n");
}

TEST(Claims, on_results_of_half_a_sweep_say_how_to_run_the_other_half) {
  Folder const folder;
  std::string const file = folder.write("s.json", with_a_correction), stored = folder.file("r.jsonl");
  std::string const swept = "--set '/sweep={\"/block\": [\"1B\", \"2B\", \"4B\"]}' ";
  EXPECT_EQ(rondo("run --quiet --shard 1/2 " + swept + "--output " + stored + " " + file).exit_code, 0);
  Ran const half = rondo("check --quiet " + swept + "--results " + stored + " " + file);
  std::string const command = "run --resume --output " + stored + " " + file;
  EXPECT_EQ(half.err, stored + ": expected a record by this version of point 2 of " + file +
                          ", got none; 2 of 3 points are there, rondo " + command + " runs what is missing\n");
  EXPECT_EQ(rondo(command + " --quiet " + swept).exit_code, 0);
  EXPECT_EQ(rondo("check --quiet " + swept + "--results " + stored + " " + file).err, "");
}

TEST(Claims, on_results_of_an_older_version_say_so) {
  Folder const folder;
  std::string const file = folder.write("s.json", with_a_correction);
  std::string const records = rondo("run --quiet --format jsonl " + file).out;
  std::string const old =
      folder.write("old.jsonl", std::regex_replace(records, std::regex("\"version\":\"[^\"]*"), "\"version\":\"0.1.0"));
  std::string const remark =
      "1 of 1 record is by the older version 0.1.0; results that changed are named in CHANGELOG.md\n";
  Ran const judged = rondo("check --quiet --results " + old + " " + file);
  EXPECT_EQ(judged.exit_code, 2);
  EXPECT_EQ(judged.err, old + ": expected a record by this version of point 1 of " + file +
                            ", got none; 0 of 1 point is there, rondo run --resume --output " + old + " " + file +
                            " runs what is missing; " + remark);
  EXPECT_EQ(rondo("merge " + old).err, remark);
  Ran const drawn = rondo("report " + old + " --output " + folder.file("r.html"));
  EXPECT_EQ(drawn.exit_code, 0);
  EXPECT_EQ(drawn.err, old + ": " + remark);
}

TEST(Claims, of_a_folder_pass_over_its_machines) {
  Folder const folder;
  std::string const file = folder.write("s.json", with_a_refutation);
  Folder const beside;
  std::string const machine = folder.write("machine.json", R"({"source": ["a list", "of lines"],
      "topology": {"kind": "ring", "hosts": 4}, "latency": "1us", "bandwidth": "1GBps"})");
  Ran const ran = rondo("check --quiet " + folder.path().string());
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(ran.out, rondo("check --quiet " + file).out);
  EXPECT_EQ(ran.err, "passed over, for it is a machine: " + machine + "\n");
  for (std::string const command : {"check ", "run "}) {
    Ran const named = rondo(command + machine);
    EXPECT_EQ(named.exit_code, 2);
    EXPECT_EQ(named.err, machine +
                             ": expected a scenario, got a machine, which scenarios name: \"machine\": "
                             "\"machine.json\"\n");
  }
  beside.write("machine.json", content_of(machine));
  EXPECT_EQ(rondo("check " + beside.path().string()).err,
            beside.path().string() + ": expected a folder with scenarios, found machines alone\n");
}

TEST(Claims, have_colours_where_they_are_wanted) {
  Folder const folder;
  std::string const file = folder.write("s.json", with_a_correction);
  std::string const coloured = rondo("check --quiet --color always " + file).out;
  EXPECT_NE(coloured.find(in_colour("32", "holds   ")), std::string::npos) << coloured;
  EXPECT_NE(coloured.find(in_colour("31", "FAILS   ")), std::string::npos) << coloured;
  for (char const* none : {"", "--color never "}) {
    EXPECT_EQ(rondo("check --quiet " + std::string(none) + file).out.find('\x1b'), std::string::npos) << none;
  }
}

TEST(Claims, are_a_markdown_table_with_verdicts_and_corrections) {
  Folder const folder;
  Ran const ran = rondo("check --quiet --format markdown " + folder.write("s.json", with_a_correction));
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_EQ(ran.out,
            "### A \\| in the title\n\n`s.json`: a paper, Table 1\n\n"
            "| claim | verdict | correction |\n|---|---|---|\n"
            "| one round | corrected (1) | printed: 2 rounds |\n"
            "| two rounds | **fails** (1 of 1) |  |\n\n");
  EXPECT_NE(ran.err.find("s.json: two rounds: torus.rounds == 2 with torus.rounds = 1"), std::string::npos) << ran.err;
}

TEST(Claims, that_are_refuted_as_they_say_fail_nothing) {
  Folder const folder;
  std::string const file = folder.write("s.json", with_a_refutation);
  std::string const xml = (folder.path() / "junit.xml").string();
  Ran const text = rondo("check --quiet --junit " + xml + " " + file);
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_EQ(text.out,
            "refuted   " + file + ": two rounds (0 of 1)\n          torus.rounds == 2 with torus.rounds = 1\n");
  EXPECT_NE(content_of(xml).find("name=\"two rounds\" time="), std::string::npos);
  Ran const markdown = rondo("check --quiet --format markdown " + file);
  EXPECT_NE(markdown.out.find("| two rounds | refuted (1 of 1) | one does |\n"), std::string::npos) << markdown.out;
}

/// The seconds that the attributes say, in their order.
std::vector<double> times_in(std::string const& xml) {
  std::vector<double> times;
  std::regex const time(" time=\"([0-9]+\\.[0-9]{3})\"");
  for (std::sregex_iterator each(xml.begin(), xml.end(), time), end; each != end; ++each) {
    times.push_back(std::stod((*each)[1]));
  }
  return times;
}

TEST(Claims, take_the_time_of_the_points_that_were_run) {
  Folder const folder;
  std::string const file = folder.write("s.json", with_a_correction), xml = folder.file("junit.xml");
  EXPECT_EQ(rondo("check --quiet --junit " + xml + " " + file).exit_code, 1);
  std::vector<double> const times = times_in(content_of(xml));
  ASSERT_EQ(times.size(), 3u) << "the suite and its two cases";
  EXPECT_EQ(times, std::vector<double>(3, times[0]));
}

/// The tree takes 4 (1 us + 6.8 us) = 31.2 us, the other one 19 us + 2 (15/16) 6.8 us = 31.75 us.
/// more.
TEST(Claims, that_must_be_robust_are_judged_on_moved_machines_with_stored_results_too) {
  Folder const folder;
  std::string const file = folder.write("s.json", R"({"schema_version": 1, "machine": {"topology":
    {"kind": "fully_connected", "hosts": 16}, "latency": "1us", "bandwidth": "1GBps"}, "collective": {"kind": "bcast",
    "ranks": 16}, "block": "6800B", "engine": "native", "sweep": {"/algorithm": ["binomial", "scatter_ring_allgather"]},
    "expect": [{"claim": "c", "that": "binomial.time < scatter_ring_allgather.time", "robust": "10%"},
               {"claim": "d", "that": "binomial.rounds < scatter_ring_allgather.rounds", "robust": "10%"}]})");
  std::string const stored = folder.write("r.jsonl", rondo("run --quiet --format jsonl " + file).out);
  Ran const fresh = rondo("check --quiet " + file), from_file = rondo("check --quiet --results " + stored + " " + file);
  EXPECT_EQ(from_file.exit_code, 1);
  EXPECT_EQ(from_file.out, fresh.out);
  EXPECT_NE(from_file.out.find("not robust: another verdict with latency -10%"), std::string::npos) << from_file.out;
  EXPECT_NE(from_file.out.find("holds     " + file + ": d (1 of 1)"), std::string::npos) << from_file.out;
}

TEST(Claims, are_cases_of_junit_xml) {
  Folder const folder;
  std::string text = with_a_correction;
  text.replace(text.find("two rounds"), 4, "two\\uFFFE");  // which XML has no place for
  std::string const file = folder.write("s.json", text);
  std::string const xml = (folder.path() / "junit.xml").string();
  // Stored results say how long their points took: here 1.25 s.
  std::string const records = rondo("run --quiet --format jsonl " + file).out;
  std::string const stored =
      folder.write("r.jsonl", std::regex_replace(records, std::regex("\"wall_s\":[^,]*"), "\"wall_s\":1.25"));
  Ran const ran = rondo("check --quiet --results " + stored + " --junit " + xml + " " + file);
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_EQ(content_of(xml),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
            "  <testsuite name=\"" +
                file +
                "\" tests=\"2\" failures=\"1\" errors=\"0\" time=\"1.250\">\n"
                "    <testcase classname=\"" +
                file +
                "\" name=\"one round\" time=\"1.250\"/>\n"
                "    <testcase classname=\"" +
                file +
                "\" name=\"two\\u{fffe}rounds\" time=\"1.250\">"
                "<failure message=\"torus.rounds == 2 with torus.rounds = 1\"/></testcase>\n"
                "  </testsuite>\n</testsuites>\n");
}

}  // namespace
}  // namespace rondo::test
