#pragma once

#include <optional>
#include <string>
#include <vector>

#include "run/output/baseline.hpp"
#include "run/points/judge.hpp"

namespace rondo {

/// A point that failed.
struct FailedPoint {
  int number = 0;
  std::string error;
  double wall_s = 0;  ///< real time that it took
};
/// "point 3: deadlock ..."
std::string said_of(FailedPoint const& point);

/// What became of a scenario's claims, and of those of its points that failed without one that reads them.
struct Checked {
  std::string file;
  std::vector<Judgement> judgements;
  std::vector<FailedPoint> failed_points;
  double wall_s = 0;  ///< real time that its points took, one after the other
  std::optional<SinceBaseline> since = {};
};

/// As JUnit XML: a suite for each scenario, a case for each claim and each failed point. A claim that does not hold,
/// but for one that its verdict refutes, or that says nothing is a failure, one that could not be judged and a point
/// that failed an error; a point slower than its baseline, and a verdict that turned for the worse, are failures too. A
/// claim is judged on all points of its scenario, so that its time is that of the suite: that of all points.
std::string junit(std::vector<Checked> const& checked);

}  // namespace rondo
