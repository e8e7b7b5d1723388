// The action that proves schedules in the CI of other projects, as the plain script that it is.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "folder.hpp"

namespace rondo::docs {
namespace {

namespace fs = std::filesystem;

fs::path const action = fs::path(RONDO_SOURCE_DIR) / ".github/actions/prove";

std::string text_in(fs::path const& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// The exit code of the script in this folder.
int exit_of(fs::path const& folder, std::string const& environment) {
  std::string const line = "cd '" + folder.string() + "' && RONDO='" RONDO_BINARY "' " + environment + " '" +
                           (action / "prove.sh").string() + "' >out 2>err";
  int const status = std::system(line.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Rank 0 sends to rank 1; with another promise it would be wrong.
std::string schedule_of(std::string const& promise) {
  return R"({"format":"rondo-schedule","ranks":2,"promise":)" + promise + R"(,"programs":[
    {"ranks":[0],"buffers":{"send":{"slots":1}},"rounds":[{"sends":[{"rank":1,"places":[["send",0]]}]}]},
    {"ranks":[1],"buffers":{"send":{"slots":1},"receive":{"slots":1}},"rounds":[{"receives":[{"rank":0,"places":[["receive",0]]}]}]}]})";
}

TEST(Action, proves_what_it_is_given_and_writes_what_ci_systems_read) {
  test::Folder const own;
  fs::path const folder = own.path();
  fs::create_directories(folder / "schedules");
  std::ofstream(folder / "schedules/good.json") << schedule_of(R"({"kind":"bcast","ranks":2})");
  EXPECT_EQ(exit_of(folder, "FILES='schedules/*.json' TIMEOUT=60s"), 0) << text_in(folder / "err");
  EXPECT_NE(text_in(folder / "proofs.xml").find("errors=\"0\""), std::string::npos);
  EXPECT_TRUE(nlohmann::json::parse(text_in(folder / "proofs.sarif"))["runs"][0]["results"].empty());

  // Rank 1 has a block of its own to send back: the promise is not kept.
  std::ofstream(folder / "schedules/wrong.json")
      << schedule_of(R"({"kind":"stated","ranks":2,"held":[[0],[0]],"owed":[[],[0]]})");
  EXPECT_EQ(exit_of(folder, "FILES='schedules/*.json' JUNIT=j.xml"), 1) << text_in(folder / "err");
  auto const found = nlohmann::json::parse(text_in(folder / "proofs.sarif"))["runs"][0]["results"];
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0]["ruleId"], "wrong-place");
  EXPECT_EQ(found[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "schedules/wrong.json");
  EXPECT_NE(text_in(folder / "j.xml").find("<failure"), std::string::npos);
  EXPECT_EQ(exit_of(folder, "FILES=nowhere.json"), 2);
}

TEST(Action, hands_all_of_its_inputs_to_the_script) {
  std::regex const input(R"(\n        ([A-Z_]+): \$\{\{ inputs\.([a-z-]+) \}\})");
  for (auto const& [name, wanted] : {std::pair("prove", 5), std::pair("check", 5)}) {
    fs::path const folder = action.parent_path() / name;
    std::string const yaml = text_in(folder / "action.yml"), script = text_in(folder / (std::string(name) + ".sh"));
    int inputs = 0;
    for (std::sregex_iterator each(yaml.begin(), yaml.end(), input); each != std::sregex_iterator(); ++each, ++inputs) {
      EXPECT_NE(script.find("${" + (*each)[1].str()), std::string::npos) << (*each)[1];
      EXPECT_NE(yaml.find("\n  " + (*each)[2].str() + ":\n"), std::string::npos) << (*each)[2];
    }
    EXPECT_EQ(inputs, wanted) << name;
  }
}

}  // namespace
}  // namespace rondo::docs
