#include "run/points/resume.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>

#include "base/version.hpp"

namespace rondo {
namespace {

/// The row with the name and the numbers that its point has now.
std::string renamed(ResultRow const& row, DuePoint const& due, bool csv) {
  if (row.scenario == due.scenario && row.point == due.point && row.points == due.points) return row.text;
  Record record = csv ? record_of_row(row.text) : record_of(parsed_result(row.text));
  record.scenario = due.scenario;
  record.point = due.point;
  record.points = due.points;
  return (csv ? csv_row(record) : json_row(record)) + "\n";
}

}  // namespace

bool Resumption::ends_in_order() const { return std::is_sorted(is_done.rbegin(), is_done.rend()); }

Resumption resumption(ResultsFile const& file, std::vector<DuePoint> const& due, Wanted wanted) {
  std::map<std::string, std::deque<std::size_t>> waiting;
  for (std::size_t i = 0; i < due.size(); ++i) waiting[due[i].key].push_back(i);
  Resumption result;
  result.rows = file.rows.size();
  result.is_done.resize(due.size());
  std::map<std::size_t, std::string> taken;
  for (ResultRow const& row : file.rows) {
    auto const found = waiting.find(row.key);
    bool const is_due = found != waiting.end() && !found->second.empty();
    if (row.failed && wanted.with_error == WithError::run_again) {
      ++result.failed;
    } else if (is_due && !proved_enough(row.proof, wanted.proof)) {
      ++result.unproved;
      result.left_out += row.text;
    } else if (is_due) {
      std::size_t const point = found->second.front();
      found->second.pop_front();
      result.is_done[point] = true;
      taken[point] = renamed(row, due[point], !file.header.empty());
    } else {
      ++(row.version == version() ? result.no_point : result.other_version);
      result.left_out += row.text;
    }
  }
  result.text = file.header;
  for (auto const& [point, text] : taken) result.text += text;
  return result;
}

std::string what_is_left_out(Resumption const& file) {
  std::string reasons;
  auto const add = [&](std::size_t count, char const* which) {
    if (count > 0) reasons += fmt::format("{}{} {}", reasons.empty() ? "" : ", ", count, which);
  };
  add(file.other_version, "of another version");
  add(file.failed, "that failed");
  add(file.unproved, "without the proof that is asked for");
  add(file.no_point, "of no point that is to be run");
  return fmt::format("{} of {} records {} left out: {}", file.left(), file.rows, file.left() == 1 ? "is" : "are",
                     reasons);
}

}  // namespace rondo
