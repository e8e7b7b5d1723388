// One word on waiting for prover, records, certificates and engines: tasks that end only if sends are buffered.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace rondo::test {
namespace {

using nlohmann::json;

constexpr char const* both_send_first =
    "num_ranks 2\nrank 0 { a: send 8b to 1\nb: recv 8b from 1\nb requires a }\n"
    "rank 1 { a: send 8b to 0\nb: recv 8b from 0\nb requires a }\n";

constexpr char const* linear_machine =
    R"({"topology": {"kind": "fully_connected", "hosts": 2}, "latency": "1us", "bandwidth": "1GBps"})";

std::string loggp_machine(std::string const& S) {
  return R"({"topology": {"kind": "fully_connected", "hosts": 2}, "timing": "loggp", "loggp": {"L": "1us", "o": "100ns",
    "g": "100ns", "G": "1ns/B", "O": "0ns/B", "S": ")" +
         S + "\"}}";
}

class BufferedSends : public ::testing::Test {
 protected:
  BufferedSends() {
    write("both.goal", both_send_first);
    write("linear.json", linear_machine);
    write("small.json", loggp_machine("0B"));
    write("large.json", loggp_machine("8B"));
  }
  void write(std::string const& name, std::string const& text) const { folder.write(name, text); }
  Ran in(std::string const& words) const { return rondo(words, "cd " + folder.path().string() + " && "); }

  Folder folder;
};

constexpr char const* wait =
    "rank 0's line 2 (send 8b to 1 tag 0) waits for rank 1's line 6 (recv 8b from 0 tag 0), which waits for rank 1's "
    "line "
    "5 (send 8b to 0 tag 0), which waits for rank 0's line 3 (recv 8b from 1 tag 0), which waits for rank 0's line 2 "
    "(send 8b to 1 tag 0)";

TEST_F(BufferedSends, are_named_by_the_prover) {
  std::string const why =
      "needs buffered sends: if sends wait for their receives, deadlock: circular wait: " + std::string(wait);
  Ran const proved = in("prove --junit j.xml --sarif s.json both.goal");
  EXPECT_EQ(proved.exit_code, 0);
  EXPECT_EQ(proved.out,
            "both.goal: proved: nothing promised on 2 ranks, 4 tasks, 2 moves; needs buffered sends\n  " + why + "\n");
  std::string const junit = content_of(folder.path() / "j.xml");
  EXPECT_NE(junit.find("failures=\"0\" errors=\"0\""), junit.npos) << junit;
  EXPECT_NE(junit.find("<system-out>needs buffered sends: "), junit.npos) << junit;
  json const sarif = json::parse(content_of(folder.path() / "s.json"));
  json const& results = sarif["runs"][0]["results"];
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0]["ruleId"], "needs-buffered-sends");
  EXPECT_EQ(results[0]["level"], "note");
  EXPECT_EQ(results[0]["message"]["text"], why);
  EXPECT_EQ(in("prove --quiet both.goal").out, "");
}

TEST_F(BufferedSends, are_missed_by_a_run_without_them_and_recorded_by_one_with_them) {
  for (std::string const machine : {"linear", "small"}) {
    Ran const ran = in("run --quiet --format jsonl --machine " + machine + ".json both.goal");
    EXPECT_EQ(ran.exit_code, 3);
    json const record = json::parse(ran.out);
    std::string const which =
        machine == "linear" ? "\"linear\" timing all sends" : "\"loggp\" timing sends of more than S = 0B";
    EXPECT_EQ(record["error"], "both.goal: deadlock: circular wait: " + std::string(wait) +
                                   "; the schedule needs buffered sends, but under " + which +
                                   " wait for their receives");
    EXPECT_EQ(record["needs_buffered_sends"], true);
    // Without a proof too.
    Ran const unproved = in("run --quiet --verify off --format jsonl --machine " + machine + ".json both.goal");
    EXPECT_EQ(json::parse(unproved.out)["error"], record["error"]);
    EXPECT_EQ(json::parse(unproved.out)["needs_buffered_sends"], nullptr);
  }
  Ran const ran = in("run --quiet --format jsonl --machine large.json both.goal");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  json const record = json::parse(ran.out);
  EXPECT_EQ(record["needs_buffered_sends"], true);
  EXPECT_TRUE(record["time_s"].is_number());
}

TEST_F(BufferedSends, are_not_needed_where_one_rank_receives_first) {
  write("turn.goal",
        "num_ranks 2\nrank 0 { a: send 8b to 1\nb: recv 8b from 1\nb requires a }\n"
        "rank 1 { a: recv 8b from 0\nb: send 8b to 0\nb requires a }\n");
  EXPECT_EQ(in("prove turn.goal").out, "turn.goal: proved: nothing promised on 2 ranks, 4 tasks, 2 moves\n");
  Ran const ran = in("run --quiet --format jsonl --machine linear.json turn.goal");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(json::parse(ran.out)["needs_buffered_sends"], false);
}

TEST_F(BufferedSends, are_no_help_where_both_receive_first) {
  write("never.goal",
        "num_ranks 2\nrank 0 { a: recv 8b from 1\nb: send 8b to 1\nb requires a }\n"
        "rank 1 { a: recv 8b from 0\nb: send 8b to 0\nb requires a }\n");
  Ran const proved = in("prove never.goal");
  EXPECT_EQ(proved.exit_code, 3);
  EXPECT_EQ(proved.out.find("buffered"), proved.out.npos) << proved.out;
  Ran const ran = in("run --quiet --verify off --format jsonl --machine linear.json never.goal");
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_EQ(ran.out.find("buffered sends,"), ran.out.npos) << ran.out;
}

TEST_F(BufferedSends, are_a_statement_that_the_checker_checks) {
  ASSERT_EQ(in("prove --certificate c both.goal").exit_code, 0);
  std::string text = content_of(folder.path() / "c");
  auto const checked = [&](std::string const& certificate) {
    std::string const line = "cd '" + folder.path().string() +
                             "' && /usr/bin/python3 -B '" RONDO_SOURCE_DIR "/tests/certificates/check.py' both.goal " +
                             certificate + " >out 2>&1";
    int const status = std::system(line.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  EXPECT_EQ(checked("c"), 0) << content_of(folder.path() / "out");
  std::string const said = "\"needs_buffered_sends\":true";
  ASSERT_NE(text.find(said), text.npos) << text;
  write("other", text.replace(text.find(said), said.size(), "\"needs_buffered_sends\":false"));
  EXPECT_EQ(checked("other"), 1);
}

}  // namespace
}  // namespace rondo::test
