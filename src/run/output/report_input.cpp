// Reads records and claims from CSV, JSON lines or a JSON list. Every record is checked against its own scenario,
// because a report must not draw numbers that no run has produced.

#include "run/output/report_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "run/points/record_states.hpp"
#include "run/points/results_file.hpp"

namespace rondo {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array verdicts = {"holds",     "fails",       "idle",  "unjudged",  "refuted",
                                 "explained", "unexplained", "wrong", "not judged"};

char const* verdict_of(Judgement::Status status) { return verdicts.at(static_cast<std::size_t>(status)); }

/// Throws InputError if there is no text at the key.
std::string text_at(Json const& json, char const* key) {
  if (!json.contains(key) || !json[key].is_string()) {
    throw InputError(fmt::format("{}: expected text, got {}", key, excerpt(json.value(key, Json()).dump())));
  }
  return json[key].get<std::string>();
}

std::int64_t count_at(Json const& json, char const* key) {
  Json const value = json.value(key, Json());
  if (value.is_number_integer() && value.get<std::int64_t>() >= 0) return value.get<std::int64_t>();
  throw InputError(fmt::format("{}: expected an integer from 0, got {}", key, excerpt(value.dump())));
}

/// A claim with its verdict, from a line of JSON.
JudgedClaim claim_of(Json const& json) {
  JudgedClaim claim;
  claim.scenario = text_at(json, "scenario");
  claim.claim = text_at(json, "claim");
  claim.verdict = text_at(json, "verdict");
  if (std::find(verdicts.begin(), verdicts.end(), claim.verdict) == verdicts.end()) {
    throw InputError(
        fmt::format("verdict: expected one of {}, got \"{}\"", listed(verdicts, ", "), excerpt(claim.verdict)));
  }
  claim.judged = count_at(json, "judged");
  claim.passed = count_at(json, "passed");
  claim.detail = text_at(json, "detail");
  if (json.contains("correction") && !json["correction"].is_null()) claim.correction = text_at(json, "correction");
  claim.version = text_at(json, "version");
  return claim;
}

/// Collects what the files hold.
class Reader {
 public:
  /// Reads one file, and remarks on records of other versions.
  void read(std::string const& path) {
    versions_.clear();
    read_file(path);
    if (std::string const remark = remark_on_versions(versions_); !remark.empty()) {
      input_.remarks.push_back(fmt::format("{}: {}", path, remark));
    }
  }

  ReportInput result() && { return std::move(input_); }

 private:
  /// The first character tells the format: [ is a list, { JSON lines, anything else CSV.
  void read_file(std::string const& path) {
    std::string const text = content_of(path);
    std::size_t const begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string::npos) throw InputError(fmt::format("{}: expected results, found an empty file", path));
    if (text[begin] == '[') return read_list(path, text);
    if (is_scenario(text))
      throw InputError(fmt::format("{}: expected results, got a scenario, whose records rondo run writes", path));
    std::size_t const read = each_row(text, [&](int line, std::string_view row, bool csv) {
      at(fmt::format("{}: line {}", path, line), [&] { csv ? read_csv(row, line) : read_object(parsed(row)); });
    });
    if (read < text.size()) {
      throw InputError(
          fmt::format("{}: expected a line end after the last record, it is cut off; run --resume completes it", path));
    }
  }

  /// Calls `act`, and adds the place to its InputErrors.
  template <typename Act>
  void at(std::string place, Act act) {
    place_ = std::move(place);
    at_place(place_, act);
  }

  static Json parsed(std::string_view text) {
    try {
      return parsed_result(text);
    } catch (Json::exception const&) {
      std::string_view const line = text.substr(0, text.find_last_not_of("\r\n") + 1);
      throw InputError(fmt::format("expected a record as JSON, got {}", excerpt(line)));
    }
  }

