// Sweeps that are split and merged: the results are those of one undisturbed run, wall times aside.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "cli/command.hpp"
#include "cli/sweeps.hpp"

namespace rondo::test {
namespace {

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

/// What a run whose records go to a file shows on a terminal with so many columns.
std::string shown_on_terminal(Folder const& folder, int columns, std::string const& file) {
  std::string const typescript = (folder.path() / "typescript").string();
  std::string const command =
      "stty cols " + std::to_string(columns) + "; " RONDO_BINARY " run --output " + typescript + ".jsonl " + file;
  EXPECT_EQ(std::system(("script -qec '" + command + "' " + typescript + " >/dev/null </dev/null").c_str()), 0);
  return content_of(typescript);
}

/// A hundred simulations, each in a process of its own, take longer than the tenth of a second between two updates of
/// the line.
TEST(Sweep, tells_a_terminal_how_far_it_is) {
  if (!has_terminals()) GTEST_SKIP() << "no terminal can be made here, for lack of /dev/pts";
  Folder const folder;
  std::string const file = folder.write("s.json", sweep(50, "smpi"));
  std::string const shown = shown_on_terminal(folder, 200, file);
  EXPECT_NE(shown.find(file + ": 100 points\r\n"), std::string::npos) << shown;
  EXPECT_NE(shown.find("\r\x1b[K" + file + ": 0 of 100 points; point 1 /block=\"1B\" /algorithm=\"torus\""),
            std::string::npos)
      << shown;
  std::regex const update(R"(\r\x1b\[K\S*: \d+ of 100 points, [0-9.e+]+ a second, \d+ s left; point \d+ /block=)");
  EXPECT_TRUE(std::regex_search(shown, update)) << shown;
  EXPECT_NE(shown.find("\r\x1b[K" + file + ": 100 points done\r\n"), std::string::npos) << shown;
}

constexpr char const* distance_is_free =
    ": on this ring distance costs nothing, as if it were fully connected; \"hop_latency\", \"links\": \"shared\" or "
    "\"neighbors_only\" of the machine let it count\n";

TEST(Sweep, says_the_number_of_points_first) {
  Folder const folder;
  std::string const file = folder.write("s.json", sweep(3, "native"));
  Ran const ran = rondo("run --shard 2/4 " + file);
  EXPECT_EQ(ran.err, file + ": 6 points, shard 2/4, 2 to do\n" + file + ": 2 points done\n" + file + distance_is_free);
}

/// Two latencies by two algorithms.
std::string const latencies = R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 8}, "latency": "1us",
  "bandwidth": "1GBps"}, "collective": {"kind": "isomorphic_alltoall", "torus": [8], "neighborhood": {"kind": "moore",
  "radius": 1}}, "algorithm": "torus", "block": "8B", "engine": "native", "sweep": {"/machine/latency": ["1us", "2us"],
  "/algorithm": ["torus", "straightforward"]}})";

TEST(Sweep, says_where_distance_costs_nothing) {
  struct Case {
    char const* topology;
    char const* more;
    char const* said;
  };
  for (Case const& each : {Case{R"("kind": "ring", "hosts": 8)", "", "on this ring distance costs nothing"},
                           Case{R"("kind": "dragonfly", "groups": 2, "chassis": 1, "routers": 2)", "",
                                R"(fully connected; "hop_latency" or "links": "shared" of the machine let it count)"},
                           Case{R"("kind": "fully_connected", "hosts": 8)", "", ""},
                           Case{R"("kind": "ring", "hosts": 8)", R"(, "hop_latency": "1ns")", ""},
                           Case{R"("kind": "ring", "hosts": 8)", R"(, "links": "shared")", ""},
                           Case{R"("kind": "ring", "hosts": 8)", R"(, "neighbors_only": true)", ""}}) {
    Folder const folder;
    std::string const file = folder.write(
        "s.json",
        R"({"machine": {"topology": {)" + std::string(each.topology) + R"(}, "latency": "1us", "bandwidth": "1GBps")" +
            each.more +
            R"(}, "collective": {"kind": "isomorphic_alltoall", "torus": [8], "neighborhood": {"kind": "moore",
  "radius": 1}}, "algorithm": "torus", "block": "8B", "engine": "native"})");
    std::string const err = rondo("run " + file).err;
    EXPECT_EQ(err.find("distance") != std::string::npos, each.said[0] != '\0') << err;
    EXPECT_NE(err.find(each.said), std::string::npos) << err;
    EXPECT_EQ(rondo("run --quiet " + file).err, "");
  }
}

