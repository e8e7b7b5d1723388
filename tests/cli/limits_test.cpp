// Inputs that ask for more than there is, or never end, are refused before work, and --timeout covers all of it.

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>

#include "cli/command.hpp"
#include "cli/sweeps.hpp"
#include "sanitized.hpp"

namespace rondo::test {
namespace {

TEST(Limits, results_that_are_nested_deep_are_refused) {
  Folder const folder;
  std::string const deep = std::string(100'000, '[') + std::string(100'000, ']');
  for (std::string const& text : {deep + "\n", "{\"scenario\": " + deep + "}\n"}) {
    std::string const file = folder.write("r.jsonl", text);
    for (std::string const& words : {"merge " + file, "report " + file + " --output " + file + ".html"}) {
      Ran const ran = rondo(words);
      EXPECT_EQ(ran.exit_code, 2) << words;
      // A file for merge that does not begin with an object is CSV.
      bool const csv = words.starts_with("merge") && text.starts_with("[");
      EXPECT_NE(ran.err.find(csv ? "expected the columns of this version" : "nested deeper than 80"), std::string::npos)
          << words << ran.err;
    }
  }
}

TEST(Limits, goal_text_of_more_ranks_than_the_machine_costs_nothing) {
  Folder const folder;
  std::string const machine = folder.write(
      "m.json", R"({"topology": {"kind": "fully_connected", "hosts": 2}, "latency": "1us", "bandwidth": "1GBps"})");
  std::string const goal = folder.write("x.goal", "num_ranks 16777216\n");
  Ran const ran = rondo("run --machine " + machine + " " + goal, sanitized ? "" : "ulimit -v 400000;");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err, goal + ":1:11: num_ranks: expected at most 2, the ranks of the machine, got 16777216\n");
}

// It took 370 MB for its ranks alone, and gigabytes with tasks and notes: no machine bounds it where it is proved.
TEST(Limits, short_goal_text_of_many_ranks_is_refused_where_it_is_proved_too) {
  Folder const folder;
  std::string const limit = sanitized ? "" : "ulimit -v 250000;";
  std::string const machine = folder.write(
      "m.json", R"({"topology": {"kind": "ring", "hosts": 16777216}, "latency": "1us", "bandwidth": "1GBps"})");
  std::string const goal = folder.write("x.goal", "num_ranks 16777216\n");
  for (std::string const& words : {"prove " + goal, "run --quiet --machine " + machine + " " + goal}) {
    Ran const ran = rondo(words, limit);
    EXPECT_EQ(ran.exit_code, 2) << words;
    EXPECT_EQ(ran.err, goal + ":1:11: num_ranks: expected at most 1048576 in a text of 19 bytes, got 16777216\n");
  }
  // As many as there are bytes are described, or could be.
  folder.write("x.goal", "num_ranks 1100000\n" + std::string(1'100'000, '\n'));
  EXPECT_EQ(rondo("prove " + goal).exit_code, 0);
}

/// Each ran for minutes, until no memory was left on the machine.
TEST(LongLimits, schedules_that_cannot_fit_into_memory_are_refused_before_work) {
  if (sanitized) GTEST_SKIP() << "the sanitizers reserve more than any such limit";
  Folder const folder;
  std::string const machine =
      R"({"topology": {"kind": "fully_connected", "hosts": 16777216}, "latency": "1us", "bandwidth": "1GBps"})";
  auto const refused = [&](std::string const& collective, std::string const& algorithm, std::string const& said) {
    std::string const file = folder.write("s.json", "{\"machine\": " + machine + ", \"collective\": {" + collective +
                                                        "}, \"algorithm\": \"" + algorithm + "\", \"block\": \"8B\"}");
    Ran const ran = rondo("run --quiet " + file, "ulimit -v 4000000;");
    EXPECT_EQ(ran.exit_code, 3) << algorithm;
    std::string const all = ran.out + ran.err;
    EXPECT_NE(all.find(file + ": /collective/" + said), std::string::npos) << all;
    EXPECT_NE(all.find("expected what fits into the memory there is, 4.1 GB, got "), std::string::npos) << all;
  };
  // 2^24 (2^24 - 1) messages: 2.81e14.
  refused(R"("kind": "alltoall", "ranks": 16777216)", "linear", "ranks: ");
  // 24 * 2^24 messages alone would be 13 GB; those of fewer ranks fit, but not the 2^40 blocks in them.
  refused(R"("kind": "allgather", "ranks": 1048576)", "recursive_doubling", "ranks: ");
  refused(R"("kind": "allreduce", "ranks": 16777216)", "recursive_doubling", "ranks: ");
  refused(R"("kind": "intergroup_allgather", "senders": 1000000, "receivers": 1000000)", "group_allgather",
          "senders: ");
}

/// 7.7e12 messages by 8 ranks: the machine ran out of memory, and other programs were killed with it.
TEST(Limits, a_vector_in_too_many_segments_is_refused_before_work) {
  Folder const folder;
  std::string const file = folder.write(
      "s.json",
      R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 8}, "latency": "1us", "bandwidth": "1GBps"}, )"
      R"("collective": {"kind": "bcast", "ranks": 8, "segment": "1B"}, "algorithm": "pipeline", "block": "1TiB"})");
  Ran const ran = rondo("run --quiet " + file);
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_NE((ran.out + ran.err).find(file + ": /collective/segment: expected what fits into the memory there is, "),
            std::string::npos)
      << ran.out << ran.err;
  EXPECT_NE(rondo("explain " + file).out.find("about 7700000000000 messages in all"), std::string::npos);
}

