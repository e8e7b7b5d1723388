// Reports results of `rondo prove` for people (a line), for CI systems (JUnit XML) and for code scanning (SARIF 2.1.0).

#include "run/output/proof_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "base/version.hpp"

namespace rondo {
namespace {

using scenario::Json;

/// The proved object in a phrase: promise, ranks, rounds or tasks, moves.
std::string what_it_is(Proved const& proved) {
  std::string const promise = proved.promise.empty() ? "nothing promised" : proved.promise;
  bool const of_tasks = proved.tasks > 0;
  std::int64_t const parts = of_tasks ? proved.tasks : proved.rounds;
  return fmt::format("{} on {}, {}, {}", promise, counted(proved.ranks, "rank"),
                     counted(parts, of_tasks ? "task" : "round"), counted(proved.moves, "move"));
}

bool needs_buffers(Proved const& proved) { return proved.proved() && proved.needs_buffered_sends.value_or(false); }

/// What stands between a test case's tags.
std::string inside_of(Proved const& proved, std::string const& why, bool error) {
  if (!why.empty()) return fmt::format("<{} message=\"{}\"/>", error ? "error" : "failure", xml_text(why));
  if (!needs_buffers(proved)) return "";
  return fmt::format("<system-out>{}</system-out>", xml_text(needs_buffers_text(proved)));
}

/// The reason why a schedule is not proved, in one line; empty if it is.
std::string why_not(Proved const& proved) {
  if (!proved.refused.empty()) return proved.refused;
  if (!proved.failed.empty()) return proved.failed;
  if (proved.proved()) return "";
  std::string const first = proved.findings.empty() ? "not delivered" : proved.findings.front().text;
  if (proved.violations < 2) return first;
  return fmt::format("{} violations, the first: {}", proved.violations, first);
}

bool is_error(Proved const& proved) {
  return !proved.refused.empty() || !proved.failed.empty() ||
         std::ranges::any_of(proved.findings, [](ProofFinding const& each) { return each.broken; });
}

/// A test case for the proof of a file.
std::string suite_of(Proved const& proved) {
  std::string const why = why_not(proved);
  std::string const file = xml_text(proved.file);
  bool const error = !why.empty() && is_error(proved);
  std::string const name = xml_text(proved.promise.empty() ? "proof" : "keeps its promise: " + proved.promise);
  std::string const inside = inside_of(proved, why, error);
  std::string const outcome = inside.empty() ? "/>" : fmt::format(">{}</testcase>", inside);
  return fmt::format(
      "  <testsuite name=\"{}\" tests=\"1\" failures=\"{}\" errors=\"{}\">\n"
      "    <testcase classname=\"{}\" name=\"{}\"{}\n  </testsuite>\n",
      file, why.empty() || error ? 0 : 1, error ? 1 : 0, file, name, outcome);
}

/// "lost block" becomes "lost-block", the form of names of rules.
std::string rule_id(std::string rule) {
  std::replace(rule.begin(), rule.end(), ' ', '-');
  return rule;
}

/// A file's name as a reference of RFC 3986.
std::string uri_of(std::string const& file) {
  std::string uri;
  for (char const each : file) {
    bool const plain = std::isalnum(static_cast<unsigned char>(each)) != 0 ||
                       std::string_view("-._~/").find(each) != std::string_view::npos;
    uri += plain ? std::string(1, each) : fmt::format("%{:02X}", static_cast<unsigned char>(each));
  }
  return uri;
}

/// The number with which the text begins behind `before`; unset where it does not.
std::optional<int> number_behind(std::string_view before, std::string_view text) {
  if (!text.starts_with(before)) return std::nullopt;
  text.remove_prefix(before.size());
  int number = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && number > 0 ? std::optional(number) : std::nullopt;
}

/// The line of the file to which a finding refers, by its place or by its text "FILE:6:7: ...".
std::optional<int> line_of(std::string const& file, ProofFinding const& finding) {
  auto const line = number_behind("line ", finding.place);
  return line ? line : number_behind(file + ":", finding.text);
}

constexpr char const* needs_buffers_rule = "needs buffered sends";

/// A finding in SARIF, with its line in the file if it has one.
Json result_of(std::string const& file, ProofFinding const& finding) {
  Json location;
  location["physicalLocation"]["artifactLocation"]["uri"] = uri_of(file);
  if (auto const line = line_of(file, finding)) location["physicalLocation"]["region"]["startLine"] = *line;
  if (!finding.place.empty()) location["logicalLocations"] = Json::array({{{"fullyQualifiedName", finding.place}}});
  return {{"ruleId", rule_id(finding.rule)},
          {"level", finding.rule == needs_buffers_rule ? "note" : "error"},
          {"message", {{"text", finding.text}}},
          {"locations", Json::array({std::move(location)})}};
}

/// The findings; an error that prevented the proof counts as one.
std::vector<ProofFinding> all_findings(Proved const& proved) {
  if (!proved.refused.empty()) return {{"not read", proved.refused, "", true}};
  if (!proved.failed.empty()) return {{"not finished", proved.failed, "", true}};
  if (proved.findings.empty() && !proved.proved()) return {{"not delivered", "not delivered", "", false}};
  if (needs_buffers(proved)) return {{needs_buffers_rule, needs_buffers_text(proved), "", false}};
  return proved.findings;
}

}  // namespace

/// One line for each file.
std::string proof_summary(Proved const& proved) {
  std::string const why = why_not(proved);
  if (why.empty()) {
    char const* const needs = needs_buffers(proved) ? "; needs buffered sends" : "";
    return fmt::format("{}: proved: {}{}", proved.file, what_it_is(proved), needs);
  }
  if (!proved.refused.empty()) return why;  // it names the file
  if (!proved.failed.empty()) return fmt::format("{}: NOT PROVED: {}", proved.file, why);
  return fmt::format("{}: NOT PROVED: {}: {}", proved.file, what_it_is(proved), why);
}

std::string needs_buffers_text(Proved const& proved) {
  if (!needs_buffers(proved)) return "";
  return fmt::format("needs buffered sends: if sends wait for their receives, {}", proved.waits);
}

std::string proof_junit(std::vector<Proved> const& all) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (Proved const& each : all) text += suite_of(each);
  return text + "</testsuites>\n";
}

/// SARIF, which code hosting services show beside the lines of a file.
std::string proof_sarif(std::vector<Proved> const& all) {
  Json results = Json::array();
  std::set<std::string> rules;
  for (Proved const& each : all) {
    for (ProofFinding const& finding : all_findings(each)) {
      results.push_back(result_of(each.file, finding));
      rules.insert(rule_id(finding.rule));
    }
  }
  Json run;
  run["tool"]["driver"] = {{"name", "rondo"}, {"version", version()}, {"rules", Json::array()}};
  for (std::string const& rule : rules) run["tool"]["driver"]["rules"].push_back({{"id", rule}});
  run["results"] = std::move(results);
  Json const sarif = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                      {"version", "2.1.0"},
                      {"runs", Json::array({std::move(run)})}};
  return printable_json(sarif.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace rondo
