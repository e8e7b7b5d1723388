#include "run/output/junit.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rondo {
namespace {

/// Text in an attribute; XML 1.0 has no place for other control characters, nor for U+FFFE and U+FFFF.
std::string escaped(std::string text) {
  for (char const* none : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {
    for (std::size_t at = text.find(none); at != std::string::npos; at = text.find(none)) text.replace(at, 3, " ");
  }
  std::string result;
  for (char const c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return result;
}

std::string test_case(std::string const& file, std::string const& name, char const* outcome,
                      std::string const& detail) {
  std::string const head = fmt::format("    <testcase classname=\"{}\" name=\"{}\"", escaped(file), escaped(name));
  if (*outcome == '\0') return head + "/>\n";
  return head + fmt::format("><{} message=\"{}\"/></testcase>\n", outcome, escaped(detail));
}

char const* outcome_of(Judgement::Status status) {
  if (status == Judgement::Status::holds) return "";
  return status == Judgement::Status::unjudged ? "error" : "failure";
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
                     escaped(checked.file), checked.judgements.size() + checked.failed_points.size(), failures, errors,
                     cases);
}

}  // namespace

std::string junit(std::vector<Checked> const& checked) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (Checked const& each : checked) text += suite(each);
  return text + "</testsuites>\n";
}

}  // namespace rondo
