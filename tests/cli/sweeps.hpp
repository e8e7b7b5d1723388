#pragma once

// Sweeps to run, and their results.

#include <algorithm>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "cli/command.hpp"

namespace rondo::test {

/// A sweep over so many block sizes and two algorithms.
inline std::string sweep(int sizes, std::string const& engine) {
  std::string blocks;
  for (int i = 1; i <= sizes; ++i) blocks += (i > 1 ? ", \"" : "\"") + std::to_string(i) + "B\"";
  return R"({"machine": {"topology": {"kind": "ring", "hosts": 8}, "latency": "1us", "bandwidth": "1GBps"},
  "collective": {"kind": "isomorphic_alltoall", "torus": [8], "neighborhood": {"kind": "moore", "radius": 2}},
  "algorithm": "torus", "block": "8B", "engine": ")" +
         engine + R"(", "sweep": {"/block": [)" + blocks + R"(], "/algorithm": ["torus", "straightforward"]}})";
}

/// Results without the times that a clock on the wall gave.
inline std::string timeless(std::string const& results) {
  return std::regex_replace(results, std::regex("\"(setup_)?wall_s\":[-+0-9.e]+"), "");
}
inline std::string timeless_file(std::filesystem::path const& path) { return timeless(content_of(path)); }

/// The cells of a line of CSV without line breaks in them.
inline std::vector<std::string> cells(std::string const& line) {
  std::vector<std::string> result(1);
  bool quoted = false;
  for (char const each : line) {
    if (each == '"') quoted = !quoted;
    if (each == ',' && !quoted)
      result.emplace_back();
    else
      result.back() += each;
  }
  return result;
}
/// The same of CSV, without the columns named *wall_s.
inline std::string timeless_csv(std::string const& results) {
  std::istringstream stream(results);
  std::string result, line;
  std::getline(stream, line);
  std::vector<std::string> const names = cells(line);
  do {
    std::vector<std::string> const all = cells(line);
    for (std::size_t i = 0; i < all.size(); ++i) {
      bool const timed = i < names.size() && names[i].ends_with("wall_s");
      result += (timed ? names[i] : all[i]) + ",";
    }
    result += "\n";
  } while (std::getline(stream, line));
  return result;
}

inline int lines(std::string const& text) { return static_cast<int>(std::count(text.begin(), text.end(), '\n')); }

}  // namespace rondo::test
