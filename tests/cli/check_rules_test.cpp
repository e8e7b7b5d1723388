// rondo check-rules and tune --format, from their words to their exit codes.

#include <gtest/gtest.h>

#include "cli/command.hpp"

namespace rondo::test {
namespace {

constexpr char const* machine =
    R"({"topology": {"kind": "fully_connected", "hosts": 4}, "latency": "1us", "bandwidth": "1GBps"})";

// Linear takes alpha + 3 m beta, the pipeline of one segment 3 (alpha + m beta): 4 us and 6 us at 1000 bytes.
constexpr char const* pipeline_alone = "1 # bcast\n7 1 0 1\n0 3 0 0 # pipeline\n";

std::string words(Folder const& folder, std::string const& rules) {
  return "check-rules --quiet --ranks 4 --from 1000B --to 1000B --segments 1MiB --machine " +
         folder.write("m.json", machine) + " " + folder.write("rules", rules) + " ";
}

TEST(CheckRules, says_what_a_rule_costs) {
  Folder const folder;
  Ran const ran = rondo(words(folder, pipeline_alone));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("bcast      4   1kB   pipeline   6us"), std::string::npos) << ran.out;
}

TEST(CheckRules, fails_where_one_costs_more_than_it_may) {
  Folder const folder;
  EXPECT_EQ(rondo(words(folder, pipeline_alone) + "--at-most 10").exit_code, 0);
  EXPECT_EQ(rondo(words(folder, pipeline_alone) + "--at-most 1.01").exit_code, 1);
}

TEST(CheckRules, takes_a_machine_in_another_folder_that_names_a_file_there) {
  Folder const folder;
  folder.write("rules", pipeline_alone);
  Ran const ran = shell("cd $work && mkdir m && cp " RONDO_SOURCE_DIR
                        "/platforms/fully-connected-64.xml m/p.xml && echo '{\"topology\": {\"kind\": \"file\", "
                        "\"path\": \"p.xml\"}}' >m/m.json && $rondo check-rules --quiet --ranks 4 --from 1000B "
                        "--to 1000B --segments 1MiB --machine m/m.json rules",
                        folder);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("pipeline"), std::string::npos) << ran.out;
}

TEST(CheckRules, fails_where_the_library_cannot_do_it) {
  Folder const folder;
  Ran const ran = rondo(words(folder, "1 # allgather\n0 1 0 1\n0 6 0 0 # two_proc\n"));
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  EXPECT_NE(ran.out.find("is not for 4 ranks"), std::string::npos) << ran.out;
}

TEST(CheckRules, says_what_it_cannot_judge) {
  Folder const folder;
  Ran const ran = rondo(words(folder, "3\n1 1 0 1 0 1 0 0\n2 1 0 1 0 2 0 0\n7 1 0 1 0 0 0 0\n"));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("allgatherv"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("Rondo does not have it"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("the library's own decision"), std::string::npos) << ran.out;
}

TEST(TuneForLibraries, writes_one_file_of_several_scenarios) {
  Folder const folder;
  auto const scenario = [](std::string const& kind) {
    return R"({"machine": )" + std::string(machine) + R"(, "collective": {"kind": ")" + kind + R"(", "ranks": 4},
      "algorithm": "linear", "block": "1B"})";
  };
  std::string const output = (folder.path() / "rules").string();
  Ran const ran = rondo("tune --quiet --to 1KiB --format ompi --output " + output + " " +
                        folder.write("b.json", scenario("bcast")) + " " + folder.write("a.json", scenario("alltoall")));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  std::string const text = content_of(output);
  EXPECT_NE(text.find("\n2 # collectives\n\n3 # alltoall\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n7 # bcast\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace rondo::test
