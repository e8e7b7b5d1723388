#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo::reference {

/// The recorded request and answer pairs of tests/data/FILE whose request is for `op`.
inline std::vector<nlohmann::json> pairs(std::string const& file, std::string const& op) {
  std::ifstream stream(std::string(RONDO_TEST_DATA) + "/" + file);
  std::vector<nlohmann::json> chosen;
  for (auto const& pair : nlohmann::json::parse(stream)) {
    if (pair["request"]["op"] == op) chosen.push_back(pair);
  }
  return chosen;
}

inline Neighborhood neighborhood_of(nlohmann::json const& request) {
  auto const offsets = request["neighborhood"].get<std::vector<std::vector<int>>>();
  return Neighborhood(static_cast<int>(offsets.at(0).size()), offsets);
}

}  // namespace rondo::reference
