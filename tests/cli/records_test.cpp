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

}  // namespace
}  // namespace rondo::test
