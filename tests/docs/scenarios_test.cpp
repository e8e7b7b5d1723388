// scenarios/README.md, which scenarios/readme.py writes from the scenario files: read here without that script.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace rondo::docs {
namespace {

namespace fs = std::filesystem;

std::string content(fs::path const& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::string escaped(std::string const& text) {
  std::string result;
  for (char const c : text) {
    if (std::string("|*_<`").find(c) != std::string::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string row_of(nlohmann::json const& claim) {
  std::string const correction = claim.value("correction", "");
  std::string const verdict = claim.value("verdict", correction.empty() ? "holds" : "corrected");
  return fmt::format("| {} | {} | {} |\n", escaped(claim["claim"].get<std::string>()), verdict, escaped(correction));
}

TEST(Scenarios, are_in_their_readme_with_every_claim_and_nothing_else) {
  fs::path const folder = fs::path(RONDO_SOURCE_DIR) / "scenarios";
  std::string const page = content(folder / "README.md");
  std::ptrdiff_t scenarios = 0, claims = 0;
  for (char const* const part : {"", "claims"}) {
    for (auto const& entry : fs::directory_iterator(folder / part)) {
      if (entry.path().extension() != ".json") continue;
      auto const scenario = nlohmann::json::parse(content(entry.path()));
      std::string section = fmt::format("### {}\n\n`{}`: {}\n\n{}\n\n| claim | verdict | correction |\n|---|---|---|\n",
                                        entry.path().stem().string(), fs::relative(entry.path(), folder).string(),
                                        escaped(scenario["title"]), escaped(scenario["source"]));
      for (auto const& claim : scenario["expect"]) section += row_of(claim);
      EXPECT_NE(page.find(section), std::string::npos) << entry.path() << ": run scenarios/readme.py";
      ++scenarios;
      claims += std::ssize(scenario["expect"]);
    }
  }
  std::ptrdiff_t sections = 0;
  for (auto at = page.find("\n### "); at != std::string::npos; at = page.find("\n### ", at + 1)) ++sections;
  EXPECT_EQ(sections, scenarios) << "a section of a scenario that is gone: run scenarios/readme.py";
  EXPECT_GT(claims, scenarios);
}

}  // namespace
}  // namespace rondo::docs
