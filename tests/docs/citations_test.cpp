#include "docs/citations.hpp"
#include "folder.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace rondo::docs {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

TEST(Citations, of_comments_scenarios_and_documents_lead_to_a_place_that_exists) {
  EXPECT_EQ(unresolved(RONDO_SOURCE_DIR), Lines());
}

/// A repository of its own, in which citations lead nowhere.
class PlantedCitations : public testing::Test {
 protected:
  void SetUp() override {
    plant("README.md", "# A program\n");
    plant("docs/references.md", "# References\n\n- **[Known16]** A paper. (`known-paper 2016`)\n");
    plant("docs/notes.md", "# Notes\n\n### A section: 2 words\n");
  }

  void plant(std::string const& file, std::string const& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }

  test::Folder const folder_;
  fs::path const root_ = folder_.path();
};

TEST_F(PlantedCitations, that_resolve_are_silent) {
  plant("src/base/a.hpp", "// As in [Known16, Section 2], docs/notes.md#a-section-2-words and base/a.hpp.\n");
  plant("scenarios/a.json", R"({"source": "known-paper 2016, Table 1", "expect": [{"claim": "c", "that": "1"}]})");
  plant("scenarios/b.json", R"({"source": "[Known16], Table 2"})");
  plant("scenarios/c.json", R"({"source": "a.json"})");
  plant("docs/more.md", "[notes](notes.md#a-section-2-words), [readme](../README.md), [web](https://example.org/x)\n");
  EXPECT_EQ(unresolved(root_), Lines());
}

TEST_F(PlantedCitations, of_an_unknown_paper_are_named_with_their_line) {
  plant("src/base/a.cpp", "int a;\n/// [Nobody99, Section 2]\n");
  EXPECT_EQ(unresolved(root_), Lines({"src/base/a.cpp:2: [Nobody99] is not in docs/references.md"}));
}

TEST_F(PlantedCitations, of_a_section_that_is_gone_are_named) {
  plant("tests/base/a.cpp", "// docs/notes.md#another-section\n");
  plant("docs/more.md", "See [there](notes.md#gone) and [here](gone.md).\n");
  EXPECT_EQ(unresolved(root_),
            Lines({"docs/more.md:1: docs/notes.md has no section #gone", "docs/more.md:1: gone.md is not there",
                   "tests/base/a.cpp:1: docs/notes.md has no section #another-section"}));
}

TEST_F(PlantedCitations, of_a_file_that_was_moved_are_named) {
  plant("src/base/a.hpp", "// The words of base/gone.hpp.\nstatic char const* text = \"src/base/gone.cpp\";\n");
  plant("docs/more.md", "`tests/base/gone_test.cpp`\n");
  EXPECT_EQ(unresolved(root_), Lines({"docs/more.md:1: tests/base/gone_test.cpp is not there",
                                      "src/base/a.hpp:1: base/gone.hpp is not there"}));
}

TEST_F(PlantedCitations, of_scenarios_must_name_a_source_and_corrections_a_note) {
  plant("scenarios/a.json", R"({"source": "well known", "expect": [{"claim": "c", "correction": "it is 3"}]})");
  EXPECT_EQ(unresolved(root_), Lines({"scenarios/a.json:1: neither docs/notes.md nor docs/reproduction/ names this "
                                      "scenario, which corrects: it is 3",
                                      "scenarios/a.json:1: the source \"well known\" names no reference and no file"}));
}

TEST_F(PlantedCitations, of_scenarios_may_correct_in_the_page_of_reproductions) {
  plant("scenarios/a.json", R"({"source": "[Known16]", "expect": [{"claim": "c", "correction": "it is 3"}]})");
  plant("docs/reproduction/known.md", "| 2 | 3 | `scenarios/a.json` | corrected |\n");
  EXPECT_EQ(unresolved(root_), Lines());
}

TEST_F(PlantedCitations, of_a_test_must_be_in_the_file_that_is_named) {
  plant("tests/base/a_test.cpp", "TEST(Units, add_up) {}\n");
  plant("tests/base/b_test.cpp", "TEST(Units, subtract) {}\n");
  plant("docs/notes.md", "# Notes\n\nEvidence: `tests/base/a_test.cpp` `Units.add_up` and `Units.subtract`.\n");
  EXPECT_EQ(unresolved(root_), Lines({"docs/notes.md:3: tests/base/a_test.cpp has no test Units.subtract"}));
}

}  // namespace
}  // namespace rondo::docs
