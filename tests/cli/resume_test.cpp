// Sweeps that are killed, changed and continued: the results are those of an undisturbed run, wall times aside.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <regex>
#include <sstream>
#include <thread>

#include "cli/command.hpp"
#include "cli/sweeps.hpp"
#include "sanitized.hpp"

namespace rondo::test {
namespace {

namespace fs = std::filesystem;

TEST(SweepResumed, leaves_a_file_of_something_else_as_it_is) {
  Folder const folder;
  std::string const file = folder.write("s.json", sweep(4, "native"));
  for (std::string const format : {"jsonl", "csv"}) {
    for (std::string const text : {"precious", "{\"scenarios\"", "point", "precious\nlines\n", "\n"}) {
      std::string const mine = folder.write("mine", text);
      Ran const ran = rondo("run --quiet --resume --format " + format + " --output " + mine + " " + file);
      EXPECT_EQ(ran.exit_code, 2) << format << text << ran.err;
      EXPECT_EQ(content_of(mine), text) << format;
    }
  }
}

TEST(LongSweepResumed, continues_a_file_that_was_cut_off_anywhere) {
  Folder const folder;
  std::string const file = folder.write("s.json", sweep(4, "native"));
  for (std::string const format : {"jsonl", "csv"}) {
    std::string const whole = rondo("run --quiet --format " + format + " " + file).out;
    for (std::size_t cut = 0; cut <= whole.size(); cut += 389 * test::thinned) {
      std::string const part = folder.write("part", whole.substr(0, cut));
      Ran const ran = rondo("run --quiet --resume --format " + format + " --output " + part + " " + file);
      ASSERT_EQ(ran.exit_code, 0) << cut << ": " << ran.err;
      std::string const now = content_of(part);
      ASSERT_EQ(lines(now), lines(whole)) << cut;
      std::size_t const kept = whole.rfind('\n', cut == 0 ? 0 : cut - 1);
      if (kept != std::string::npos && kept < cut) {
        ASSERT_EQ(now.substr(0, kept), whole.substr(0, kept)) << cut;
      }
      if (format == "jsonl") {
        ASSERT_EQ(timeless(now), timeless(whole)) << cut;
      }
    }
  }
}

TEST(SweepResumed, continued_runs_points_again_that_failed) {
  Folder const folder;
  // radius 2 by straightforward talks past a neighbor: an invalid schedule on this machine
  std::string text = sweep(1, "native");
  text.replace(text.find("\"latency\""), 0, "\"neighbors_only\": true, ");
  std::string const file = folder.write("s.json", text);
  for (std::string const format : {"jsonl", "csv"}) {
    std::string const out = (folder.path() / ("out." + format)).string();
    std::string const words = "run --quiet --format " + format + " --output " + out + " ";
    EXPECT_EQ(rondo(words + file).exit_code, 3);
    int const before = lines(content_of(out));
    Ran const again = rondo(words + "--resume " + file);
    EXPECT_EQ(again.exit_code, 3);
    EXPECT_EQ(again.err, out + ": 1 of 2 records is left out: 1 that failed\n");
    EXPECT_EQ(lines(content_of(out)), before);
  }
  // What failed for want of time only has its record with more of it.
  std::string const slow = folder.write("slow.json", sweep(2, "smpi"));
  std::string const out = (folder.path() / "slow.jsonl").string();
  std::string const words = "run --quiet --format jsonl --output " + out + " " + slow;
  EXPECT_EQ(rondo(words + " --timeout 1ns").exit_code, 3);
  EXPECT_EQ(rondo(words + " --resume --timeout 60s").exit_code, 0);
  EXPECT_EQ(timeless_file(out), timeless(rondo("run --quiet --format jsonl " + slow).out));
}

/// The lines of a text with those of some numbers, from 0, changed.
template <typename Change>
std::string with_lines(std::string const& text, Change change) {
  std::istringstream stream(text);
  std::string result, line;
  for (int i = 0; std::getline(stream, line); ++i) result += change(i, line + "\n");
  return result;
}

TEST(SweepResumed, that_has_grown_or_shrunk_is_continued_to_what_an_undisturbed_run_gives) {
  Folder const folder;
  std::string const out = (folder.path() / "out").string();
  for (std::string const format : {"jsonl", "csv"}) {
    std::string const words = "run --quiet --resume --format " + format + " --output " + out + " ";
    fs::remove(out);
    std::string const s = (folder.path() / "s.json").string();
    auto const expect_undisturbed = [&] {
      Ran const ran = rondo(words + s);
      EXPECT_EQ(ran.exit_code, 0) << ran.err;
      std::string const whole = rondo("run --quiet --format " + format + " " + s).out;
      if (format == "jsonl") {
        EXPECT_EQ(timeless_file(out), timeless(whole));
      }
      std::string const now = content_of(out);
      auto const names = [](int, std::string const& line) { return line.substr(0, line.find("native")) + "\n"; };
      EXPECT_EQ(with_lines(now, names), with_lines(whole, names)) << "scenario, point, collective and algorithm";
      EXPECT_EQ(rondo("merge " + out).exit_code, 0);
      return ran.err;
    };
    std::string few = sweep(4, "native");
    for (char const* left : {"\"2B\", ", "\"3B\", "}) few.erase(few.find(left), 6);
    folder.write("s.json", few);
    EXPECT_EQ(expect_undisturbed(), "");
    folder.write("s.json", sweep(5, "native"));
    EXPECT_EQ(expect_undisturbed(), "") << "all records are of points of the sweep that has grown";
    folder.write("s.json", few);
    EXPECT_EQ(expect_undisturbed(), out +
                                        ": 6 of 10 records are left out: 6 of no point that is to be run; what did "
                                        "not fail is in " +
                                        out + ".left-out\n");
    EXPECT_EQ(lines(content_of(out + ".left-out")), format == "csv" ? 7 : 6);
    fs::remove(out + ".left-out");
  }
}

TEST(SweepResumed, continued_leaves_out_records_of_other_versions_and_says_so) {
  Folder const folder;
  std::string const file = folder.write("s.json", sweep(3, "native"));
  std::string const whole = rondo("run --quiet --format jsonl " + file).out;
  std::string const older = with_lines(whole, [](int i, std::string const& line) {
    return i < 2 ? std::regex_replace(line, std::regex("\"version\":\"[^\"]*"), "\"version\":\"0.0.1") : line;
  });
  std::string const out = folder.write("out.jsonl", older);
  Ran const ran = rondo("run --quiet --resume --format jsonl --output " + out + " " + file);
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(ran.err, out +
                         ": 2 of 6 records are left out: 2 by the older version 0.0.1; results that changed "
                         "are named in CHANGELOG.md; what did not fail is in " +
                         out + ".left-out\n");
  EXPECT_EQ(timeless_file(out), timeless(whole));
  EXPECT_EQ(content_of(out + ".left-out"), older.substr(0, older.find('\n', older.find('\n') + 1) + 1));
}

/// The sweep with claims: one that holds, and one that does not.
std::string sweep_with_claims(int sizes) {
  return R"({"expect": [{"claim": "two rounds or more", "that": "torus.rounds >= 2"},
    {"claim": "faster", "that": "torus.time < straightforward.time / 2"}], )" +
         sweep(sizes, "native").substr(1);
}