/// Bruck's alltoall of 1024 ranks takes seconds to make.
TEST(Limits, show_and_export_end_after_their_timeout_and_leave_no_file) {
  Folder const folder;
  std::string const file = folder.write(
      "s.json",
      R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 1024}, "latency": "1us", "bandwidth": )"
      R"("1GBps"}, "collective": {"kind": "alltoall", "ranks": 1024}, "algorithm": "bruck", "block": "8B"})");
  std::string const output = (folder.path() / "out").string();
  for (std::string const command : {"show --rank 0 ", "export --format json ", "export --format goal "}) {
    Ran const ran = rondo(command + "--timeout 50ms --output " + output + " " + file);
    EXPECT_EQ(ran.exit_code, 3) << command;
    EXPECT_EQ(ran.err, file + ": timeout after 50ms\n") << command;
    EXPECT_FALSE(std::filesystem::exists(output)) << command;
  }
  EXPECT_EQ(rondo("show --timeout 0s " + file).err, "--timeout: expected a time greater than 0s, got 0s\n");
}

/// With all messages of a byte each, 4 ranks may have many segments: what is counted is never more than what is.
TEST(Limits, schedules_that_fit_into_memory_are_not_refused) {
  if (sanitized) GTEST_SKIP() << "the sanitizers reserve more than any such limit";
  Folder const folder;
  for (auto const& [collective, algorithm] : {std::pair(R"("kind": "alltoall", "ranks": 200)", "pairwise"),
                                              {R"("kind": "alltoall", "ranks": 200)", "bruck"},
                                              {R"("kind": "allgather", "ranks": 200)", "bruck"},
                                              {R"("kind": "allreduce", "ranks": 2000)", "recursive_doubling"},
                                              {R"("kind": "bcast", "ranks": 4, "segment": "1B")", "pipeline"}}) {
    std::string const file =
        folder.write("s.json", std::string(R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 2000}, )") +
                                   R"("latency": "1us", "bandwidth": "1GBps"}, "collective": {)" + collective +
                                   R"(}, "algorithm": ")" + algorithm + R"(", "block": "6001B"})");
    Ran const ran = rondo("run --quiet --verify off " + file, "ulimit -v 1000000;");
    EXPECT_EQ(ran.exit_code, 0) << algorithm << ran.err;
  }
}

TEST(Limits, inputs_that_never_end_are_refused) {
  Folder const folder;
  std::string const fifo = (folder.path() / "fifo").string();
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  std::string const sparse = folder.write("sparse", "");
  ASSERT_EQ(truncate(sparse.c_str(), off_t{1} << 40), 0);
  for (std::string const command : {"run ", "check ", "merge ", "report --output x ", "show ", "tune "}) {
    for (auto const& [file, error] : {std::pair(fifo, ": expected a file, got a pipe\n"),
                                      std::pair(std::string("/dev/zero"), ": expected a file, got a device\n"),
                                      std::pair(sparse, ": larger than ")}) {
      Ran const ran = rondo(command + file, "timeout 20");
      EXPECT_EQ(ran.exit_code, 2) << command << file;
      EXPECT_EQ(ran.err.find(file + error), 0u) << command << ran.err;
      EXPECT_EQ(lines(ran.err), 1);
    }
  }
}

TEST(Limits, files_that_never_end_are_refused_where_a_scenario_or_an_option_names_them) {
  Folder const folder;
  std::string const fifo = (folder.path() / "fifo.jsonl").string();
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  for (char const* sparse : {"sparse.xml", "sparse.c"})
    ASSERT_EQ(truncate(folder.write(sparse, "").c_str(), off_t{1} << 37), 0);
  std::string const machine = R"({"machine": {"topology": {"kind": "file", "path": "sparse.xml"}, "latency": "1us",
    "bandwidth": "1GBps"}, )";
  std::string const good = R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 4}, "latency": "1us",
    "bandwidth": "1GBps"}, )";
  std::string const bcast = R"("block": "1B", "algorithm": "binomial", "collective": {"kind": "bcast", "ranks": 4}})";
  std::string const on_platform = folder.write("on.json", machine + bcast);
  std::string const program = folder.write(
      "program.json",
      good + R"("algorithm": "default", "collective": {"kind": "program", "ranks": 4, "source": "sparse.c"}})");
  for (std::string const command : {"run ", "run --dry-run ", "explain "}) {
    for (std::string const& scenario : {on_platform, program}) {
      Ran const ran = rondo(command + scenario, "RONDO_ALLOW_PROGRAMS=1 timeout 20");
      EXPECT_EQ(ran.exit_code, 2) << command << scenario << ran.err;
      EXPECT_TRUE(ran.err.find("sparse.xml: larger than ") != std::string::npos ||
                  ran.err.find("sparse.c: larger than ") != std::string::npos)
          << command << ran.err;
    }
  }
  Ran const resumed = rondo("run --resume --output " + fifo + " " + folder.write("s.json", good + bcast), "timeout 20");
  EXPECT_EQ(resumed.exit_code, 2);
  EXPECT_EQ(resumed.err, fifo + ": expected a file, got a pipe\n");
}

