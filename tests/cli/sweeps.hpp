#pragma once

// Sweeps to run, and their results.

#include <algorithm>
#include <regex>
#include <string>

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

inline int lines(std::string const& text) { return static_cast<int>(std::count(text.begin(), text.end(), '\n')); }

}  // namespace rondo::test
