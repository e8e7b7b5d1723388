// On a terminal an error names the page to read on; a script reads the error alone.

#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "cli/command.hpp"

namespace rondo::test {
namespace {

/// A good scenario with one thing changed.
std::string with(char const* patch) {
  auto scenario = nlohmann::json::parse(
      R"({"machine": {"topology": {"kind": "ring", "hosts": 4}, "latency": "1us", "bandwidth": "1GBps"},
          "collective": {"kind": "bcast", "ranks": 4}, "algorithm": "binomial", "block": "1B", "engine": "native"})");
  scenario.merge_patch(nlohmann::json::parse(patch));
  return scenario.dump();
}

/// What `rondo WORDS` says on standard error of a terminal.
std::string said_on_terminal(Folder const& folder, std::string const& words) {
  std::string const typescript = (folder.path() / "typescript").string();
  std::string const command = std::string("script -qec '") + RONDO_BINARY + " " + words + "' /dev/null";
  EXPECT_EQ(WEXITSTATUS(std::system((command + " >" + typescript + " </dev/null").c_str())), 2) << words;
  return content_of(typescript);
}

/// The heading as GitHub and mkdocs make an anchor of it.
bool has_heading(std::string const& text, std::string const& anchor) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("#")) continue;
    std::string made;
    for (char const c : line.substr(line.find_first_not_of("# "))) {
      if (c == ' ') made += '-';
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') made += static_cast<char>(std::tolower(c));
    }
    if (made == anchor) return true;
  }
  return false;
}

struct Case {
  char const *patch, *command, *page;
};
constexpr Case cases[] = {
    {R"({"machine": {"topology": {"kind": "rings"}}})", "run", "docs/scenario-machine.md#topology"},
    {R"({"machine": {"bandwidth": "1"}})", "run", "docs/scenario-machine.md#machine"},
    {R"({"collective": {"kind": "broadcast"}})", "show", "docs/scenario.md#collective"},
    {R"({"algorithm": "binominal"})", "run", "docs/algorithms.md"},
    {R"({"block": "1XB"})", "explain", "docs/scenario.md#keys-of-a-scenario"},
    {R"({"sweep": {"block": ["1B"]}})", "run", "docs/sweeps.md"},
    {R"({"expect": [{"claim": "", "that": "1"}]})", "check", "docs/claims.md"},
    {"{}", "check", "docs/ci.md"},
    {"{}", "tune --from 1XB", "docs/tuning.md"},
    {"{}", "prove --timeout 1x", "docs/custom.md"},
    {"{}", "merge --output x.jsonl", "docs/sweeps.md"},
    {"{}", "fit --output x.json", "docs/measured.md"},
};

TEST(Pages, are_named_on_a_terminal_and_are_there) {
  if (!has_terminals()) GTEST_SKIP() << "no terminal can be made here, for lack of /dev/pts";
  for (Case const& each : cases) {
    Folder const folder;
    std::string const words = std::string(each.command) + " " + folder.write("s.json", with(each.patch));
    std::string const said = said_on_terminal(folder, words);
    EXPECT_NE(said.find(std::string(" (see ") + each.page + ")\r\n"), std::string::npos) << words << ": " << said;
    std::string const page = each.page;
    std::string const text = content_of(std::string(RONDO_SOURCE_DIR "/") + page.substr(0, page.find('#')));
    EXPECT_FALSE(text.empty()) << page;
    if (page.find('#') != std::string::npos) {
      EXPECT_TRUE(has_heading(text, page.substr(page.find('#') + 1))) << page;
    }
    EXPECT_EQ(rondo(words).err.find("(see"), std::string::npos) << words;
  }
}

}  // namespace
}  // namespace rondo::test
