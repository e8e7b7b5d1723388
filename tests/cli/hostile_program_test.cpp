// Programs that do not behave: each is the error of its own point, and leaves neither a process nor a file behind.

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "sanitized.hpp"

namespace rondo::test {
namespace {

using nlohmann::json;

constexpr char const* hostile = R"(
#define _GNU_SOURCE
#include <glob.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
static int is(char const* a, char const* b) { return strcmp(a, b) == 0; }
static char line[1 << 20];
int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    if (is(argv[1], "fork")) fork();
    if (is(argv[1], "clone")) syscall(SYS_fork);
    if (is(argv[1], "child")) system("sleep 1000 &");
    if (is(argv[1], "daemon")) system("setsid sleep 1000 & sleep 0.1");
    if (is(argv[1], "system")) return system("true");
    memset(line, 'x', sizeof line - 1);
    line[sizeof line - 2] = '\n';
    for (int i = 0; is(argv[1], "print") && i < 1024; ++i) write(1, line, sizeof line - 1);
    while (is(argv[1], "print_for_ever")) write(1, line + sizeof line - 1000, 999);
    while (is(argv[1], "memory")) memset(malloc(100 << 20), 1, 100 << 20);
    if (is(argv[1], "bytes")) { puts("\xff\xfe \x1b[31m caf\xc3"); return 3; }
    if (is(argv[1], "cut")) { for (int i = 0; i < 300; ++i) printf("\xc3\xa9"); return 3; }
    if (is(argv[1], "deep")) {
      glob_t folder;
      if (chdir(getenv("TMPDIR")) != 0 || glob("rondo-*", 0, NULL, &folder) != 0) return 4;
      if (chdir(folder.gl_pathv[0]) != 0) return 5;
      for (int i = 0; i < 8000; ++i) if (mkdir("d", 0700) != 0 || chdir("d") != 0) return 6;
    }
    while (is(argv[1], "for_ever") || is(argv[1], "deep"));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
)";

/// A scenario beside the program, with a folder for temporary files of its own.
class Hostile : public testing::Test {
 protected:
  Hostile() {
    work_.write("p.c", hostile);
    std::filesystem::create_directory(work_.path() / "tmp");
  }
  /// The scenario with these arguments, each a point; the first and the last behave.
  void write(std::vector<std::string> modes) const {
    modes.insert(modes.begin(), "first");
    modes.emplace_back("last");
    work_.write(
        "s.json",
        json{{"machine",
              {{"topology", {{"kind", "fully_connected"}, {"hosts", 4}}}, {"latency", "1us"}, {"bandwidth", "1GBps"}}},
             {"collective", {{"kind", "program"}, {"source", "p.c"}, {"arguments", {"first"}}}},
             {"sweep", {{"/collective/arguments/0", modes}}}}
            .dump());
  }
  Ran run(std::string const& script) const {
    return shell("cd $work; export TMPDIR=$work/tmp RONDO_ALLOW_PROGRAMS=1; " + script, work_);
  }
  /// The error of each point by its argument. Expects the first and the last point to have no error, and all points
  /// without an error to have the same number of messages in every run.
  std::map<std::string, std::string> errors(std::string const& words, std::string const& before = "") const {
    Ran const ran = run(before + " $rondo run --quiet --format jsonl " + words + " s.json");
    std::map<std::string, std::string> result;
    std::istringstream lines(ran.out);
    for (std::string text; std::getline(lines, text);) {
      json const record = json::parse(text);
      std::string const mode = record["expanded"]["collective"]["arguments"][0];
      result[mode] = record["error"].is_null() ? "" : record["error"].get<std::string>();
      // MPI_Barrier of 4 ranks.
      if (result[mode].empty()) {
        EXPECT_EQ(record["messages"], 6) << mode;
      }
      EXPECT_EQ(result[mode].empty(), !record["time_s"].is_null()) << mode;
    }
    EXPECT_EQ(result["first"], "") << ran.err;
    EXPECT_EQ(result["last"], "") << ran.err;
    return result;
  }
  void expect_nothing_left() const {
    EXPECT_TRUE(std::filesystem::is_empty(work_.path() / "tmp"));
    EXPECT_EQ(processes(), 0);
  }
  /// Processes that have the folder of temporary files in their environment.
  int processes() const {
    Ran const ran = shell("grep -lsF TMPDIR=$work/tmp /proc/[0-9]*/environ | wc -l", work_);
    return std::stoi(ran.out);
  }
  /// Starts a run, kills it by SIGKILL when it has made so many private folders (one to compile in, one for each
  /// point), and waits for the end of all.
  void expect_nothing_left_of_a_killed_run(int folders) const {
    Ran const ran =
        run("$rondo run --quiet s.json & id=$!\nlast=none\n"
            "for ((made = 0; made < " +
            std::to_string(folders) +
            ";)); do\n"
            "  now=$(ls tmp); [ -n \"$now\" ] && [ \"$now\" != $last ] && last=$now && ((++made))\n"
            "  sleep 0.01\ndone\nsleep 1; ls tmp | wc -l; kill -9 $id; wait\n"
            "for i in {1..200}; do [ -z \"$(ls tmp)\" ] && break; sleep 0.05; done");
    EXPECT_EQ(ran.out, "1\n") << "expected a private folder while it runs: " << ran.err;
    for (int i = 0; i < 100 && processes() > 0; ++i) usleep(20000);
    expect_nothing_left();
  }

