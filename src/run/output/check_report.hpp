#pragma once

// The results of `rondo check`: the comparison with stored records (which points take more or less time, which
// fail now or failed then, which verdicts have changed), JUnit XML, which continuous integration systems display,
// and the Markdown table of claims with their verdicts and corrections, for papers and reviews.

#include <optional>
#include <string>
#include <vector>

#include "run/output/report_input.hpp"
#include "run/points/job.hpp"
#include "run/points/judge.hpp"

namespace rondo {

/// A point whose time has changed. Unset: the point has no time because it failed.
struct TimeChange {
  int point = 0;
  std::string where;  ///< its swept values
  std::optional<double> before_s, now_s;

  /// More time, or a failure where there was a time.
  bool is_worse() const;
};

struct VerdictChange {
  std::string claim, before, now;
  bool is_worse = false;  ///< the claim was as stated, and is not any more
};

/// A scenario compared with its stored records.
struct BaselineComparison {
  std::string file;
  std::vector<TimeChange> times;  ///< in the order of the points
  std::vector<VerdictChange> verdicts;
  std::size_t alike = 0;           ///< points that take the same time, to 1e-9
  std::size_t without_record = 0;  ///< points without a stored record
  std::size_t gone = 0;            ///< stored records of the scenario whose points are no longer there
  std::string
      scenario_difference;  ///< the first other difference of the scenarios, "/machine/latency: ..."; empty: none

  bool is_worse() const;
};

/// Compares the points that were run, and the judgements of all claims, with `stored`. A point and a record belong
/// together if their scenarios have the same file name and their sweeps the same values; without a sweep the name alone
/// decides. Throws InputError if two stored records belong to one point.
BaselineComparison compare_with_baseline(ReportInput const& stored, Job const& job,
                                         std::vector<PointResult> const& results,
                                         std::vector<Judgement> const& judgements);

/// The comparison for a terminal, and as Markdown for the text of a pull request: all changes, the worst first,
/// those of times in percent.
std::string baseline_text(BaselineComparison const& comparison);
std::string baseline_markdown(BaselineComparison const& comparison);

/// "point 3 (/block="64B"): 1us, now 1.5us (+50 %)"
std::string text_of(TimeChange const& change);
std::string text_of(VerdictChange const& change);

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

/// The claims of a scenario as Markdown: its title, source and file name, and a line for each claim with its verdict
/// ("corrected" if it holds although its source says otherwise) and its correction. `judgements` are those of
/// job.claims, in order.
std::string claims_markdown(Job const& job, std::vector<Judgement> const& judgements);

}  // namespace rondo