TEST(SweepResumed, by_check_runs_what_is_missing_and_judges_all) {
  Folder const folder;
  std::string const file = folder.write("s.json", sweep_with_claims(3));
  Ran const fresh = rondo("check --quiet " + file);
  EXPECT_EQ(fresh.exit_code, 1);
  std::string const whole = rondo("run --quiet --format jsonl " + file).out;
  for (std::string const format : {"jsonl", "csv"}) {
    std::string const out = folder.file("kept." + format);
    std::string const words = "check --quiet --output " + out + " " + file;
    Ran const first = rondo(words);
    EXPECT_EQ(first.out, fresh.out);
    EXPECT_EQ(first.exit_code, 1);
    std::string const kept = content_of(out);
    if (format == "jsonl") {
      EXPECT_EQ(timeless(kept), timeless(whole)) << "the file that rondo run would have written";
    }
    EXPECT_EQ(rondo(words).err, out + ": exists already; --resume continues it, --force starts it anew\n");
    // The records that are there stay, wall times and all; the last two are run again.
    std::size_t const cut = kept.rfind('\n', kept.rfind('\n', kept.size() - 2) - 1) + 1;
    folder.write("kept." + format, kept.substr(0, cut + 9));
    Ran const resumed = rondo(words + " --resume");
    EXPECT_EQ(resumed.err, "");
    EXPECT_EQ(resumed.out, fresh.out);
    EXPECT_EQ(resumed.exit_code, 1);
    EXPECT_EQ(content_of(out).substr(0, cut), kept.substr(0, cut));
    EXPECT_EQ(lines(content_of(out)), lines(kept));
    Ran const nothing_left = rondo("check --output " + out + " --resume " + file);
    EXPECT_NE(nothing_left.err.find(file + ": 6 points, 0 to do\n"), std::string::npos) << nothing_left.err;
    EXPECT_EQ(nothing_left.out, fresh.out);
  }
}

