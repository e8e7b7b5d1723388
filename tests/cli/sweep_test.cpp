// Sweeps that are split, killed, continued and merged: the results are those of an undisturbed run, wall times aside.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <random>
#include <regex>
#include <thread>

#include "cli/command.hpp"
#include "sanitized.hpp"

namespace rondo::test {
namespace {

namespace fs = std::filesystem;

/// A sweep over so many block sizes and two algorithms.
std::string sweep(int sizes, std::string const& engine) {
  std::string blocks;
  for (int i = 1; i <= sizes; ++i) blocks += (i > 1 ? ", \"" : "\"") + std::to_string(i) + "B\"";
  return R"({"machine": {"topology": {"kind": "ring", "hosts": 8}, "latency": "1us", "bandwidth": "1GBps"},
  "collective": {"kind": "isomorphic_alltoall", "torus": [8], "neighborhood": {"kind": "moore", "radius": 2}},
  "algorithm": "torus", "block": "8B", "engine": ")" +
         engine + R"(", "sweep": {"/block": [)" + blocks + R"(], "/algorithm": ["torus", "straightforward"]}})";
}

/// Results without the times that a clock on the wall gave.
std::string timeless(std::string const& results) {
  return std::regex_replace(results, std::regex("\"(setup_)?wall_s\":[-+0-9.e]+"), "");
}
std::string timeless_file(fs::path const& path) { return timeless(content_of(path)); }

int lines(std::string const& text) { return static_cast<int>(std::count(text.begin(), text.end(), '\n')); }

TEST(Sweep, is_the_same_by_several_processes) {
  Folder const folder;
  for (std::string const engine : {"native", "smpi"}) {
    std::string const file = folder.write("s.json", sweep(engine == "native" ? 200 : 6, engine));
    Ran const one = rondo("run --quiet --format jsonl " + file);
    Ran const three = rondo("run --quiet --format jsonl --jobs 3 " + file);
    EXPECT_EQ(one.exit_code, 0) << one.err;
    EXPECT_EQ(three.exit_code, 0) << three.err;
    EXPECT_EQ(timeless(three.out), timeless(one.out));
  }
}

TEST(Sweep, says_the_number_of_points_first) {
  Folder const folder;
  std::string const file = folder.write("s.json", sweep(3, "native"));
  Ran const ran = rondo("run --shard 2/4 " + file);
  EXPECT_EQ(ran.err, file + ": 6 points, shard 2/4, 2 to do\n" + file + ": 2 points done\n");
}

TEST(Sweep, in_shards_merges_to_the_whole) {
  Folder const folder;
  std::string const file = folder.write("s.json", sweep(5, "native"));
  for (std::string const format : {"jsonl", "csv"}) {
    std::string shards;
    for (std::string const number : {"2", "1", "3"}) {
      std::string const part = (folder.path() / ("part" + number + "." + format)).string();
      EXPECT_EQ(
          rondo("run --quiet --shard " + number + "/3 --format " + format + " --output " + part + " " + file).exit_code,
          0);
      shards += " " + part;
    }
    Ran const merged = rondo("merge" + shards);
    EXPECT_EQ(merged.exit_code, 0) << merged.err;
    std::string const whole = rondo("run --quiet --format " + format + " " + file).out;
    EXPECT_EQ(lines(merged.out), format == "csv" ? 11 : 10);
    if (format == "jsonl") {
      EXPECT_EQ(timeless(merged.out), timeless(whole));
    }
  }
}

TEST(Sweep, takes_its_shard_from_a_slurm_job_array) {
  Folder const folder;
  std::string const file = folder.write("s.json", sweep(5, "native"));
  std::string const array = "env SLURM_ARRAY_TASK_MIN=10 SLURM_ARRAY_TASK_STEP=5 SLURM_ARRAY_TASK_COUNT=3 ";
  Ran const task = rondo("run --quiet --format jsonl " + file, array + "SLURM_ARRAY_TASK_ID=15");
  EXPECT_EQ(timeless(task.out), timeless(rondo("run --quiet --format jsonl --shard 2/3 " + file).out));
  Ran const said = rondo("run --quiet --format jsonl --shard 1/1 " + file, array + "SLURM_ARRAY_TASK_ID=15");
  EXPECT_EQ(lines(said.out), 10);
  Ran const wrong = rondo("run --quiet " + file, array + "SLURM_ARRAY_TASK_ID=16");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_EQ(wrong.err, "SLURM_ARRAY_TASK_ID: expected one of 3 numbers from 10 in steps of 5, got 16\n");
}

TEST(Sweep, runs_by_the_script_for_slurm) {
  Folder const folder;
  std::string const file = folder.write("s.json", sweep(5, "native"));
  std::string const parts = (folder.path() / "parts").string();
  auto const task = [&](std::string const& number, std::string const& array) {
    return std::system(("env RONDO=" RONDO_BINARY " SLURM_ARRAY_TASK_ID=" + number + " " + array +
                        " bash " RONDO_SOURCE_DIR "/scenarios/slurm-array.sh " + file + " " + parts)
                           .c_str());
  };
  std::string const three = "SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_COUNT=3";
  for (std::string const number : {"1", "2", "3"}) EXPECT_EQ(task(number, three), 0);
  // A task that is submitted again, alone, continues its part.
  EXPECT_EQ(task("2", "SHARDS=3 SLURM_ARRAY_TASK_MIN=2 SLURM_ARRAY_TASK_COUNT=1"), 0);
  Ran const merged = rondo("merge " + parts + "/part-*.jsonl");
  EXPECT_EQ(timeless(merged.out), timeless(rondo("run --quiet --format jsonl " + file).out));
}

