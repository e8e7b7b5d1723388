// Standard streams that are closed or full, and files that may not grow: nothing is lost, nothing is written to the
// wrong file, and a log that cannot be written ends nothing.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace rondo::test {
namespace {

using nlohmann::json;

constexpr char const* four_points = R"({
  "machine": {"topology": {"kind": "ring", "hosts": 4}, "latency": "1us", "bandwidth": "1GBps"},
  "collective": {"kind": "isomorphic_alltoall", "torus": [4], "neighborhood": {"kind": "offsets", "offsets": [[1]]}},
  "algorithm": "torus", "block": "8B", "engine": "native", "sweep": {"/block": ["1B", "2B", "3B", "4B"]}
})";

/// The numbers of the points in a file of JSON lines, which holds nothing else.
std::vector<int> points_in(std::filesystem::path const& file) {
  std::vector<int> points;
  std::istringstream lines(content_of(file));
  for (std::string line; std::getline(lines, line);) points.push_back(json::parse(line)["point"].get<int>());
  return points;
}

class Streams : public testing::Test {
 protected:
  Streams() { work_.write("s.json", four_points); }
  Ran run(std::string const& script) const { return shell("cd $work; " + script, work_); }
  std::vector<int> points(char const* file) const { return points_in(work_.path() / file); }

  Folder work_;
  std::vector<int> const all_{1, 2, 3, 4};
};

TEST_F(Streams, an_output_file_does_not_take_the_place_of_a_closed_standard_error) {
  for (char const* closed : {"2>&-", "0<&- 2>&-", "0<&- 1>&- 2>&-"}) {
    // Progress is on, and there is a remark on standard error of a failed point that is left out.
    Ran const ran = run(std::string("$rondo run --format jsonl --force --output r.jsonl s.json ") + closed);
    EXPECT_EQ(ran.exit_code, 0) << closed;
    EXPECT_EQ(points("r.jsonl"), all_) << closed;
  }
}

TEST_F(Streams, a_full_or_closed_standard_error_ends_no_sweep) {
  for (char const* error : {"2>/dev/full", "2>&-", "2> >(exec 0<&-; sleep 1)"}) {
    for (char const* jobs : {"--jobs 1", "--jobs 2"}) {
      Ran const ran = run(std::string("$rondo run ") + jobs + " --format jsonl s.json " + error);
      EXPECT_EQ(ran.exit_code, 0) << error;
      EXPECT_EQ(points_in(work_.path() / "out"), all_) << error;
    }
  }
}

TEST_F(Streams, an_error_that_nobody_can_read_keeps_its_exit_code) {
  for (char const* error : {"2>&-", "2>/dev/full"}) {
    EXPECT_EQ(run(std::string("$rondo run nowhere.json ") + error).exit_code, 2) << error;
    EXPECT_EQ(run(std::string("$rondo walk ") + error).exit_code, 2) << error;
    EXPECT_EQ(run(std::string("$rondo run --walk ") + error).exit_code, 2) << error;
  }
}

TEST_F(Streams, a_standard_output_that_cannot_be_written_is_an_error) {
  for (char const* output : {">&-", ">/dev/full"}) {
    Ran const ran = run(std::string("$rondo run --quiet s.json ") + output);
    EXPECT_EQ(ran.exit_code, 2) << output;
    EXPECT_NE(ran.err.find("standard output: cannot be written: "), std::string::npos) << ran.err;
  }
}

TEST_F(Streams, a_file_that_may_not_grow_further_is_an_error_and_loses_no_record) {
  // A record takes about 1.7 kB, and bash's ulimit counts 1024 bytes: some fit, not all.
  Ran const limited = run("ulimit -f 4; $rondo run --quiet --format jsonl --output r.jsonl s.json");
  EXPECT_EQ(limited.exit_code, 2);
  EXPECT_EQ(limited.err, "r.jsonl: cannot be written: File too large\n");
  std::string const left = content_of(work_.path() / "r.jsonl");
  std::string const whole = left.substr(0, left.rfind('\n') + 1);
  EXPECT_GT(whole.size(), 0U);
  Ran const resumed = run("$rondo run --quiet --resume --format jsonl --output r.jsonl s.json");
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(points("r.jsonl"), all_);
  EXPECT_EQ(content_of(work_.path() / "r.jsonl").substr(0, whole.size()), whole);
  // A file that appears whole or not at all does not appear.
  Ran const exported =
      run("(ulimit -f 1; $rondo export --format platform --output e.xml s.json); echo "
          "$?; ls");
  EXPECT_EQ(exported.err, "e.xml: cannot be written: File too large\n");
  EXPECT_EQ(exported.out.find("e.xml"), std::string::npos);
  EXPECT_EQ(exported.out.substr(0, 2), "2\n") << exported.out;
}

TEST_F(Streams, an_output_that_another_process_takes_away_amid_a_run_is_an_error) {
  work_.write("slow.json", R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 150}, "latency": "1us",
    "bandwidth": "1GBps"}, "collective": {"kind": "alltoall", "ranks": 2}, "algorithm": "linear", "block": "8B",
    "engine": "smpi", "sweep": {"/collective/ranks": [2, 150]}})");
  for (auto const& [done, said] : {std::pair("rm r.jsonl", "removed or replaced"), std::pair(": >r.jsonl", "truncated"),
                                   std::pair("mv r.jsonl kept; echo >r.jsonl", "removed or replaced")}) {
    Ran const ran =
        run("rm -f r.jsonl; $rondo run --quiet --output r.jsonl slow.json & until [ -s r.jsonl ]; do sleep "
            "0.05; done; " +
            std::string(done) + "; wait $!");
    EXPECT_EQ(ran.exit_code, 2) << done << ran.err;
    EXPECT_EQ(ran.err,
              "r.jsonl: was " + std::string(said) + " by another process while it was written; records are lost\n")
        << done;
  }
}

// As the signal of a closed pipe would end it.
TEST_F(Streams, a_reader_of_standard_output_that_has_gone_is_not_told) {
  for (char const* words : {"run --quiet --format jsonl", "run --quiet --format csv", "run --quiet"}) {
    Ran const ran = run("{ sleep 0.2; $rondo " + std::string(words) + " s.json; echo $? >code; } | head -c0");
    EXPECT_EQ(content_of(work_.path() / "code"), "141\n") << words << ran.err;
    EXPECT_EQ(ran.err, "") << words;
  }
}

TEST_F(Streams, a_pipe_that_nobody_reads_is_no_output) {
  for (char const* words :
       {"show --format html --output ff --force s.json", "export --format json --output ff --force s.json"}) {
    Ran const ran = run("rm -f ff; mkfifo ff; timeout 20 $rondo " + std::string(words));
    EXPECT_EQ(ran.exit_code, 2) << words;
    EXPECT_EQ(ran.err, "ff: cannot be written: nobody reads this pipe\n") << words;
    Ran const read = run("cat ff >got & $rondo " + std::string(words) + "; wait; test -s got");
    EXPECT_EQ(read.exit_code, 0) << words << read.err;
  }
}

TEST_F(Streams, an_empty_name_of_an_output_is_no_standard_output) {
  Ran const ran = run("$rondo run --quiet --output \"$nothing\" s.json");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err, "rondo run: --output: expected the name of a file, got \"\"; see rondo run --help\n");
}

}  // namespace
}  // namespace rondo::test
