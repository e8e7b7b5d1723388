// scenarios/README.md, which scenarios/readme.py writes from the scenario files: read here without that script.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

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

std::string verdict_of(nlohmann::json const& claim) {
  return claim.value("verdict", claim.value("correction", "").empty() ? "holds" : "corrected");
}

std::string row_of(nlohmann::json const& claim) {
  return fmt::format("| {} | {} | {} |\n", escaped(claim["claim"].get<std::string>()), verdict_of(claim),
                     escaped(claim.value("correction", "")));
}

/// The verdicts of the claims of the scenarios that the text names in backticks.
std::set<std::string> verdicts_of_scenarios_in(std::string const& text) {
  static std::regex const named("`(scenarios/[^`]+\\.json)`");
  std::set<std::string> verdicts;
  for (std::sregex_iterator name(text.begin(), text.end(), named); name != std::sregex_iterator(); ++name) {
    auto const scenario = nlohmann::json::parse(content(fs::path(RONDO_SOURCE_DIR) / name->str(1)));
    for (auto const& claim : scenario["expect"]) verdicts.insert(verdict_of(claim));
  }
  return verdicts;
}

struct Judged {
  int rows = 0;
  std::vector<std::string> contradicted;
};

/// The rows of a page's tables that end with a verdict and the scenarios that have it, and those of them whose
/// verdict none of these scenarios' claims has. A verdict may say more than its first word.
Judged judged_rows(std::string const& page) {
  static std::regex const row(R"(\| (holds|corrected|refuted|explained|unexplained)( [^|]*)? \|([^|]*)\|$)");
  Judged judged;
  std::istringstream lines(page);
  std::smatch cells;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| ") || !std::regex_search(line, cells, row)) continue;
    ++judged.rows;
    if (!verdicts_of_scenarios_in(cells[3]).contains(cells[1])) judged.contradicted.push_back(line);
  }
  return judged;
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

TEST(Scenarios, have_a_claim_with_the_verdict_that_the_papers_pages_give_them) {
  int rows = 0;
  for (auto const& page : fs::directory_iterator(fs::path(RONDO_SOURCE_DIR) / "docs/reproduction")) {
    auto const judged = judged_rows(content(page.path()));
    EXPECT_GT(judged.rows, 0) << page;
    rows += judged.rows;
    EXPECT_EQ(judged.contradicted, std::vector<std::string>()) << page;
  }
  EXPECT_GT(rows, 80);
}

TEST(Scenarios, of_another_verdict_than_their_row_are_found) {
  std::string const right = "| Section 1 | 6 | holds | `scenarios/claims/proposition-1-moore.json` |";
  std::string const wrong = "| Section 1 | 6 | unexplained | `scenarios/claims/proposition-1-moore.json` |";
  auto const judged =
      judged_rows("| place | ours | verdict | scenario |\n|---|---|---|---|\n" + right + "\n" + wrong + "\n");
  EXPECT_EQ(judged.rows, 2);
  EXPECT_EQ(judged.contradicted, std::vector<std::string>{wrong});
}

}  // namespace
}  // namespace rondo::docs
