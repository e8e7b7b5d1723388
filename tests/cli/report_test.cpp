// `rondo report`: what it reads and refuses, and what the page holds. What it draws is in browser_report_test.cpp.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "cli/command.hpp"
#include "cli/pages.hpp"

namespace rondo::test {
namespace {

using nlohmann::json;

TEST(Report, holds_every_record_from_csv_and_from_json_alike) {
  Folder const folder;
  std::string const scenario = folder.write("s.json", two_algorithms);
  rondo("run --quiet --format jsonl --output " + (folder.path() / "r.jsonl").string() + " " + scenario);
  rondo("run --quiet --format csv --output " + (folder.path() / "r.csv").string() + " " + scenario);
  json const from_lines = reported(folder, "r.jsonl"), from_table = reported(folder, "r.csv");
  EXPECT_EQ(from_lines, from_table);
  json const& only = from_lines["scenarios"].at(0);
  EXPECT_EQ(only["file"], scenario);
  EXPECT_EQ(only["title"], "a title with </script><b>&amp; in it");
  ASSERT_EQ(only["records"].size(), 8u);
  std::istringstream lines(content_of(folder.path() / "r.jsonl"));
  std::string line;
  for (json const& record : only["records"]) {
    std::getline(lines, line);
    json const written = json::parse(line);
    for (auto const& [key, value] : record.items()) {
      if (key == "at") continue;
      // The report holds those figures of theory and bounds that it draws.
      json const figures = value.is_object() ? value : json::object();
      for (auto const& [name, figure] : figures.items()) {
        EXPECT_EQ(figure, written[key][name]) << key << " " << name;
      }
      EXPECT_TRUE(value.is_object() || value == written[key]) << key;
    }
  }
}

/// Ports and latency change together, so they make one axis. What is the same in every record makes no axis.
TEST(Report, finds_the_axes_by_which_records_differ) {
  Folder const folder;
  std::string const scenario = folder.write("s.json", two_algorithms);
  rondo("run --quiet --format jsonl --output " + (folder.path() / "r").string() + " " + scenario);
  json const data = reported(folder, "r");
  EXPECT_EQ(data["scenarios"][0]["axes"], json::parse(R"([
    {"name": "latency, ports", "pointers": ["/machine/latency", "/machine/ports"], "values": ["1us, 1", "3us, 2"]}])"));
  EXPECT_EQ(data["scenarios"][0]["records"][0]["at"], json::parse("[0]"));
}

TEST(Report, has_the_claims_of_check_with_verdicts) {
  Folder const folder;
  std::string const scenario = folder.write("s.json", two_algorithms);
  Ran const checked = rondo("check --quiet --format jsonl " + scenario);
  EXPECT_EQ(checked.exit_code, 1) << checked.err;
  folder.write("r", checked.out);
  json const claims = reported(folder, "r")["scenarios"][0]["claims"];
  ASSERT_EQ(claims.size(), 2u);
  EXPECT_EQ(claims[0]["claim"], "fewer rounds");
  EXPECT_EQ(claims[0]["verdict"], "holds");
  EXPECT_EQ(claims[0]["judged"], 4);
  EXPECT_EQ(claims[0]["correction"], "the paper has no <i>");
  EXPECT_EQ(claims[1]["verdict"], "fails");
  EXPECT_EQ(claims[1]["passed"], 0);
}

TEST(Report, asks_for_no_network_and_lets_no_text_end_its_script) {
  Folder const folder;
  rondo("run --quiet --format jsonl --output " + (folder.path() / "r").string() + " " +
        folder.write("s.json", two_algorithms));
  reported(folder, "r");
  std::string const html = content_of(folder.path() / "r.html");
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
  for (char const* request : {"<link", "@import", " src=", "url("})
    EXPECT_EQ(html.find(request), std::string::npos) << request;
  std::size_t closing = 0;
  for (std::size_t at = html.find("</script"); at != std::string::npos; at = html.find("</script", at + 1)) ++closing;
  EXPECT_EQ(closing, 2u);
  EXPECT_NE(html.find("<title>a title with &lt;/script>&lt;b>&amp;amp; in it - Rondo report</title>"),
            std::string::npos);
}

TEST(Report, refuses_what_is_no_result_with_file_line_and_field) {
  Folder const folder;
  std::string const scenario = folder.write("s.json", two_algorithms);
  std::string const lines = rondo("run --quiet --format jsonl " + scenario).out;
  std::string const cells = rondo("run --quiet --format csv " + scenario).out;
  auto const replaced = [](std::string text, std::string const& what, std::string const& by) {
    std::size_t const at = text.find(what, text.find('\n'));
    return text.replace(at, what.size(), by);
  };
  struct Case {
    std::string text, error;
  };
  std::string const file = (folder.path() / "r").string();
  std::size_t const second = lines.find('\n') + 1;
  for (Case const& each : {
           Case{"", "expected results, found an empty file"},
           Case{"{\n", "line 1: expected a record as JSON, got {"},
           Case{"[1]", "/0: expected a record, got 1"},
           Case{"[]", "expected at least one record, got none"},
           Case{"a,b\n", "line 1: expected JSON, or the columns of this version, got a,b"},
           Case{replaced(lines, "\"rounds\":4", "\"rounds\":\"four\""),
                "line 2: rounds: expected an integer or null, got \"four\""},
           Case{replaced(lines, "\"point\":2,", ""), "line 2: point: expected a value or null, got none"},
           Case{replaced(lines, "\"delivered\":true", "\"delivered\":1"),
                "line 2: delivered: expected true or false or null, got 1"},
           Case{replaced(cells, ",linear,neighbors,,,8,", ",linear,neighbors,,,many,"),
                "line 2: p: expected an integer, got \"many\""},
           Case{lines.substr(0, lines.size() - 9),
                "expected a line end after the last record, it is cut off; run --resume completes it"},
           Case{lines.substr(0, second) + lines.substr(0, second),
                "line 2: point 1 of " + scenario + " is there already: " + file + ": line 1"},
           Case{R"({"claim": "c", "scenario": "s", "verdict": "perhaps"})"
                "\n",
                "line 1: verdict: expected one of holds, fails, idle, unjudged, refuted, explained, unexplained, "
                "wrong, not judged, got "
                "\"perhaps\""},
       }) {
    folder.write("r", each.text);
    Ran const ran = rondo("report " + file + " --output " + file + ".html");
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_EQ(ran.err, file + ": " + each.error + "\n");
    EXPECT_FALSE(std::filesystem::exists(file + ".html"));
  }
  EXPECT_EQ(rondo("report /nowhere --output " + file + ".html").err, "/nowhere: no such file\n");
}

TEST(Report, replaces_no_file_unless_forced) {
  Folder const folder;
  rondo("run --quiet --format jsonl --output " + (folder.path() / "r").string() + " " +
        folder.write("s.json", two_algorithms));
  std::string const words = "report " + (folder.path() / "r").string() + " --output " + folder.write("r.html", "mine");
  EXPECT_EQ(rondo(words).exit_code, 2);
  EXPECT_EQ(content_of(folder.path() / "r.html"), "mine");
  EXPECT_EQ(rondo(words + " --force").exit_code, 0);
}

TEST(LongReport, is_of_ten_thousand_records_at_most) {
  Folder const folder;
  std::string const file = folder.write("s.json", R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 2},
      "latency": "1us", "bandwidth": "1GBps"}, "collective": {"kind": "isomorphic_alltoall", "torus": [2],
      "neighborhood": {"kind": "offsets", "offsets": [[1]]}}, "algorithm": "straightforward", "engine": "native",
      "sweep": {"/block": ["1B", "2B"]}})");
  std::string const two = rondo("run --quiet --format jsonl " + file).out;
  std::regex const version("\"version\":\"");
  std::string many;
  for (int i = 0; i < 5000; ++i) {
    // As by 5000 versions of Rondo, so that no record is there twice.
    many += std::regex_replace(two, version, "$&" + std::to_string(i) + "-");
  }
  std::string const results = folder.write("r", many), page = results + ".html";
  EXPECT_EQ(rondo("report " + results + " --output " + page).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(page));
  folder.write("r", many + two);
  Ran const ran = rondo("report " + results + " --force --output " + page);
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err, results + ": line 10001: expected at most 10000 records in a report; report on fewer files\n");
}

TEST(Report, of_a_folder_is_refused_as_one) {
  Folder const folder;
  std::string const here = folder.path().string();
  Ran const ran = rondo("report " + here + " --output " + here + "/r.html");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err, here + ": expected a file, got a folder\n");
}

}  // namespace
}  // namespace rondo::test
