// docs/algorithms.md says of every algorithm of the collectives on all ranks what it does, and which files have it.

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <map>
#include <regex>
#include <set>

#include "docs/walk.hpp"

namespace rondo::docs {
namespace {

using Words = std::set<std::string>;

void add_quoted(std::string const& text, Words& words) {
  static std::regex const quoted("`([^`]+)`");
  for (std::sregex_iterator match(text.begin(), text.end(), quoted); match != std::sregex_iterator(); ++match)
    words.insert((*match)[1]);
}

/// A section headed by one kind of collective or two: what the first cells of its table name, and its other text.
struct Described {
  Words algorithms;
  std::string text;
};

/// The sections of the page by kind: "### gather and scatter" is one of both.
std::map<std::string, Described> described(Lines const& page) {
  static std::regex const heading("### ([a-z_]+)(?: and ([a-z_]+))?");
  std::map<std::string, Described> sections;
  Words kinds;
  for (auto const& line : page) {
    std::smatch match;
    if (line.starts_with("#")) kinds.clear();
    if (std::regex_match(line, match, heading)) kinds = {match[1], match[2].matched ? match[2] : match[1]};
    for (auto const& kind : kinds) {
      auto& section = sections[kind];
      if (line.starts_with("| ")) {
        add_quoted(line.substr(0, line.find('|', 1)), section.algorithms);
      } else {
        section.text += line + "\n";
      }
    }
  }
  return sections;
}

/// What `rondo list KIND` names behind the kind in its last line.
Words listed(std::string const& kind) {
  FILE* const pipe = popen((RONDO_BINARY " list " + kind).c_str(), "r");
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0) << kind;
  std::string const names = text.substr(text.rfind(kind + ": "));
  static std::regex const word("[a-z_]+");
  Words words(std::sregex_token_iterator(names.begin(), names.end(), word), {});
  words.erase(kind);
  return words;
}

constexpr std::array<char const*, 11> on_all_ranks{"bcast",    "gather",    "scatter",        "allgather",
                                                   "alltoall", "reduce",    "reduce_scatter", "scan",
                                                   "exscan",   "allreduce", "barrier"};

TEST(Algorithms, of_the_collectives_on_all_ranks_are_described_with_their_files) {
  auto const sections = described(lines_of(RONDO_SOURCE_DIR "/docs/algorithms.md"));
  for (std::string const kind : on_all_ranks) {
    ASSERT_TRUE(sections.contains(kind)) << kind;
    auto const& [algorithms, text] = sections.at(kind);
    Words const known = listed(kind);
    EXPECT_FALSE(known.empty()) << kind;
    for (auto const& algorithm : known) EXPECT_TRUE(algorithms.contains(algorithm)) << kind << " " << algorithm;
    for (char const* files : {"Generator: [", "Theory:", "](../src/theory/", "Claims:", "](../scenarios/claims/"})
      EXPECT_NE(text.find(files), std::string::npos) << kind << " " << files;
  }
}

TEST(Algorithms, are_as_many_as_the_readme_says_for_each_collective) {
  std::string page;
  for (auto const& line : lines_of(RONDO_SOURCE_DIR "/README.md")) page += line + "\n";
  auto const section = page.substr(page.find("## Collectives"), page.find("## Beside") - page.find("## Collectives"));
  static std::regex const counted("`([a-z_]+)` (\\d+)");
  Words kinds;
  for (std::sregex_iterator match(section.begin(), section.end(), counted); match != std::sregex_iterator(); ++match) {
    std::string const kind = (*match)[1];
    EXPECT_EQ(listed(kind).size(), std::stoul((*match)[2])) << kind;
    kinds.insert(kind);
  }
  for (std::string const kind : on_all_ranks) EXPECT_TRUE(kinds.contains(kind)) << kind;
}

TEST(Algorithms, are_read_from_the_section_of_one_kind_or_of_two) {
  auto const sections =
      described({"### gather and scatter", "| algorithm | what |", "|---|---|", "| `linear`, `bine` | as `ring` |",
                 "Theory: none", "### scan", "| `ring` | x |", "## Else", "| `none` | x |"});
  ASSERT_EQ(sections.size(), 3U);
  EXPECT_EQ(sections.at("scatter").algorithms, (Words{"bine", "linear"}));
  EXPECT_EQ(sections.at("gather").text, "### gather and scatter\n|---|---|\nTheory: none\n");
  EXPECT_EQ(sections.at("scan").algorithms, Words{"ring"});
}

}  // namespace
}  // namespace rondo::docs
