#pragma once

// Results of claims as JUnit XML, which continuous integration systems display.

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
std::string text_of(FailedPoint const& point);

/// The results of a scenario's claims, and of those of its failed points that no claim reads.
struct Checked {
  std::string file;
  std::vector<Judgement> judgements;
  std::vector<FailedPoint> failed_points;
  double wall_s = 0;  ///< real time that its points took, one after the other
  std::optional<BaselineComparison> since = {};
};

/// The results as JUnit XML: a suite for each scenario, a case for each claim and for each failed point. It is a
/// failure if a claim does not hold (unless its verdict says so) or says nothing, if a point is slower than its
/// baseline, and if a verdict has become worse. It is an error if a claim could not be judged or a point failed. A
/// claim is judged on all points of its scenario, so its time is the sum of their times.
std::string junit(std::vector<Checked> const& checked);

}  // namespace rondo
