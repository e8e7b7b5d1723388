#pragma once

// Reads the input of a report: records, and claims with their verdicts.

#include <string>
#include <vector>

#include "run/points/job.hpp"
#include "run/points/record.hpp"

namespace rondo {

/// A claim with its verdict, as `check --format jsonl` writes it after the records of its scenario.
struct JudgedClaim {
  std::string scenario;  ///< the file
  std::string claim;
  std::string verdict;  ///< "holds", "fails", "idle", "unjudged", "refuted", "explained", "unexplained", "wrong",
                        ///< "not judged" where points were not to be run
  std::int64_t judged = 0, passed = 0;
  std::string detail;
  std::optional<std::string> correction;
  std::string version;
};

nlohmann::ordered_json to_json(JudgedClaim const& claim);
/// The claims of a job with their verdicts; `judgements` are those of job.claims, in order.
std::vector<JudgedClaim> judged_claims(Job const& job, std::vector<Judgement> const& judgements);

/// The content of all files.
struct ReportInput {
  std::vector<Record> records;
  std::vector<JudgedClaim> claims;
  std::vector<std::string> remarks;  ///< on files whose records another version wrote
};

/// The most records of a report. With more, its tables are too long for a browser.
inline constexpr std::size_t most_reported_records = 10'000;

/// Reads the results that `run` writes (CSV, JSON lines), those of `check --format jsonl`, or a JSON list of such
/// objects. Throws InputError, such as `FILE: line 3: time_s: expected a number or null, got "soon"`, for an entry that
/// is no result, for files without a record or claim, for a last line that is cut off, for a record that is there
/// twice, and past most_reported_records.
ReportInput read_report_input(std::vector<std::string> const& paths);

}  // namespace rondo
