// scenarios/README.md, which scenarios/readme.py writes from the scenario files: read here without that script.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
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

/// A row that ends with a verdict and the scenarios that have it. A verdict may say more than its first word. Without a
/// verdict, that is empty.
struct Row {
  std::string verdict;
  std::vector<NamedScenario> named;
};

Row row_in(std::string const& line) {
  static std::regex const verdict(
      R"(\| (holds|corrected|refuted|explained|unexplained|not claimed)( [^|]*)? \|([^|]*)\|$)");
  std::smatch cells;
  if (!std::regex_search(line, cells, verdict)) return {};
  return {cells[1], named_in(cells[3], cells[1])};
}

/// What is wrong with a row; empty where nothing is. What is not claimed names no scenario.
std::string complaint(Row const& row) {
  if (row.verdict.empty()) return "no verdict";
  if (row.verdict == "not claimed") return row.named.empty() ? "" : "what is not claimed names a scenario";
  bool own = false;
  for (auto const& scenario : row.named) {
    if (auto what = complaint(scenario, row.verdict, own); !what.empty()) return what;
  }
  return own ? "" : "no claim has the verdict of the row";
}

struct Judged {
  int rows = 0;
  std::vector<std::string> complaints;
  std::vector<NamedScenario> named;  ///< in any of them
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
    auto const row = row_in(line);
    if (auto const what = complaint(row); !what.empty()) judged.complaints.push_back(what + ": " + line);
    judged.named.insert(judged.named.end(), row.named.begin(), row.named.end());
  }
  return judged;
}

/// What the rows leave out of a scenario that comes with Rondo: all of it, or claims of which more is to be said than
/// that they hold.
std::vector<std::string> left_out(std::string const& file, nlohmann::json const& claims,
                                  std::vector<NamedScenario> const& named) {
  auto const names = [&](auto const& claim, NamedScenario const& scenario) {
    std::string const text = claim["claim"];
    return scenario.file == file &&
           (scenario.claims.empty() || std::ranges::any_of(scenario.claims, [&](auto const& c) {
              return text.find(c.words) != std::string::npos;
            }));
  };
  if (std::ranges::none_of(named, [&](auto const& scenario) { return scenario.file == file; }))
    return {file + " is in no row"};
  std::vector<std::string> result;
  for (auto const& claim : claims) {
    if (verdict_of(claim) == "holds") continue;
    if (std::ranges::none_of(named, [&](auto const& scenario) { return names(claim, scenario); }))
      result.push_back(fmt::format("\"{}\" of {} is in no row", claim["claim"].get<std::string>(), file));
  }
  return result;
}

/// The scenarios that come with Rondo; folders with files that they name have none.
std::vector<fs::path> scenario_files() {
  std::vector<fs::path> files;
  for (char const* const part : {"", "claims", "measured", "workloads"}) {
    for (auto const& entry : fs::directory_iterator(fs::path(RONDO_SOURCE_DIR) / "scenarios" / part)) {
      if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

/// The pages that set measured and stated numbers beside ours.
std::vector<fs::path> judging_pages() {
  fs::path const docs = fs::path(RONDO_SOURCE_DIR) / "docs";
  std::vector<fs::path> pages{docs / "measured.md"};
  for (auto const& page : fs::directory_iterator(docs / "reproduction")) pages.push_back(page.path());
  std::ranges::sort(pages);
  return pages;
}

TEST(Scenarios, are_in_their_readme_with_every_claim_and_nothing_else) {
  fs::path const folder = fs::path(RONDO_SOURCE_DIR) / "scenarios";
  std::string const page = content(folder / "README.md");
  std::ptrdiff_t scenarios = 0, claims = 0;
  for (auto const& file : scenario_files()) {
    auto const scenario = nlohmann::json::parse(content(file));
    std::string section = fmt::format("### {}\n\n`{}`: {}\n\n{}\n\n| claim | verdict | correction |\n|---|---|---|\n",
                                      file.stem().string(), fs::relative(file, folder).string(),
                                      escaped(scenario["title"]), escaped(scenario["source"]));
    for (auto const& claim : scenario["expect"]) section += row_of(claim);
    EXPECT_NE(page.find(section), std::string::npos) << file << ": run scenarios/readme.py";
    ++scenarios;
    claims += std::ssize(scenario["expect"]);
  }
  std::ptrdiff_t sections = 0;
  for (auto at = page.find("\n### "); at != std::string::npos; at = page.find("\n### ", at + 1)) ++sections;
  EXPECT_EQ(sections, scenarios) << "a section of a scenario that is gone: run scenarios/readme.py";
  EXPECT_GT(claims, scenarios);
}

TEST(Scenarios, are_in_the_pages_of_numbers_with_the_verdicts_that_these_give_their_claims) {
  int rows = 0;
  std::vector<NamedScenario> named;
  for (auto const& page : judging_pages()) {
    auto const judged = judged_rows(content(page));
    EXPECT_GT(judged.rows, 0) << page;
    rows += judged.rows;
    named.insert(named.end(), judged.named.begin(), judged.named.end());
    EXPECT_EQ(judged.complaints, std::vector<std::string>()) << page;
  }
  EXPECT_GT(rows, 100);
  for (auto const& file : scenario_files()) {
    auto const name = fs::relative(file, RONDO_SOURCE_DIR).generic_string();
    EXPECT_EQ(left_out(name, nlohmann::json::parse(content(file))["expect"], named), std::vector<std::string>());
  }
}

TEST(Scenarios, that_no_row_names_are_found_and_so_are_their_claims_that_do_not_hold) {
  auto const claims = nlohmann::json::parse(
      R"([{"claim": "one"}, {"claim": "two", "verdict": "refuted"}, {"claim": "three", "correction": "four"}])");
  auto const left = [&](std::vector<NamedScenario> const& named) {
    return left_out("scenarios/a.json", claims, named);
  };
  EXPECT_EQ(left({{"scenarios/b.json", {}}}), std::vector<std::string>{"scenarios/a.json is in no row"});
  EXPECT_EQ(left({{"scenarios/a.json", {{"three", "corrected"}}}, {"scenarios/b.json", {}}}),
            std::vector<std::string>{"\"two\" of scenarios/a.json is in no row"});
  EXPECT_EQ(left({{"scenarios/a.json", {{"wo", "refuted"}}}, {"scenarios/a.json", {{"three", "corrected"}}}}),
            std::vector<std::string>());
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