TEST(SweepResumed, by_check_in_shards_is_judged_when_they_are_merged) {
  Folder const folder;
  std::string const file = folder.write("s.json", sweep_with_claims(2));
  Ran const fresh = rondo("check --quiet " + file);
  for (std::string const shard : {"1", "2"}) {
    std::string const part = folder.file("part-" + shard + ".jsonl");
    Ran const ran = rondo("check --quiet --shard " + shard + "/2 --output " + part + " " + file);
    EXPECT_EQ(ran.exit_code, 0) << "of a claim that does not hold nothing is known yet";
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(ran.err, file + ": shard " + shard + "/2 is in " + part +
                           ", and nothing is judged; rondo merge joins such files, and rondo check --results judges "
                           "them\n");
    EXPECT_EQ(lines(content_of(part)), 2) << "half of two sizes by two algorithms";
  }
  std::string const all = folder.file("all.jsonl");
  EXPECT_EQ(rondo("merge " + folder.file("part-1.jsonl") + " " + folder.file("part-2.jsonl") + " --output " + all).err,
            "");
  EXPECT_EQ(rondo("check --quiet --results " + all + " " + file).out, fresh.out);
}

TEST(SweepResumed, by_check_needs_one_file_that_can_be_continued) {
  Folder const folder;
  std::string const file = folder.write("s.json", sweep_with_claims(1));
  std::string const other = folder.write("t.json", sweep_with_claims(2));
  std::string const out = folder.file("kept.jsonl");
  for (auto const& [words, error] : {
           std::pair("--resume " + file, std::string("--resume: expected --output FILE too, which keeps the records")),
           {"--shard 1/2 " + file, "--shard: expected --output FILE too, which keeps the records"},
           {"--force " + file, "--force: expected --output FILE too, which keeps the records"},
           {"--output " + out + " " + file + " " + other,
            "--output: expected one scenario, whose records it keeps, got 2"},
           {"--output " + folder.file("kept.md") + " " + file,
            "--output: expected a name that ends in .csv or .jsonl, got " + folder.file("kept.md")},
           {"--output " + out + " --shard 3/2 " + file, "--shard: expected i/n with i from 1 to n, got 3/2"},
           {"--output " + out + " --shard 1/2 --junit " + folder.file("j.xml") + " " + file,
            "--junit: expected no part of the points with --output, of which nothing is judged"},
       }) {
    Ran const ran = rondo("check --quiet " + words);
    EXPECT_EQ(ran.exit_code, 2) << words;
    EXPECT_EQ(ran.err, error + "\n");
    EXPECT_EQ(ran.out, "");
    EXPECT_FALSE(fs::exists(out)) << words;
  }
}

TEST(SweepResumed, of_a_scenario_that_was_edited_asks_before_all_starts_anew) {
  Folder const folder;
  std::string const file = folder.write("s.json", sweep(2, "native"));
  std::string const out = folder.file("kept.jsonl");
  rondo("run --quiet --output " + out + " " + file);
  std::string const kept = content_of(out);
  Ran const edited = rondo("run --quiet --resume --set /machine/latency=2us --output " + out + " " + file);
  EXPECT_EQ(edited.exit_code, 2);
  EXPECT_EQ(edited.err, out + ": none of its 4 records is of a point of " + file +
                            " as it is now; --force starts anew, and another --output keeps both\n");
  EXPECT_EQ(content_of(out), kept);
  EXPECT_FALSE(fs::exists(out + ".left-out"));
}

