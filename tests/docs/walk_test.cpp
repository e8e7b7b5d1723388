#include "docs/walk.hpp"
#include "folder.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace rondo::docs {
namespace {

namespace fs = std::filesystem;

/// A folder in which scenarios/ and platforms/ are those that come with Rondo, and nothing else.
struct FreshFolder : test::Folder {
  FreshFolder() {
    for (char const* known : {"scenarios", "platforms"})
      fs::create_symlink(fs::path(RONDO_SOURCE_DIR) / known, path() / known);
  }
};

std::string in_lines(Lines const& lines) {
  std::string text;
  for (auto const& line : lines) text += line + "\n";
  return text;
}

/// The pages that people read, without what programs have written.
std::vector<std::string> pages() {
  std::vector<std::string> result{"README.md"};
  for (auto const& entry : fs::directory_iterator(fs::path(RONDO_SOURCE_DIR) / "docs")) {
    if (entry.path().extension() == ".md") result.push_back("docs/" + entry.path().filename().string());
  }
  std::ranges::sort(result);
  return result;
}

class Page : public testing::TestWithParam<std::string> {};

TEST_P(Page, does_what_it_says) {
  FreshFolder const folder;
  EXPECT_EQ(in_lines(walk(steps_of(lines_of(fs::path(RONDO_SOURCE_DIR) / GetParam())), folder.path(), RONDO_BINARY)),
            "");
}

/// What is shown without its output is for the launcher, or installs, or needs another machine.
TEST_P(Page, shows_no_command_of_rondo_that_is_not_run) {
  std::string block;
  for (auto const& line : lines_of(fs::path(RONDO_SOURCE_DIR) / GetParam())) {
    if (line.starts_with("```")) block = block.empty() ? line : "";
    EXPECT_FALSE(!block.empty() && block != "```console" && line.starts_with("rondo ")) << line;
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Page, testing::ValuesIn(pages()), [](auto const& page) {
  std::string name = fs::path(page.param).stem().string();
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

TEST(Walk, finds_files_and_commands_in_the_order_of_the_page) {
  auto const steps = steps_of({"# A page", "```json title=\"a.json\"", "{}", "```", "text", "```console",
                               "$ cat a.json", "{}", "$ true", "```"});
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[0].file, "a.json");
  EXPECT_EQ(steps[0].text, Lines{"{}"});
  EXPECT_EQ(steps[1].words, "cat a.json");
  EXPECT_EQ(steps[1].line, 7);
  EXPECT_EQ(steps[2].text, Lines());
}

TEST(Walk, leaves_out_what_needs_a_program_that_is_not_installed) {
  auto const said = [](char const* program) {
    Lines const page{
        fmt::format("<!-- needs {} -->", program), "```console", "$ exit 3", "```", "```console", "$ exit 4", "```"};
    return walk(steps_of(page), FreshFolder().path(), RONDO_BINARY);
  };
  EXPECT_EQ(said("bash"), (Lines{"line 3: exit 3: exit code 3", "line 6: exit 4: exit code 4"}));
  EXPECT_EQ(said("no-such-program"), Lines{"line 6: exit 4: exit code 4"});
}

TEST(Walk, names_what_a_command_prints_otherwise_and_its_exit_code) {
  auto const said = [](Lines const& page) { return walk(steps_of(page), FreshFolder().path(), RONDO_BINARY); };
  EXPECT_EQ(said({"```txt title=\"a\"", "1", "2", "3", "```", "```console", "$ cat a", "1", "...", "3", "```"}),
            Lines());
  EXPECT_EQ(said({"```console", "$ echo 1", "2", "```"}), (Lines{"line 2: echo 1: printed", "1"}));
  EXPECT_EQ(said({"```console", "$ exit 3", "```"}), Lines{"line 2: exit 3: exit code 3"});
}

TEST(Walk, lets_three_dots_stand_for_any_lines) {
  EXPECT_TRUE(printed_as({"...", "b", "..."}, {"a", "b"}));
  EXPECT_TRUE(printed_as({"..."}, {}));
  EXPECT_FALSE(printed_as({"...", "b"}, {"b", "c"}));
  EXPECT_FALSE(printed_as({}, {"a"}));
}

}  // namespace
}  // namespace rondo::docs
