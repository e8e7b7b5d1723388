#pragma once

#include <string>
#include <vector>

#include "run/points/judge.hpp"

namespace rondo {

/// What became of a scenario's claims, and of those of its points that failed without one that reads them.
struct Checked {
  std::string file;
  std::vector<Judgement> judgements;
  std::vector<std::string> failed_points;  ///< "point 3: deadlock ..."
};

/// As JUnit XML: a suite for each scenario, a case for each claim and each failed point. A claim that does not hold,
/// but for one that its verdict refutes, or that says nothing is a failure, one that could not be judged and a point
/// that failed an error.
std::string junit(std::vector<Checked> const& checked);

}  // namespace rondo
