#include "run/output/junit.hpp"

#include <fmt/format.h>

#include <iterator>

#include "base/xml.hpp"

namespace rondo {
namespace {

std::string test_case(std::string const& file, std::string const& name, char const* outcome,
                      std::string const& detail) {
  std::string const head = fmt::format("    <testcase classname=\"{}\" name=\"{}\"", xml_text(file), xml_text(name));
  if (*outcome == '\0') return head + "/>\n";
  return head + fmt::format("><{} message=\"{}\"/></testcase>\n", outcome, xml_text(detail));
}

char const* outcome_of(Judgement::Status status) {
  switch (status) {
    case Judgement::Status::fails:
    case Judgement::Status::idle:
      return "failure";
    case Judgement::Status::unjudged:
      return "error";
    case Judgement::Status::holds:
    case Judgement::Status::refuted:
    case Judgement::Status::explained:
    case Judgement::Status::unexplained:
      break;
  }
  return "";
}

std::string suite(Checked const& checked) {
  std::string cases;
  std::ptrdiff_t failures = 0;
  std::ptrdiff_t errors = std::ssize(checked.failed_points);
  for (Judgement const& judgement : checked.judgements) {
    std::string const outcome = outcome_of(judgement.status);
    failures += outcome == "failure" ? 1 : 0;
    errors += outcome == "error" ? 1 : 0;
    cases += test_case(checked.file, judgement.claim, outcome.c_str(), judgement.detail);
  }
  for (std::string const& point : checked.failed_points) {
    cases += test_case(checked.file, point.substr(0, point.find(':')), "error", point);
  }
  return fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n{}  </testsuite>\n",
                     xml_text(checked.file), checked.judgements.size() + checked.failed_points.size(), failures, errors,
                     cases);
}

}  // namespace

std::string junit(std::vector<Checked> const& checked) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (Checked const& each : checked) text += suite(each);
  return text + "</testsuites>\n";
}

}  // namespace rondo