TEST(Sweep, has_what_is_swept_in_columns_of_csv_and_in_json) {
  Folder const folder;
  std::string const file = folder.write("s.json", latencies);
  std::istringstream csv(rondo("run --quiet --format csv " + file).out);
  std::string line;
  std::vector<std::pair<std::string, std::string>> swept;
  while (std::getline(csv, line)) {
    std::vector<std::string> const all = cells(line);
    swept.emplace_back(all[all.size() - 2], all.back());
  }
  EXPECT_EQ(swept, (std::vector<std::pair<std::string, std::string>>{{"/machine/latency", "/algorithm"},
                                                                     {"1us", "torus"},
                                                                     {"1us", "straightforward"},
                                                                     {"2us", "torus"},
                                                                     {"2us", "straightforward"}}));
  std::istringstream lines(rondo("run --quiet --format jsonl " + file).out);
  for (std::size_t i = 1; std::getline(lines, line); ++i) {
    nlohmann::json const record = nlohmann::json::parse(line);
    EXPECT_EQ(record["swept"]["/machine/latency"], swept[i].first);
    EXPECT_EQ(record["swept"]["/algorithm"], swept[i].second);
  }
}

TEST(Sweep, in_csv_with_its_columns_is_continued_merged_checked_and_reported) {
  Folder const folder;
  std::string const file = folder.write("s.json", latencies);
  std::string const at = folder.path().string();
  ASSERT_EQ(rondo("run --quiet --output " + at + "/whole.csv " + file).exit_code, 0);
  ASSERT_EQ(rondo("run --quiet --shard 1/2 --output " + at + "/1.csv " + file).exit_code, 0);
  ASSERT_EQ(rondo("run --quiet --shard 2/2 --output " + at + "/2.csv " + file).exit_code, 0);
  std::string const whole = timeless_csv(content_of(at + "/whole.csv"));
  EXPECT_EQ(timeless_csv(rondo("merge " + at + "/2.csv " + at + "/1.csv").out), whole);
  ASSERT_EQ(rondo("run --quiet --resume --output " + at + "/1.csv " + file).exit_code, 0);
  EXPECT_EQ(timeless_csv(content_of(at + "/1.csv")), whole);
  EXPECT_EQ(rondo("report " + at + "/1.csv --output " + at + "/1.html").exit_code, 0);
  std::string const other = folder.write("t.json", sweep(2, "native"));
  Ran const refused = rondo("run --quiet --resume --output " + at + "/1.csv " + other);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.err, at + "/1.csv: expected the columns of what is swept here, /block, /algorithm, got "
                              "/machine/latency, /algorithm\n");
}

/// The program is interrupted amid a sweep whose first point is quick and whose second one takes for ever, as far as
/// anybody waits.
Ran interrupted(Folder const& folder, std::string const& words, std::string const& until) {
  folder.write("s.json", R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 2048}, "latency": "1us",
    "bandwidth": "1GBps"}, "collective": {"kind": "alltoall", "ranks": 2}, "algorithm": "linear", "block": "8B",
    "engine": "smpi", "sweep": {"/collective/ranks": [2, 2048]}})");
  return shell("cd $work; $rondo run s.json --quiet --verify off " + words + " & " + until +
                   "; kill -INT $!; wait $!; echo \"exit code $?\"",
               folder);
}

TEST(Sweep, that_is_interrupted_says_what_is_kept_and_shows_what_a_table_had) {
  Folder const folder;
  Ran const kept = interrupted(folder, "--output r.jsonl", "until [ -s r.jsonl ]; do sleep 0.05; done");
  EXPECT_EQ(kept.err, "\ninterrupted: 1 of 2 points kept in r.jsonl; the same command with --resume continues\n");
  EXPECT_EQ(kept.out, "exit code 130\n");
  Folder const other;
  Ran const shown = interrupted(other, "", "sleep 5");
  EXPECT_EQ(shown.err,
            "\ninterrupted: 1 of 2 points done; --output FILE.jsonl keeps each, and --resume then continues\n");
  EXPECT_NE(shown.out.find("    1      2"), std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find("exit code 130\n"), std::string::npos) << shown.out;
}

TEST(LongSweep, that_check_or_tune_is_interrupted_in_says_how_far_it_came) {
  Folder const folder;
  folder.write("s.json", R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 2048}, "latency": "1us",
    "bandwidth": "1GBps"}, "collective": {"kind": "alltoall", "ranks": 2}, "algorithm": "linear", "block": "8B",
    "engine": "smpi", "sweep": {"/collective/ranks": [2, 2048]},
    "expect": [{"claim": "short", "that": "linear.time < 1"}]})");
  auto const said = [&](std::string const& words) {
    Ran const ran =
        shell("cd $work; $rondo " + words + " & sleep 5; kill -INT $!; wait $!; echo \"exit code $?\"", folder);
    EXPECT_EQ(ran.out, "exit code 130\n") << words;
    return ran.err;
  };
  EXPECT_EQ(said("check --quiet --verify off s.json"),
            "\ninterrupted in s.json: 1 of 2 points done; --output FILE.jsonl keeps those of one scenario, and "
            "--resume then continues\n");
  std::string const tune = "tune --quiet --verify off --engine smpi --set /sweep/~1collective~1ranks=[2048] s.json";
  EXPECT_NE(
      said(tune).find(" simulations done; --records FILE.jsonl keeps each, and the same command then continues\n"),
      std::string::npos);
  EXPECT_NE(said(tune + " --records r.jsonl").find(" simulations done, kept in r.jsonl; the same command continues\n"),
            std::string::npos);
}

