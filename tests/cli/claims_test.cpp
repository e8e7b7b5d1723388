// Every claim in scenarios/claims, and the list of them in scenarios/README.md. RONDO_UPDATE=1 in the environment
// writes that list anew.

#include <gtest/gtest.h>

#include "cli/command.hpp"

namespace rondo::test {
namespace {

TEST(LongClaims, all_hold_and_are_listed_in_the_readme_of_the_scenarios) {
  Ran const ran = rondo("check --quiet --allow-programs --format markdown " RONDO_SOURCE_DIR "/scenarios/claims");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  std::string const path = RONDO_SOURCE_DIR "/scenarios/README.md";
  std::string const page = content_of(path);
  std::size_t const begin = page.find("\n\n", page.find("writes the rest of this page")) + 2;
  ASSERT_LE(begin, page.size());
  if (std::getenv("RONDO_UPDATE") != nullptr) {
    std::ofstream(path, std::ios::binary) << page.substr(0, begin) << ran.out;
  } else {
    EXPECT_EQ(page.substr(begin), ran.out) << "RONDO_UPDATE=1 writes scenarios/README.md anew";
  }
}

constexpr char const* with_a_correction = R"({
  "title": "A | in the title", "source": "a paper, Table 1",
  "machine": {"topology": {"kind": "ring", "hosts": 4}, "latency": "1us", "bandwidth": "1GBps"},
  "collective": {"kind": "isomorphic_alltoall", "torus": [4], "neighborhood": {"kind": "offsets", "offsets": [[1]]}},
  "algorithm": "torus", "block": "8B",
  "expect": [{"claim": "one round", "that": "torus.rounds == 1", "correction": "printed: 2 rounds"},
             {"claim": "two rounds", "that": "torus.rounds == 2"}]
})";

TEST(Claims, are_a_markdown_table_with_verdicts_and_corrections) {
  Folder const folder;
  Ran const ran = rondo("check --quiet --format markdown " + folder.write("s.json", with_a_correction));
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_EQ(ran.out,
            "### A \\| in the title\n\n`s.json`: a paper, Table 1\n\n"
            "| claim | verdict | corrected |\n|---|---|---|\n"
            "| one round | holds (1) | printed: 2 rounds |\n"
            "| two rounds | **fails** (1 of 1) |  |\n\n");
  EXPECT_NE(ran.err.find("s.json: two rounds: torus.rounds == 2 with torus.rounds = 1"), std::string::npos) << ran.err;
}

TEST(Claims, are_cases_of_junit_xml) {
  Folder const folder;
  std::string text = with_a_correction;
  text.replace(text.find("two rounds"), 4, "two\\uFFFE");  // which XML has no place for
  std::string const file = folder.write("s.json", text);
  std::string const xml = (folder.path() / "junit.xml").string();
  Ran const ran = rondo("check --quiet --junit " + xml + " " + file);
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_EQ(content_of(xml),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
            "  <testsuite name=\"" +
                file +
                "\" tests=\"2\" failures=\"1\" errors=\"0\">\n"
                "    <testcase classname=\"" +
                file +
                "\" name=\"one round\"/>\n"
                "    <testcase classname=\"" +
                file +
                "\" name=\"two\\u{fffe}rounds\">"
                "<failure message=\"torus.rounds == 2 with torus.rounds = 1\"/></testcase>\n"
                "  </testsuite>\n</testsuites>\n");
}

}  // namespace
}  // namespace rondo::test
