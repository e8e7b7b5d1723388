// What must not change while the code is rearranged: the recorded of some 170 points over all families, engines and
// topologies, as version 0.1 (a66e47b) wrote them but for what CHANGELOG.md names under "Results that changed". The
// numbers themselves are proved elsewhere; here they only stay.

#include <gtest/gtest.h>

#include <cmath>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "cli/command.hpp"

namespace rondo::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

fs::path const recorded_folder = fs::path(RONDO_TEST_DATA) / "records";

std::vector<Json> parsed_lines(std::string const& text) {
  std::vector<Json> result;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) result.push_back(Json::parse(line));
  return result;
}

/// Times that differ by at most 1e-12 of themselves are one moment (docs/model.md); everything else is equal or not.
bool same(Json const& was, Json const& is) {
  if (!was.is_number_float() || !is.is_number_float()) return was.dump() == is.dump();
  double const before = was.get<double>(), now = is.get<double>();
  return std::abs(now - before) <= 1e-12 * std::abs(before);
}

/// What of a recorded value is another one now: "point 3: /time_s: was 1, is 2". Only what was recorded is compared, so
/// that a new version may say more.
void compare(Json const& was, Json const& is, std::string const& place, std::vector<std::string>& changes) {
  if (!was.is_object() || !is.is_object()) {
    if (!same(was, is)) changes.push_back(place + ": was " + was.dump() + ", is " + is.dump());
    return;
  }
  for (auto const& [key, value] : was.items()) {
    if (is.contains(key)) {
      compare(value, is[key], place + "/" + key, changes);
    } else {
      changes.push_back(place + "/" + key + ": is gone");
    }
  }
}

std::vector<std::string> changes_of(fs::path const& scenario) {
  Ran const ran = rondo("run " + scenario.string() + " --format jsonl --quiet");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  std::vector<Json> const is = parsed_lines(ran.out);
  std::vector<Json> const was = parsed_lines(content_of(fs::path(scenario).replace_extension(".records")));
  EXPECT_EQ(is.size(), was.size());
  std::vector<std::string> changes;
  for (std::size_t i = 0; i < std::min(is.size(), was.size()); ++i) {
    compare(was[i], is[i], "point " + std::to_string(i + 1) + ": ", changes);
  }
  return changes;
}

TEST(Records, are_those_of_version_0_1) {
  int scenarios = 0;
  for (auto const& file : fs::directory_iterator(recorded_folder)) {
    if (file.path().extension() != ".json") continue;
    ++scenarios;
    EXPECT_EQ(changes_of(file.path()), std::vector<std::string>()) << file.path();
  }
  EXPECT_EQ(scenarios, 11);
}

/// The fields that were named, in their order, and what was swept; a label stands for its value as in a whole row.
TEST(Records, of_csv_have_the_columns_that_were_named) {
  Folder const folder;
  std::string const file = folder.write(
      "s.json",
      R"({"machine": {"topology": {"kind": "ring", "hosts": 4}, "latency": "1us", "bandwidth": "1GBps"}, )"
      R"("collective": {"kind": "allgather", "ranks": 4}, "algorithm": "ring", "block": "1B", "engine": "native", )"
      R"("sweep": {"/block": ["0B", {"label": "a, b", "value": "1000B"}]}})");
  // Three rounds of 1 us, and of 2 us.
  EXPECT_EQ(rondo("run --quiet --format csv --columns rounds,error,time_s " + file).out,
            "rounds,error,time_s,/block\n3,,3e-06,0B\n3,,6e-06,\"a, b\"\n");
  std::string const output = (folder.path() / "r.csv").string();
  EXPECT_EQ(rondo("run --quiet --columns error --output " + output + " " + file).exit_code, 0);
  EXPECT_EQ(content_of(output), "error,/block\n,0B\n,\"a, b\"\n");
  EXPECT_EQ(rondo("run --quiet --resume --output " + output + " " + file).exit_code, 2);
  EXPECT_EQ(rondo("report --output x.html " + output).exit_code, 2);
}

}  // namespace
}  // namespace rondo::test
