// Writes JUnit XML: a suite for each scenario and a case for each claim, each failed point and each change for the
// worse.

#include "run/output/junit.hpp"

#include <fmt/format.h>

#include <iterator>

#include "base/xml.hpp"

namespace rondo {
namespace {

/// The attribute in seconds; readers of JUnit files accept at most three decimals.
std::string time_of(double seconds) { return fmt::format(" time=\"{:.3f}\"", seconds); }

/// The attributes of a case.
std::string attributes(std::string const& file, std::string const& name, double seconds) {
  return fmt::format("classname=\"{}\" name=\"{}\"{}", xml_text(file), xml_text(name), time_of(seconds));
}

std::string test_case(std::string const& head_attributes, char const* outcome, std::string const& detail) {
  std::string const head = "    <testcase " + head_attributes;
  if (*outcome == '\0') return head + "/>\n";
  return head + fmt::format("><{} message=\"{}\"/></testcase>\n", outcome, xml_text(detail));
}

char const* outcome_of(Judgement::Status status) {
  switch (status) {
    case Judgement::Status::fails:
    case Judgement::Status::idle:
      return "failure";
    case Judgement::Status::unjudged:
    case Judgement::Status::wrong:
      return "error";
    case Judgement::Status::lacking:
      return "skipped";
    case Judgement::Status::holds:
    case Judgement::Status::refuted:
    case Judgement::Status::explained:
    case Judgement::Status::unexplained:
      break;
  }
  return "";
}

/// The changes since the baseline that count as failures.
std::vector<std::string> worse_since(Checked const& checked) {
  std::vector<std::string> worse;
  if (!checked.since) return worse;
  for (TimeChange const& change : checked.since->times) {
    if (change.is_worse()) worse.push_back(text_of(change));
  }
  for (VerdictChange const& change : checked.since->verdicts) {
    if (change.is_worse) worse.push_back(text_of(change));
  }
  return worse;
}

/// A test suite for each scenario, a test case for each claim.
std::string suite(Checked const& checked) {
  std::string cases;
  std::ptrdiff_t failures = 0, skipped = 0;
  std::ptrdiff_t errors = std::ssize(checked.failed_points);
  for (Judgement const& judgement : checked.judgements) {
    std::string const outcome = outcome_of(judgement.status);
    failures += outcome == "failure" ? 1 : 0;
    errors += outcome == "error" ? 1 : 0;
    skipped += outcome == "skipped" ? 1 : 0;
    cases += test_case(attributes(checked.file, judgement.claim, checked.wall_s), outcome.c_str(), judgement.detail);
  }
  for (std::string const& change : worse_since(checked)) {
    ++failures;
    cases += test_case(attributes(checked.file, "since the baseline", 0), "failure", change);
  }
  for (FailedPoint const& point : checked.failed_points) {
    std::string const name = fmt::format("point {}", point.number);
    cases += test_case(attributes(checked.file, name, point.wall_s), "error", text_of(point));
  }
  return fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\"{}{}>\n{}  </testsuite>\n",
      xml_text(checked.file), checked.judgements.size() + checked.failed_points.size() + worse_since(checked).size(),
      failures, errors, skipped == 0 ? "" : fmt::format(" skipped=\"{}\"", skipped), time_of(checked.wall_s), cases);
}

}  // namespace

std::string text_of(FailedPoint const& point) { return fmt::format("point {}: {}", point.number, point.error); }

std::string junit(std::vector<Checked> const& checked) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (Checked const& each : checked) text += suite(each);
  return text + "</testsuites>\n";
}

}  // namespace rondo