  Folder work_;
};

TEST_F(Hostile, forking_and_leaving_processes_behind_are_errors) {
  write({"fork", "clone", "child", "daemon", "system"});
  for (char const* jobs : {"", "--jobs 3"}) {
    auto error = errors(jobs);
    EXPECT_EQ(error["fork"], "exit: a rank forked, and a simulation cannot follow two processes");
    EXPECT_EQ(error["clone"], "exit: it left 1 process behind");
    EXPECT_EQ(error["child"], "exit: it left 1 process behind");
    EXPECT_EQ(error["daemon"], "exit: it left 1 process behind");
    EXPECT_EQ(error["system"], "exit: rank 0 returned without MPI_Finalize");
  }
  expect_nothing_left();
}

TEST_F(Hostile, DISABLED_a_program_of_more_than_a_gibibyte_is_an_error) {
  write({});
  work_.write("p.c", "#include <mpi.h>\nchar large[1100000000] = {1};\nint main() { return large[5]; }\n");
  Ran const ran = run("$rondo run --quiet s.json");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err, "s.json: /collective/source: the program is larger than 1GiB\n");
  expect_nothing_left();
}

TEST_F(Hostile, printing_a_gigabyte_is_an_error) {
  write({"print", "print_for_ever"});
  auto error = errors("");
  EXPECT_TRUE(error["print"].starts_with("exit: it printed more than 64MiB: xxx")) << error["print"];
  EXPECT_LT(error["print"].size(), 500U);
  EXPECT_TRUE(error["print_for_ever"].starts_with("exit: it printed more than 64MiB")) << error["print_for_ever"];
  expect_nothing_left();
}

TEST_F(Hostile, taking_all_memory_and_never_ending_are_errors) {
  if (!sanitized) {  // the sanitizers reserve more than any such limit
    write({"memory"});
    auto error = errors("", "ulimit -v 2000000;");
    EXPECT_TRUE(error["memory"].starts_with("out of memory") || error["memory"].starts_with("crash"))
        << error["memory"];
  }
  write({"for_ever"});
  auto error = errors("--timeout 5s");
  EXPECT_EQ(error["for_ever"], "timeout after 5s");
  expect_nothing_left();
}

using LongHostile = Hostile;

/// In the private folder of its point, which it takes the keeper a moment to empty.
TEST_F(LongHostile, folders_8000_deep_are_gone_when_a_run_ends_by_its_time_out) {
  write({"deep"});
  Ran const ran = run("$rondo run --quiet --timeout 10s --format jsonl s.json; ls tmp | wc -l");
  EXPECT_NE(ran.out.find("timeout after 10s"), std::string::npos) << ran.out;
  EXPECT_TRUE(ran.out.ends_with("\n0\n")) << ran.out;
  expect_nothing_left();
}

TEST_F(Hostile, last_words_that_are_no_text_are_shown_escaped) {
  write({"bytes", "cut"});
  for (char const* jobs : {"", "--jobs 2"}) {
    auto error = errors(jobs);
    EXPECT_EQ(error["bytes"], R"(exit: rank 0 returned 3: \xff\xfe \x1b[31m caf\xc3)");
    std::string const cut = error["cut"];
    EXPECT_TRUE(cut.ends_with("é... (600 characters)")) << cut;
  }
  json shown = json::parse(content_of(work_.path() / "s.json"));
  shown["collective"]["printed"] = "shown";
  work_.write("s.json", shown.dump());
  EXPECT_NE(run("$rondo run --quiet s.json").err.find(R"(\xff\xfe \x1b[31m caf\xc3)"), std::string::npos);
  for (char const* format : {"csv", "table", "markdown"}) {
    Ran const ran = run(std::string("$rondo run --quiet --format ") + format + " s.json");
    EXPECT_NO_THROW((void)json(ran.out).dump()) << format;
    EXPECT_NE(ran.out.find(R"(xff)"), std::string::npos) << ran.out;
  }
}

TEST_F(Hostile, compiling_takes_no_longer_than_the_time_out) {
  write({});
  // Nobody writes to the FIFO, so that the compiler waits for ever.
  ASSERT_EQ(run("mkfifo never.h; echo '#include \"never.h\"' > p.c").exit_code, 0);
  Ran const ran = run("$rondo run --quiet --timeout 1s s.json");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err, "s.json: /collective/source: it is not compiled within 1s, as --timeout says\n");
  expect_nothing_left();
  expect_nothing_left_of_a_killed_run(1);
}

TEST_F(Hostile, nothing_is_left_of_a_run_that_is_killed) {
  // Compiling, and the first point, behind which comes the one that never ends.
  write({"for_ever"});
  expect_nothing_left_of_a_killed_run(2);
}

}  // namespace
}  // namespace rondo::test
