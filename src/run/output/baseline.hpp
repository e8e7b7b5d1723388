#pragma once

// Compares results with stored records: which points take more or less time, which fail now or failed then, and
// which verdicts have changed. `rondo check --baseline` prints it.

#include <optional>
#include <string>
#include <vector>

#include "run/output/report_input.hpp"
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

}  // namespace rondo
