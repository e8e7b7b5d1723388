// Names of files and cells of results that are not UTF-8 are shown escaped, end nothing, and leave every document well
// formed. (What programs say: hostile_program_test.cpp.)

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace rondo::test {
namespace {

using nlohmann::json;

constexpr char const* plain_scenario = R"({
  "title": "Two sizes",
  "machine": {"topology": {"kind": "ring", "hosts": 4}, "latency": "1us", "bandwidth": "1GBps"},
  "collective": {"kind": "isomorphic_alltoall", "torus": [4], "neighborhood": {"kind": "offsets", "offsets": [[1]]}},
  "algorithm": "torus", "block": "8B", "engine": "native", "sweep": {"/block": ["1B", "2B"]},
  "expect": [{"claim": "one round", "that": "torus.rounds == 1"}, {"claim": "caf\u00e9 \u0001", "that": "torus.rounds == 2"}]
})";

bool is_utf8(std::string const& text) {
  try {
    (void)json(text).dump();
    return true;
  } catch (json::type_error const&) {
    return false;
  }
}

class Utf8 : public testing::Test {
 protected:
  Utf8() { work_.write("s\xff\xc3.json", plain_scenario); }
  /// $s is the scenario.
  Ran run(std::string const& script) const {
    return shell("cd $work; s=$(printf 's\\xff\\xc3.json'); " + script, work_);
  }

  Folder work_;
};

TEST_F(Utf8, the_name_of_a_file_is_escaped_in_records_and_tables) {
  for (char const* format : {"jsonl", "csv", "table", "markdown"}) {
    for (char const* jobs : {"1", "2"}) {
      Ran const ran = run(std::string("$rondo run --quiet --jobs ") + jobs + " --format " + format + " $s");
      EXPECT_EQ(ran.exit_code, 0) << ran.err;
      EXPECT_TRUE(is_utf8(ran.out)) << format;
    }
  }
  Ran const ran = run("$rondo run --quiet --format jsonl $s | head -n 1");
  EXPECT_EQ(json::parse(ran.out)["scenario"], R"(s\xff\xc3.json)");
}

TEST_F(Utf8, the_name_of_a_file_is_escaped_in_claims_decisions_and_records_of_schedules_too) {
  Ran const claims = run("$rondo check --quiet --format jsonl $s");
  EXPECT_EQ(claims.exit_code, 1) << claims.err;  // one of them fails
  EXPECT_TRUE(is_utf8(claims.out));
  EXPECT_NE(claims.out.find(R"("scenario":"s\\xff\\xc3.json","claim")"), std::string::npos) << claims.out;
  Ran const tuned = run("$rondo tune --quiet --format json $s");
  EXPECT_EQ(tuned.exit_code, 0) << tuned.err;
  EXPECT_EQ(json::parse(tuned.out)["decisions"][0]["scenario"], R"(s\xff\xc3.json)");
  work_.write("g\xff.goal", "num_ranks 2\nrank 0 {\nl1: send 8b to 1\n}\nrank 1 {\nl1: recv 8b from 0\n}\n");
  work_.write("m.json",
              R"({"topology": {"kind": "fully_connected", "hosts": 2}, "latency": "1us", "bandwidth": "1GBps"})");
  for (char const* format : {"jsonl", "csv"}) {
    Ran const goal =
        run(std::string("$rondo run --quiet --machine m.json --format ") + format + " $(printf 'g\\xff.goal')");
    EXPECT_EQ(goal.exit_code, 0) << goal.err;
    EXPECT_NE(goal.out.find(R"(g\\xff.goal)"), std::string::npos) << goal.out;
  }
}

TEST_F(Utf8, a_sweep_of_such_a_file_is_resumed) {
  for (char const* format : {"jsonl", "csv"}) {
    std::string const words = std::string(" --quiet --format ") + format + " --output r $s";
    EXPECT_EQ(run("$rondo run --force" + words).exit_code, 0);
    std::string const whole = content_of(work_.path() / "r");
    Ran const again = run("$rondo run --resume" + words);
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_EQ(content_of(work_.path() / "r"), whole);
  }
}

TEST_F(Utf8, junit_markdown_and_html_stay_well_formed) {
  Ran const checked = run("$rondo check --quiet --junit j.xml --format markdown $s");
  EXPECT_EQ(checked.exit_code, 1) << checked.err;
  EXPECT_TRUE(is_utf8(checked.out));
  std::string const xml = content_of(work_.path() / "j.xml");
  EXPECT_TRUE(is_utf8(xml));
  EXPECT_NE(xml.find(R"(classname="s\xff\xc3.json" name="café \x01")"), std::string::npos) << xml;
  // XML 1.0, section 2.2: no control character but the end of a line is used.
  EXPECT_TRUE(std::all_of(xml.begin(), xml.end(), [](unsigned char c) { return c >= ' ' || c == '\n'; }));
  EXPECT_EQ(
      run("$rondo run --quiet --format jsonl --output r.jsonl $s; $rondo report --output r.html r.jsonl").exit_code, 0);
  EXPECT_TRUE(is_utf8(content_of(work_.path() / "r.html")));
  Ran const shown = run("$rondo show --format html --output s.html $s");
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_TRUE(is_utf8(content_of(work_.path() / "s.html")));
}

TEST_F(Utf8, a_byte_of_csv_ends_neither_a_report_nor_a_merge_nor_a_sweep) {
  ASSERT_EQ(run("cp $s s.json; $rondo run --quiet --format csv --output r.csv s.json").exit_code, 0);
  std::string text = content_of(work_.path() / "r.csv");
  // In every row, so that the records are those of one sweep.
  for (std::size_t row = text.find("\ns.json,"); row != std::string::npos; row = text.find("\ns.json,", row)) {
    text.replace(row + 1, 1, "\xe9");
  }
  work_.write("r.csv", text);
  Ran const report = run("$rondo report --output r.html r.csv");
  EXPECT_EQ(report.exit_code, 0) << report.err;
  EXPECT_TRUE(is_utf8(content_of(work_.path() / "r.html")));
  EXPECT_EQ(run("$rondo merge --output m.csv r.csv").exit_code, 0);
  Ran const resumed = run("$rondo run --quiet --resume --format csv --output r.csv s.json");
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_TRUE(is_utf8(content_of(work_.path() / "r.csv")));
}

TEST_F(Utf8, an_error_about_such_a_file_is_one_line_of_text) {
  Ran const ran = run("mv $s t.json; $rondo run $s");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err, "s\\xff\\xc3.json: no such file\n");
}

}  // namespace
}  // namespace rondo::test
