// Matches the rows of a results file with the points that are due, by a key that contains the whole scenario and the
// version.

#include "run/points/resume.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "base/error.hpp"
#include "base/version.hpp"
#include "run/points/record_states.hpp"

namespace rondo {
namespace {

/// The text of the row, with the scenario's name and the point numbers that are valid now.
std::string renamed(ResultRow const& row, PendingPoint const& due, std::string_view header) {
  if (row.scenario == due.scenario && row.point == due.point && row.points == due.points) return row.text;
  Record record = record_in(row.text, header);
  record.scenario = due.scenario;
  record.point = due.point;
  record.points = due.points;
  return (header.empty() ? json_row(record) : csv_row(record, swept_of_header(header))) + "\n";
}

/// Throws InputError if a fact in the row, such as the number of ranks, contradicts its point.
void expect_facts_agree(std::string const& path, ResultRow const& row, PendingPoint const& due) {
  std::string const fault = row.facts ? contradiction(*row.facts, due.facts) : "";
  if (!fault.empty()) throw InputError(fmt::format("{}: line {}: expected a record: {}", path, row.line, fault));
}

/// A sentence that says how many points have records, and the command that runs the others.
std::string how_to_run_the_rest(Resumption const& stored, std::string const& path, std::string const& scenario,
                                Proof proof) {
  return fmt::format("{} of {} {} there, rondo run --resume --output {}{} {} runs what is missing",
                     stored.by_point.size(), stored.due, stored.due == 1 ? "point is" : "points are", path,
                     proof == Proof::on ? " --verify on" : "", scenario);
}

/// A point that is to be run, from a record that stands for its future record.
PendingPoint due_point(Record const& record) {
  return {record.scenario,
          record.point,
          record.points,
          record_key(record.expanded, record.engine, record.version),
          record_key(without_files(record.expanded), record.engine, record.version),
          facts_of(record)};
}

}  // namespace

/// Makes a record without results for each point, because its key and facts are computed as those of a finished record.
std::vector<PendingPoint> due_points(Job const& job) {
  std::vector<PendingPoint> due;
  for (std::size_t i = 0; i < job.sweep.size(); ++i) {
    Record record = failed_record(point_at(job, i)->scenario, job.file, static_cast<int>(i + 1), "");
    record.points = static_cast<int>(job.sweep.size());
    due.push_back(due_point(record));
  }
  return due;
}

/// The results of all points, read from a file. Throws InputError if a point has no record.
std::vector<PointResult> stored_results(std::string const& path, Job const& job, Proof proof) {
  Resumption const stored = resumption(read_results(path), due_points(job), {WithError::accepted, proof});
  std::vector<PointResult> results;
  for (auto const& [point, row] : stored.by_point) {
    // The error names the first missing point, so later records are not taken.
    if (point == results.size()) results.push_back({job.sweep[point], record_in(row, stored.header), {}});
  }
  if (results.size() < stored.due) {
    std::string const others = remark_on_versions(stored.versions);
    throw InputError(fmt::format(
        "{}: expected a record by this version of point {} of {}, got {}; {}{}{}", path, results.size() + 1, job.file,
        stored.unproved > 0      ? "one without the proof that --verify asks for"
        : stored.other_files > 0 ? "one made from files that are others now, or that it does not name"
                                 : "none",
        how_to_run_the_rest(stored, path, job.file, proof), others.empty() ? "" : "; ", others));
  }
  return results;
}

std::string Resumption::text() const {
  std::string text = header;
  for (auto const& [point, row] : by_point) text += row;
  return text;
}

/// Assigns each row to the first due point with its key that has no row yet; several points may be equal.
Resumption resumption(ResultsFile const& file, std::vector<PendingPoint> const& due, Condition wanted) {
  std::map<std::string, std::deque<std::size_t>> waiting;
  std::set<std::string> with_other_files;
  for (std::size_t i = 0; i < due.size(); ++i) {
    waiting[due[i].key].push_back(i);
    with_other_files.insert(due[i].key_without_files);
  }
  Resumption result;
  result.header = file.header;
  result.due = due.size();
  result.rows = file.rows.size();
  for (ResultRow const& row : file.rows) {
    ++result.versions[row.version];
    auto const found = waiting.find(row.key);
    bool const is_due = found != waiting.end() && !found->second.empty();
    if (row.failed && wanted.with_error == WithError::run_again) {
      ++result.failed;
    } else if (is_due && !proved_enough(row.proof, wanted.proof)) {
      ++result.unproved;
      result.dropped_rows += row.text;
    } else if (is_due) {
      std::size_t const point = found->second.front();
      expect_facts_agree(file.path, row, due[point]);
      found->second.pop_front();
      result.by_point[point] = renamed(row, due[point], file.header);
    } else if (found == waiting.end() && with_other_files.contains(row.key_without_files)) {
      ++result.other_files;
      result.dropped_rows += row.text;
    } else {
      bool const is_own = row.version == version();
      ++(is_own ? result.no_point : result.other_version);
      if (!is_own) ++result.dropped_versions[row.version];
      result.dropped_rows += row.text;
    }
  }
  return result;
}

/// The counts of dropped records with their reasons, as a sentence.
std::string what_is_left_out(Resumption const& file) {
  std::string reasons;
  auto const add = [&](std::size_t count, char const* which) {
    if (count > 0) reasons += fmt::format("{}{} {}", reasons.empty() ? "" : ", ", count, which);
  };
  reasons = by_other_versions(file.dropped_versions);
  add(file.failed, "that failed");
  add(file.unproved, "without the proof that is asked for");
  add(file.other_files, "made from files that are others now, or that it does not name");
  add(file.no_point, "of no point that is to be run");
  if (file.other_version > 0) reasons += fmt::format("; {}", where_results_changed);
  return fmt::format("{} of {} records {} left out: {}", file.dropped(), file.rows, file.dropped() == 1 ? "is" : "are",
                     reasons);
}

}  // namespace rondo