TEST(LongLimits, a_report_on_a_hundred_thousand_claims_takes_seconds) {
  Folder const folder;
  std::string text;
  for (int i = 0; i < 100'000 / thinned; ++i) {
    text += "{\"scenario\": \"s" + std::to_string(i) +
            ".json\", \"claim\": \"c\", \"verdict\": \"holds\", \"judged\": 1, \"passed\": 1, \"detail\": \"\", "
            "\"correction\": null, \"version\": \"1\"}\n";
  }
  std::string const file = folder.write("r.jsonl", text);
  Ran const ran = rondo("report " + file + " --output " + file + ".html", "timeout 60");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
}

TEST(Timeout, covers_generating_and_proving) {
  Folder const folder;
  std::string const drawn = folder.write("drawn.json", R"({
    "machine": {"topology": {"kind": "fully_connected", "hosts": 8192}, "latency": "1us", "bandwidth": "1GBps"},
    "collective": {"kind": "neighbor_allgather", "graph": {"kind": "erdos_renyi", "ranks": 8192, "density": 0.9}},
    "algorithm": "common_neighbors", "block": "8B", "engine": "native"})");
  auto const start = std::chrono::steady_clock::now();
  Ran const generated = rondo("run --quiet --timeout 1s " + drawn, "timeout 60");
  EXPECT_EQ(generated.exit_code, 3);
  EXPECT_NE(generated.out.find("point 1: timeout after 1s"), std::string::npos) << generated.out << generated.err;
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

// A schedule that is the same at each rank is small until it is lowered to the tasks of all ranks: 2 million here.
// With messages that wait for their receives it must be; with eager ones one rank stands for all.
TEST(Timeout, covers_lowering) {
  Folder const folder;
  auto const scenario = [&](char const* eager) {
    return folder.write(eager, R"({
      "machine": {"topology": {"kind": "torus", "dims": [128, 128]}, "timing": "loggp",
                  "loggp": {"L": "1us", "o": "1us", "g": "1us", "G": "1ns/B", "S": ")" +
                                   std::string(eager) + R"("}},
      "collective": {"kind": "isomorphic_alltoall", "torus": [128, 128], "neighborhood": {"kind": "moore", "radius": 5}},
      "algorithm": "straightforward", "block": "64B", "engine": "native"})");
  };
  EXPECT_EQ(rondo("run --quiet --timeout 90s " + scenario("64B")).exit_code, 0);
  auto const start = std::chrono::steady_clock::now();
  Ran const lowered = rondo("run --quiet --timeout 100ms " + scenario("8B"), "timeout 60");
  EXPECT_EQ(lowered.exit_code, 3);
  EXPECT_NE(lowered.out.find("point 1: timeout after 100ms"), std::string::npos) << lowered.out << lowered.err;
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

// The names of claims are looked up in each of these graphs, of 60 million edges, before the first point runs.
TEST(LongTimeout, covers_reading) {
  Folder const folder;
  std::string const file = folder.write("s.json", R"({
    "machine": {"topology": {"kind": "fully_connected", "hosts": 8192}, "latency": "1us", "bandwidth": "1GBps"},
    "collective": {"kind": "neighbor_allgather", "graph": {"kind": "erdos_renyi", "ranks": 8192, "density": 0.9}},
    "algorithm": "naive", "block": "8B", "engine": "native", "sweep": {"/seed": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]},
    "expect": [{"claim": "c", "that": "naive.messages == edges"}]})");
  Ran const ran = rondo("check --timeout 1s " + file, "timeout 60");
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_EQ(ran.err, "--timeout: the scenarios are not read after 5s\n");
}

TEST(Timeout, of_a_point_that_is_fast_enough_changes_no_record) {
  Folder const folder;
  for (std::string const engine : {"native", "smpi"}) {
    std::string const file = folder.write("s.json", sweep(3, engine));
    std::string const without = timeless(rondo("run --quiet --format jsonl " + file).out);
    for (std::string const jobs : {"", "--jobs 2 "}) {
      EXPECT_EQ(timeless(rondo("run --quiet --format jsonl --timeout 60s " + jobs + file).out), without) << engine;
    }
  }
}

}  // namespace
}  // namespace rondo::test