/// The block of a workload is that of its steps; its records have none.
TEST(SweepResumed, of_a_workload_with_a_block_keeps_its_records) {
  Folder const folder;
  std::string const file = folder.write("s.json", R"({
    "machine": {"topology": {"kind": "ring", "hosts": 4}, "latency": "1us", "bandwidth": "1GBps"},
    "collective": {"kind": "workload", "ranks": 4, "steps": [
      {"name": "work", "compute": "20us"}, {"name": "sum", "collective": {"kind": "allreduce"}, "algorithm": "ring"}]},
    "block": "1KiB", "engine": "native", "expect": [{"claim": "some time", "that": "workload.time > 20e-6"}]})");
  for (std::string const name : {"kept.jsonl", "kept.csv"}) {
    std::string const out = folder.file(name);
    EXPECT_EQ(rondo("check --quiet --output " + out + " " + file).exit_code, 0);
    EXPECT_EQ(rondo("check --resume --output " + out + " " + file).err,
              file + ": 1 point, 0 to do\n" + file + ": 0 points done\n");
    EXPECT_EQ(rondo("check --quiet --results " + out + " " + file).exit_code, 0);
    EXPECT_EQ(rondo("report " + out + " --output " + out + ".html").err, "");
    EXPECT_EQ(rondo("merge " + out + " --output " + folder.file("merged-" + name)).err, "");
  }
}

TEST(SweepResumed, of_another_shard_or_scenario_in_one_file_is_put_in_order) {
  Folder const folder;
  std::string const one = folder.write("one.json", sweep(3, "native"));
  std::string const two = folder.write("two.json", sweep(2, "native"));
  std::string const out = (folder.path() / "out.jsonl").string();
  std::string const words = "run --quiet --resume --format jsonl --output " + out + " " + one + " " + two;
  for (std::string const shard : {"3/3", "1/3", "2/3"}) EXPECT_EQ(rondo(words + " --shard " + shard).err, "");
  EXPECT_EQ(timeless_file(out), timeless(rondo("run --quiet --format jsonl " + one + " " + two).out));
}

/// Starts `rondo run` on the file and kills it once so many records are in the output; its exit status.
int run_killed(std::string const& file, std::string const& output, int signal, int records) {
  pid_t const child = fork();
  if (child == 0) {
    execl(RONDO_BINARY, "rondo", "run", "--quiet", "--jobs", "2", "--resume", "--format", "jsonl", "--output",
          output.c_str(), file.c_str(), nullptr);
    _exit(99);
  }
  int status = 0;
  while (lines(content_of(output)) < records) {
    if (waitpid(child, &status, WNOHANG) == child) return status;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  kill(child, signal);
  waitpid(child, &status, 0);
  return status;
}

TEST(LongSweepResumed, killed_twenty_times_and_continued_is_that_of_an_undisturbed_run) {
  constexpr int points = sanitized ? 200 : 1000;
  Folder const folder;
  std::string const file = folder.write("s.json", sweep(points / 2, "native"));
  std::string const output = (folder.path() / "out.jsonl").string();
  std::mt19937 random(7);
  int amid = 0;
  int before = 0;
  for (int i = 0; i < 20; ++i) {
    int const wanted = before + std::uniform_int_distribution(1, points * 6 / 100)(random);
    int const status = run_killed(file, output, i % 2 == 0 ? SIGKILL : SIGINT, wanted);
    bool const ended_well = WIFEXITED(status) && (WEXITSTATUS(status) == 130 || WEXITSTATUS(status) == 0);
    EXPECT_TRUE(WIFSIGNALED(status) || ended_well) << status;
    int const now = lines(content_of(output));
    EXPECT_GE(now, std::min(wanted, points)) << "what was recorded stays";
    if (now > before && now < points) ++amid;
    before = now;
  }
  EXPECT_GE(amid, 5) << "kills in the midst of the sweep, each further than the one before";
  EXPECT_EQ(rondo("run --quiet --resume --jobs 2 --format jsonl --output " + output + " " + file).exit_code, 0);
  EXPECT_EQ(timeless_file(output), timeless(rondo("run --quiet --format jsonl " + file).out));
}

}  // namespace
}  // namespace rondo::test
