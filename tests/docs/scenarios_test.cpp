// scenarios/README.md, which scenarios/readme.py writes from the scenario files: read here without that script.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
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

/// A claim as a row names it: words that occur in it and in no other claim of its scenario, and the verdict that the
/// row says it has.
struct NamedClaim {
  std::string words, verdict;
};

/// A scenario as a row names it. Without claims it stands for all that it claims.
struct NamedScenario {
  std::string file;
  std::vector<NamedClaim> claims;
};

/// The last cell of a row: `scenarios/a.json`: *words of a claim*, *words of another one* (its verdict). A claim
/// without a verdict has that of the row.
std::vector<NamedScenario> named_in(std::string const& cell, std::string const& verdict) {
  static std::regex const token(R"re(`(scenarios/[^`]+\.json)`|\*([^*]+)\*(?: \((\w+)\))?)re");
  std::vector<NamedScenario> named;
  for (std::sregex_iterator match(cell.begin(), cell.end(), token); match != std::sregex_iterator(); ++match) {
    if ((*match)[1].matched) {
      named.push_back({match->str(1), {}});
    } else if (!named.empty()) {
      named.back().claims.push_back({match->str(2), (*match)[3].matched ? match->str(3) : verdict});
    }
  }
  return named;
}

/// What is wrong with a scenario that is named in a row of this verdict; empty where nothing is. `own` becomes true
/// where one of its claims has the verdict of the row.
std::string complaint(NamedScenario const& named, std::string const& verdict, bool& own) {
  fs::path const file = fs::path(RONDO_SOURCE_DIR) / named.file;
  if (!fs::exists(file)) return named.file + " is not there";
  auto const scenario = nlohmann::json::parse(content(file));
  if (named.claims.empty()) {
    own = true;
    for (auto const& claim : scenario["expect"]) {
      if (verdict_of(claim) != verdict) return named.file + " has claims of other verdicts: name those that are meant";
    }
  }
  for (auto const& [words, expected] : named.claims) {
    std::vector<std::string> verdicts;
    for (auto const& claim : scenario["expect"]) {
      if (claim["claim"].get<std::string>().find(words) != std::string::npos) verdicts.push_back(verdict_of(claim));
    }
    if (verdicts.size() != 1) return fmt::format("\"{}\" is in {} claims of {}", words, verdicts.size(), named.file);
    if (verdicts[0] != expected) return fmt::format("\"{}\" of {} is {}", words, named.file, verdicts[0]);
    own = own || expected == verdict;
  }
  return "";
}

/// What is wrong with a row that ends with a verdict and the scenarios that have it; empty where nothing is. A verdict
/// may say more than its first word; what is not claimed names no scenario.
std::string complaint(std::string const& row) {
  static std::regex const verdict(
      R"(\| (holds|corrected|refuted|explained|unexplained|not claimed)( [^|]*)? \|([^|]*)\|$)");
  std::smatch cells;
  if (!std::regex_search(row, cells, verdict)) return "no verdict";
  auto const named = named_in(cells[3], cells[1]);
  if (cells[1] == "not claimed") return named.empty() ? "" : "what is not claimed names a scenario";
  bool own = false;
  for (auto const& scenario : named) {
    if (auto what = complaint(scenario, cells[1], own); !what.empty()) return what;
  }
  return own ? "" : "no claim has the verdict of the row";
}

struct Judged {
  int rows = 0;
  std::vector<std::string> complaints;
};

/// The rows of a page's tables whose last columns are a verdict and its scenarios, and what is wrong with them.
Judged judged_rows(std::string const& page) {
  Judged judged;
  std::istringstream lines(page);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    inside = line.ends_with("| verdict | scenario |") || (inside && line.starts_with("|"));
    if (!inside || !line.starts_with("| ") || line.ends_with("| verdict | scenario |")) continue;
    ++judged.rows;
    if (auto const what = complaint(line); !what.empty()) judged.complaints.push_back(what + ": " + line);
  }
  return judged;
}

TEST(Scenarios, are_in_their_readme_with_every_claim_and_nothing_else) {
  fs::path const folder = fs::path(RONDO_SOURCE_DIR) / "scenarios";
  std::string const page = content(folder / "README.md");
  std::ptrdiff_t scenarios = 0, claims = 0;
  for (char const* const part : {"", "claims", "measured"}) {
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

TEST(Scenarios, have_the_claims_with_the_verdicts_that_the_papers_pages_give_them) {
  int rows = 0;
  for (auto const& page : fs::directory_iterator(fs::path(RONDO_SOURCE_DIR) / "docs/reproduction")) {
    auto const judged = judged_rows(content(page.path()));
    EXPECT_GT(judged.rows, 0) << page;
    rows += judged.rows;
    EXPECT_EQ(judged.complaints, std::vector<std::string>()) << page;
  }
  EXPECT_GT(rows, 100);
}

/// Everything that judged_rows says of a table with this row alone, without the row.
std::string said_of(std::string const& row) {
  auto const judged = judged_rows("| place | ours | verdict | scenario |\n|---|---|---|---|\n" + row + "\n");
  EXPECT_EQ(judged.rows, 1);
  if (judged.complaints.empty()) return "";
  return judged.complaints[0].substr(0, judged.complaints[0].find(": | "));
}

TEST(Scenarios, of_another_verdict_than_their_row_are_found) {
  std::string const moore = "`scenarios/claims/proposition-1-moore.json`";
  EXPECT_EQ(said_of("| Section 1 | 6 | holds | " + moore + ": *Moore(2,1): 4 rounds* |"), "");
  EXPECT_EQ(said_of("| Section 1 | 6 | corrected in part | " + moore + ": *Moore(3,1)*, *Moore(2,1)* (holds) |"), "");
  EXPECT_EQ(said_of("| Section 1 | 6 | not claimed |  |"), "");
  EXPECT_EQ(said_of("| Section 1 | 6 | corrected | " + moore + ": *Moore(2,1): 4 rounds* |"),
            "\"Moore(2,1): 4 rounds\" of scenarios/claims/proposition-1-moore.json is holds");
  EXPECT_EQ(said_of("| Section 1 | 6 | unexplained | " + moore + ": *Moore(2,1): 4 rounds* (holds) |"),
            "no claim has the verdict of the row");
  EXPECT_EQ(said_of("| Section 1 | 6 | corrected | " + moore + " |"),
            "scenarios/claims/proposition-1-moore.json has claims of other verdicts: name those that are meant");
}

TEST(Scenarios, whose_claims_a_row_does_not_name_alone_are_found) {
  std::string const moore = "`scenarios/claims/proposition-1-moore.json`";
  EXPECT_EQ(said_of("| Section 1 | 6 | holds | " + moore + ": *Moore(9,9)* |"),
            "\"Moore(9,9)\" is in 0 claims of scenarios/claims/proposition-1-moore.json");
  EXPECT_EQ(said_of("| Section 1 | 6 | holds | " + moore + ": *Moore(3,3)* |"),
            "\"Moore(3,3)\" is in 2 claims of scenarios/claims/proposition-1-moore.json");
  EXPECT_EQ(said_of("| Section 1 | 6 | holds |  |"), "no claim has the verdict of the row");
  EXPECT_EQ(said_of("| Section 1 | 6 | maybe | " + moore + " |"), "no verdict");
  EXPECT_EQ(said_of("| Section 1 | 6 | holds | `scenarios/gone.json` |"), "scenarios/gone.json is not there");
}

}  // namespace
}  // namespace rondo::docs