  void read_list(std::string const& path, std::string const& text) {
    Json list;
    at(path, [&] { list = parsed(text); });
    for (std::size_t i = 0; i < list.size(); ++i) at(fmt::format("{}: /{}", path, i), [&] { read_object(list[i]); });
  }

  void read_csv(std::string_view row, int line) {
    if (line > 1) return add(record_in(row, header_));
    try {
      swept_ = swept_of_header(row);
      header_ = row;
    } catch (InputError const&) {
      std::string_view const shown = row.substr(0, row.find_last_not_of("\r\n") + 1);
      throw InputError(fmt::format("expected JSON, or the columns of this version, got {}", excerpt(shown)));
    }
  }

  void read_object(Json const& json) {
    if (!json.is_object()) throw InputError(fmt::format("expected a record, got {}", excerpt(json.dump())));
    if (json.contains("claim")) {
      input_.claims.push_back(claim_of(json));
    } else {
      add(record_of(json));
    }
  }

  /// Adds a record. Throws InputError if its point is there already.
  void add(Record record) {
    expect_consistent(record);
    remark_on_state(record);
    std::string const key = record.scenario + " " + record_key(record.expanded, record.engine, record.version);
    auto const [known, is_new] = places_.emplace(key, place_);
    if (!is_new)
      throw InputError(
          fmt::format("point {} of {} is there already: {}", record.point, record.scenario, known->second));
    if (input_.records.size() == most_reported_records) {
      throw InputError(
          fmt::format("expected at most {} records in a report; report on fewer files", most_reported_records));
    }
    ++versions_[record.version];
    input_.records.push_back(std::move(record));
  }

  /// Remarks if records belong to different states of a scenario. A report may compare them, but no reader shall take
  /// them for one state.
  void remark_on_state(Record const& record) {
    RecordState state = state_of(record);
    if (record.swept.empty() && !swept_.empty()) state.swept.insert(swept_.begin(), swept_.end());
    auto const [first, is_new] = states_.try_emplace(record.scenario, state);
    std::string const other = is_new ? "" : difference(first->second, state);
    if (other.empty() || !differ_.insert(record.scenario).second) return;
    input_.remarks.push_back(
        fmt::format("{}: the records of {} are of different states of it: {}", place_, record.scenario, other));
  }

  ReportInput input_;
  std::map<std::string, RecordState> states_;  // of the first record of each scenario
  std::set<std::string> differ_;
  RecordsByVersion versions_;  // of the file that is read
  std::string place_;
  std::string header_;              // of the CSV that is read
  std::vector<std::string> swept_;  // its columns
  std::map<std::string, std::string> places_;
};

}  // namespace

Json to_json(JudgedClaim const& claim) {
  return {{"scenario", printable(claim.scenario)},
          {"claim", claim.claim},
          {"verdict", claim.verdict},
          {"judged", claim.judged},
          {"passed", claim.passed},
          {"detail", claim.detail},
          {"correction", claim.correction ? Json(*claim.correction) : Json(nullptr)},
          {"version", claim.version}};
}

std::vector<JudgedClaim> judged_claims(Job const& job, std::vector<Judgement> const& judgements) {
  expects(judgements.size() == job.claims.size(), "a judgement for each claim");
  std::vector<JudgedClaim> claims;
  for (std::size_t i = 0; i < judgements.size(); ++i) {
    Judgement const& judgement = judgements[i];
    claims.push_back({job.file, judgement.claim, verdict_of(judgement.status), judgement.judged, judgement.passed,
                      judgement.detail, job.claims[i].correction, std::string(version())});
  }
  return claims;
}

/// Throws InputError if the files have neither records nor claims.
ReportInput read_report_input(std::vector<std::string> const& paths) {
  Reader reader;
  for (std::string const& path : paths) reader.read(path);
  ReportInput input = std::move(reader).result();
  if (input.records.empty() && input.claims.empty()) {
    throw InputError(fmt::format("{}: expected at least one record, got none", listed(paths, ", ")));
  }
  return input;
}

}  // namespace rondo