TEST(Sweep, refuses_what_makes_no_sense) {
  Folder const folder;
  std::string const file = folder.write("s.json", sweep(2, "native"));
  std::string const out = (folder.path() / "out.jsonl").string();
  for (std::string const shard : {"0/3", "4/3", "x", "1/", "1/2/3"}) {
    Ran const ran = rondo("run --shard " + shard + " " + file);
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_EQ(ran.err, "--shard: expected i/n with i from 1 to n, got " + shard + "\n");
  }
  EXPECT_EQ(rondo("run --jobs 0 " + file).exit_code, 2);
  EXPECT_EQ(rondo("run --resume " + file).err,
            "--resume: expected --output FILE and --format csv or jsonl, which can be continued\n");
  EXPECT_EQ(rondo("run --quiet --format jsonl --output " + out + " " + file).exit_code, 0);
  Ran const again = rondo("run --quiet --format jsonl --output " + out + " " + file);
  EXPECT_EQ(again.err, out + ": exists already; --resume continues it, --force starts it anew\n");
  Ran const other = rondo("run --quiet --resume --format csv --output " + out + " " + file);
  EXPECT_EQ(other.err, out + ": expected csv, as --format says, got jsonl\n");
  Ran const twice = rondo("merge " + out + " " + out);
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_EQ(twice.err, out + ": point 1 of " + file + " is in " + out + " already\n");
  std::string const broken = folder.write("broken.jsonl", "{\"scenario\": 1}\n");
  EXPECT_EQ(rondo("merge " + broken).err.find(broken + ": line 1: expected a record: "), 0u);
}

TEST(LongSweep, continues_a_file_that_was_cut_off_anywhere) {
  Folder const folder;
  std::string const file = folder.write("s.json", sweep(4, "native"));
  for (std::string const format : {"jsonl", "csv"}) {
    std::string const whole = rondo("run --quiet --format " + format + " " + file).out;
    for (std::size_t cut = 0; cut <= whole.size(); cut += 97 * test::thinned) {
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

TEST(Sweep, continued_behind_a_point_that_failed_is_no_success) {
  Folder const folder;
  // radius 2 by straightforward talks past a neighbor: an invalid schedule on this machine
  std::string text = sweep(1, "native");
  text.replace(text.find("\"latency\""), 0, "\"neighbors_only\": true, ");
  std::string const file = folder.write("s.json", text);
  for (std::string const format : {"jsonl", "csv"}) {
    std::string const out = (folder.path() / ("out." + format)).string();
    std::string const words = "run --quiet --format " + format + " --output " + out + " ";
    EXPECT_EQ(rondo(words + file).exit_code, 3);
    std::string const before = content_of(out);
    Ran const again = rondo(words + "--resume " + file);
    EXPECT_EQ(again.exit_code, 3);
    EXPECT_EQ(again.err,
              out + ": 1 of the points recorded there failed and were not run again; --force starts it anew\n");
    EXPECT_EQ(content_of(out), before);
  }
}

/// Starts `rondo run` on the file and kills it after some time; its exit status.
int run_killed(std::string const& file, std::string const& output, int signal, std::chrono::microseconds after) {
  pid_t const child = fork();
  if (child == 0) {
    execl(RONDO_BINARY, "rondo", "run", "--quiet", "--jobs", "2", "--resume", "--format", "jsonl", "--output",
          output.c_str(), file.c_str(), nullptr);
    _exit(99);
  }
  std::this_thread::sleep_for(after);
  kill(child, signal);
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST(LongSweep, killed_twenty_times_and_continued_is_that_of_an_undisturbed_run) {
  Folder const folder;
  std::string const file = folder.write("s.json", sweep(500, "native"));
  std::string const output = (folder.path() / "out.jsonl").string();
  std::mt19937 random(7);
  for (int i = 0; i < 20; ++i) {
    auto const after = std::chrono::microseconds(std::uniform_int_distribution(1000, 60000)(random));
    int const status = run_killed(file, output, i % 2 == 0 ? SIGKILL : SIGINT, after);
    bool const ended_well = WIFEXITED(status) && (WEXITSTATUS(status) == 130 || WEXITSTATUS(status) == 0);
    EXPECT_TRUE(WIFSIGNALED(status) || ended_well) << status;
  }
  EXPECT_EQ(rondo("run --quiet --resume --jobs 2 --format jsonl --output " + output + " " + file).exit_code, 0);
  EXPECT_EQ(timeless_file(output), timeless(rondo("run --quiet --format jsonl " + file).out));
}

}  // namespace
}  // namespace rondo::test
