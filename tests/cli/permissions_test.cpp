// Programs are code: what a scenario may start and read without being asked for is nothing but itself.

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace rondo::test {
namespace {

using nlohmann::json;

constexpr char const* program = R"(
#include <mpi.h>
int main(int c, char** v) { MPI_Init(&c, &v); MPI_Barrier(MPI_COMM_WORLD); return MPI_Finalize(); }
)";

json const machine = {
    {"topology", {{"kind", "fully_connected"}, {"hosts", 4}}}, {"latency", "1us"}, {"bandwidth", "1GBps"}};

/// A folder with a scenario below it, beside which lie other files.
class Trust : public testing::Test {
 protected:
  Trust() {
    std::filesystem::create_directory(work_.path() / "in");
    work_.write("in/p.c", program);
    work_.write("p.c", program);
    std::filesystem::create_symlink(work_.path() / "p.c", work_.path() / "in/link.c");
    std::filesystem::create_symlink("p.c", work_.path() / "in/inside.c");
  }
  json const with_program = {{"machine", machine}, {"collective", {{"kind", "program"}, {"source", "p.c"}}}};

  Ran run(std::string const& words, json const& of, std::string const& before = "") const {
    work_.write("in/s.json", of.dump());
    return shell("cd $work; " + before + " $rondo " + words + " in/s.json", work_);
  }
  void expect_refused(Ran const& ran, std::string const& words) const {
    EXPECT_EQ(ran.exit_code, 2) << ran.out << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_NE(ran.err.find(words), std::string::npos) << ran.err;
  }

  Folder work_;
};

TEST_F(Trust, no_command_starts_a_compiler_or_a_program_unless_it_may) {
  // A compiler that leaves a trace.
  work_.write("smpicc", "#!/bin/sh\ntouch " + (work_.path() / "started").string() + "\nexit 1\n");
  std::filesystem::permissions(work_.path() / "smpicc", std::filesystem::perms::owner_all);
  std::string const path = "PATH=$work:$PATH ";
  json with_claim = with_program;
  with_claim["expect"] = {{{"claim", "ends"}, {"that", "default.time >= 0"}}};
  with_claim["algorithm"] = "default";
  auto const started = [&] { return std::filesystem::exists(work_.path() / "started"); };
  for (char const* words : {"run", "run --jobs 2", "check", "tune", "show", "show --format html",
                            "export --format trace", "export --format goal", "export --format platform"}) {
    expect_refused(run(words, with_claim, path), "in/s.json: /collective/source: expected --allow-programs or ");
    expect_refused(run(words, with_claim, path + "RONDO_ALLOW_PROGRAMS=0"), "expected --allow-programs or ");
    EXPECT_FALSE(started()) << words;
  }
  json binary = with_program;
  binary["collective"] = {{"kind", "program"}, {"binary", "p.c"}};
  expect_refused(run("run", binary), "in/s.json: /collective/binary: expected --allow-programs or ");
  for (char const* words : {"run --dry-run", "run --dry-run --allow-programs"}) {
    Ran const listed = run(words, with_claim, path + "RONDO_ALLOW_PROGRAMS=1");
    EXPECT_EQ(listed.exit_code, 0) << listed.err;
    EXPECT_EQ(listed.out, "in/s.json: 1 point\n  1\n");
    EXPECT_FALSE(started()) << words;
  }
  expect_refused(run("run --allow-programs", with_claim, path), "/collective/source: ");
  EXPECT_TRUE(started());
}

TEST_F(Trust, a_program_runs_where_the_command_line_or_the_environment_says_so) {
  EXPECT_EQ(run("run --quiet --allow-programs", with_program).exit_code, 0);
  EXPECT_EQ(run("run --quiet", with_program, "RONDO_ALLOW_PROGRAMS=1").exit_code, 0);
}

TEST_F(Trust, flags_that_name_programs_or_files_are_refused) {
  work_.write("in/words", "-wrapper /bin/false");
  work_.write("in/-fplugin=x.so", "");
  for (std::string const flag : {"-wrapper",
                                 "/bin/sh,-c",
                                 "-fplugin=./x.so",
                                 "-fplugin=x",
                                 "-fpass-plugin=x",
                                 "@words",
                                 "-B.",
                                 "-B",
                                 "-specs=x",
                                 "--specs=x",
                                 "-Wl,@words",
                                 "-Wl,-plugin,x.so",
                                 "-Wa,@words",
                                 "-Wp,@words",
                                 "-Xlinker",
                                 "-plugin",
                                 "-Xassembler",
                                 "-Xpreprocessor",
                                 "-Xclang",
                                 "-fuse-ld=/bin/false",
                                 "-fuse-ld=x",
                                 "-no-integrated-cpp",
                                 "-fno-integrated-as",
                                 "-fmodule-mapper=|x",
                                 "-foffload=x",
                                 "-fdump-tree-all=x",
                                 "-o",
                                 "-ox",
                                 "-MF",
                                 "-include",
                                 "-x",
                                 "-f*",
                                 "-I*",
                                 "-I=/usr/include",
                                 "-U",
                                 "-fopt-info-all=note.txt",
                                 "-I$SYSROOT/usr/include",
                                 "-L=/usr/lib",
                                 "-[w]rapper",
                                 "-show",
                                 "-DX\b-wrapper",
                                 "-T",
                                 "-Tx",
                                 "-flto",
                                 "--sysroot=x",
                                 "-gcc",
                                 "",
                                 "x.c",
                                 "../p.c",
                                 "-print-prog-name=ld",
                                 "-save-temps",
                                 "-mllvm",
                                 "-imacros",
                                 "-Rpass",
                                 "--param=x"}) {
    json of = with_program;
    of["collective"]["flags"] = {"-O1", flag};
    expect_refused(run("run --allow-programs", of),
                   "in/s.json: /collective/flags/1: expected a flag of one word that defines, includes, optimizes");
  }
  json of = with_program;
  of["collective"]["flags"] = {"-DN=100",     "-DM",         "-UM",           "-I.",        "-L.",      "-lm",
                               "-O3",         "-g",          "-ggdb3",        "-w",         "-std=c11", "-Wall",
                               "-Wno-unused", "-Wextra",     "-pthread",      "-fPIC",      "-Ofast",   "-pipe",
                               "-ffast-math", "-fno-inline", "-march=x86-64", "-DS=\"a b\""};
  Ran const ran = run("run --quiet --allow-programs", of);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
}

TEST_F(Trust, folders_of_flags_lie_below_the_scenarios_or_a_permitted_one) {
  std::filesystem::create_directory(work_.path() / "beside");
  work_.write("beside/h.h", "#define BESIDE 1\n");
  std::filesystem::create_directory_symlink(work_.path() / "beside", work_.path() / "in/link");
  std::filesystem::create_directory(work_.path() / "beside/below");
  std::filesystem::create_directory_symlink(work_.path() / "beside/below", work_.path() / "in/deep");
  for (std::string const flag : {"-I..", "-I../beside", "-Ilink", "-L/tmp", "-I/", "-Ideep/.."}) {
    json of = with_program;
    of["collective"]["flags"] = {"-O1", flag};
    expect_refused(run("run --allow-programs", of),
                   "in/s.json: /collective/flags/1: expected a folder below the scenario's folder, or below that of "
                   "--allow-path DIR, where links lead too, got \"" +
                       flag + "\"");
  }
  json linked = with_program;
  linked["collective"]["flags"] = {"-include", "link/h.h"};
  expect_refused(run("run --allow-programs", linked),
                 "in/s.json: /collective/flags/1: expected a file below the scenario's folder, or below that of "
                 "--allow-path DIR, where links lead too, got \"link/h.h\"");
  json of = with_program;
  of["collective"]["flags"] = {"-I../beside", "-include", "h.h", "-DUSED=BESIDE"};
  Ran const ran = run("run --quiet --allow-programs --allow-path beside", of);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
}

TEST_F(Trust, files_of_a_scenario_lie_below_its_folder_or_a_permitted_one) {
  work_.write("machine.json", machine.dump());
  work_.write("graph.txt", "0 1\n1 0\n");
  work_.write("in/platform.xml", "");
  std::filesystem::create_symlink(work_.path() / "graph.txt", work_.path() / "in/graph.txt");
  std::string const words = "expected a file below the scenario's folder, or below that of --allow-path DIR";
  std::string const outside = (work_.path() / "p.c").string();
  auto const of = [&](std::string const& pointer, std::string const& file) {
    json result = with_program;
    json const edges = {{"kind", "edges"}, {"path", file}};
    if (pointer == "/collective/graph/path") {
      result["collective"] = {{"kind", "neighbor_allgather"}, {"graph", edges}};
      result["algorithm"] = "naive";
      result["block"] = "8B";
    } else if (pointer == "/collective/pattern/path") {
      result["collective"] = {{"kind", "sparse_exchange"}, {"pattern", edges}};
      result["algorithm"] = "personalized";
      result["block"] = "8B";
    } else if (pointer == "/machine/topology/path") {
      result["machine"]["topology"] = {{"kind", "file"}, {"path", file}};
    } else if (pointer == "/machine") {
      result["machine"] = file;
    } else {
      result["collective"].erase("source");
      result["collective"][pointer.substr(pointer.rfind('/') + 1)] = file;
    }
    return result;
  };
  for (auto const& [pointer, file] : {std::pair<std::string, std::string>{"/collective/source", "../p.c"},
                                      {"/collective/source", outside},
                                      {"/collective/source", "link.c"},
                                      {"/collective/source", "../in/../p.c"},
                                      {"/collective/binary", "/bin/true"},
                                      {"/collective/graph/path", "../graph.txt"},
                                      {"/collective/graph/path", "graph.txt"},
                                      {"/collective/graph/path", "/etc/passwd"},
                                      {"/collective/pattern/path", "../graph.txt"},
                                      {"/machine", "../machine.json"},
                                      {"/machine", "/etc/passwd"},
                                      {"/machine/topology/path", "../../../../../etc/passwd"}}) {
    Ran const ran = run("run --allow-programs", of(pointer, file));
    expect_refused(ran, "in/s.json: " + pointer + ": " + words);
    EXPECT_EQ(ran.err.find("root:"), std::string::npos) << ran.err;
  }
  for (auto const& [pointer, file] : {std::pair{"/collective/source", "../p.c"},
                                      {"/collective/source", "link.c"},
                                      {"/collective/graph/path", "graph.txt"},
                                      {"/machine", "../machine.json"}}) {
    Ran const ran = run("run --quiet --allow-programs --allow-path /usr --allow-path .", of(pointer, file));
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
  }
  EXPECT_EQ(run("run --quiet --allow-programs", of("/collective/source", "inside.c")).exit_code, 0);
  // A machine that is named on the command line may lie anywhere, what it names may not.
  Ran const named = run("run --quiet --allow-programs --set /machine=machine.json", with_program);
  EXPECT_EQ(named.exit_code, 0) << named.err;
  expect_refused(run("run --allow-path nowhere", with_program), "--allow-path");
}

}  // namespace
}  // namespace rondo::test