TEST(Sweep, keeps_its_progress_within_the_lines_of_the_terminal) {
  if (!has_terminals()) GTEST_SKIP() << "there is no terminal here";
  Folder const folder;
  std::string const file = folder.write("a-scenario-with-a-name-that-is-longer-than-that.json", sweep(40, "native"));
  std::string const shown = shown_on_terminal(folder, 40, file);
  std::size_t lines = 0;
  for (std::size_t at = shown.find("\x1b[K"); at != std::string::npos; at = shown.find("\x1b[K", at + 1)) {
    std::size_t const end = shown.find_first_of("\r\n", at);
    bool const last = shown.substr(at, end - at).ends_with(" done");  // ends its line, and is written over by nothing
    if (!last) {
      EXPECT_LT(end - at - 3, 40u) << shown.substr(at + 3, end - at - 3);
    }
    ++lines;
  }
  EXPECT_GE(lines, 2u) << shown;
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
    EXPECT_EQ(format == "csv" ? timeless_csv(merged.out) : timeless(merged.out),
              format == "csv" ? timeless_csv(whole) : timeless(whole));
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

TEST(Sweep, is_run_again_where_the_file_of_its_graph_has_changed) {
  Folder const folder;
  std::string const file = folder.write("s.json", R"({
    "machine": {"topology": {"kind": "ring", "hosts": 4}, "latency": "1us", "bandwidth": "1GBps"},
    "collective": {"kind": "neighbor_allgather", "graph": {"kind": "edges", "path": "g.txt"}},
    "algorithm": "naive", "block": "8B", "engine": "native"})");
  std::string const out = (folder.path() / "out.jsonl").string();
  std::string const words = "run --quiet --resume --format jsonl --output " + out + " " + file;
  for (int const edges : {1, 2}) {
    folder.write("g.txt", edges == 1 ? "0 1\n" : "0 1\n2 3\n");
    for (int again = 0; again < 2; ++again) {
      EXPECT_EQ(rondo(words).exit_code, 0);
      EXPECT_EQ(lines(content_of(out)), 1);
      EXPECT_NE(content_of(out).find("\"messages\":" + std::to_string(edges) + ","), std::string::npos);
    }
  }
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
  EXPECT_EQ(rondo("run " + file + " " + file).err, file + ": expected each file once, it is named twice\n");
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

TEST(Sweep, in_shards_is_listed_and_merged_with_what_is_missing) {
  Folder const folder;
  std::string const file = folder.write("s.json", sweep(2, "native"));
  EXPECT_EQ(rondo("run --dry-run --shard 2/3 " + file).out,
            file + ": 4 points, shard 2/3, 1 to do\n  2 /block=\"1B\" /algorithm=\"straightforward\"\n");
  std::string const out = (folder.path() / "out.jsonl").string();
  EXPECT_EQ(rondo("run --quiet --shard 2/2 --format jsonl --output " + out + " " + file).exit_code, 0);
  EXPECT_EQ(rondo("merge " + out).err, file + ": 2 of 4 points are missing\n");
  std::string const older = std::regex_replace(rondo("run --quiet --shard 1/2 --format jsonl " + file).out,
                                               std::regex("\"version\":\"[^\"]*"), "\"version\":\"0.0.1");
  Ran const merged = rondo("merge " + out + " " + folder.write("older.jsonl", older));
  EXPECT_EQ(merged.exit_code, 0);
  EXPECT_EQ(merged.err,
            "2 of 4 records are by the older version 0.0.1; results that changed are named in CHANGELOG.md\n");
}

TEST(Sweep, refuses_an_output_that_cannot_be_written_before_it_simulates) {
  Folder const folder;
  std::string const file = folder.write("s.json", sweep(2, "native"));
  std::string const nowhere = (folder.path() / "nowhere" / "out").string();
  for (std::string const words : {"run --output ", "run --format markdown --output ", "check --junit ",
                                  "tune --output ", "export --format json --output "}) {
    Ran const ran = rondo(words + nowhere + " " + file);
    EXPECT_EQ(ran.exit_code, 2) << words;
    EXPECT_EQ(ran.err, nowhere + ": cannot be written: No such file or directory\n") << words;
  }
}

}  // namespace
}  // namespace rondo::test
