// Builds the table of a sweep: columns for swept values and fields, a line on the fastest algorithms, and what all rows
// have in common. Columns that do not fit the terminal are left out and named.

#include "run/output/result_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"
#include "run/points/fields.hpp"

namespace rondo {
namespace {

using scenario::Json;

/// The columns that most people look for, in the order in which they are kept if a line is too long.
constexpr std::array usual = {"p",          "rounds",        "volume_blocks", "volume_bytes",
                              "messages",   "time_s",        "time_p50_s",    "time_p95_s",
                              "time_max_s", "theory.time_s", "bound.time_s",  "bound.links",
                              "gap.rounds", "gap.volume",    "replications",  "delivered"};
constexpr std::array first_to_go = {"volume_bytes", "gap.volume",  "gap.rounds",    "messages",   "volume_blocks",
                                    "bound.time_s", "bound.links", "theory.time_s", "time_max_s", "p",
                                    "rounds"};

/// A longer list is easier to read as a report.
constexpr std::size_t most_wins = 12;

/// Theory has no value for a time that was only accounted.
bool is_accounted(Field const& field, Record const& record) {
  return field.name == "theory.time_s" && record.theory_accounted &&
         record.theory_accounted->find("time") != std::string::npos;
}

/// A value as a cell: "-" if it is null, times with a unit, numbers with six digits.
std::string cell(Field const& field, Record const& record) {
  auto const value = field.json(record);
  if (is_accounted(field, record)) return "accounted";
  if (value.is_null()) return "-";
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "NO";
  if (value.is_number() && field.unit == "s") return shown(value.get<double>());
  if (value.is_number_integer()) return fmt::format("{}", value.get<std::int64_t>());
  if (value.is_number()) return fmt::format("{:.6g}", value.get<double>());
  return value.is_string() ? value.get<std::string>() : excerpt(value.dump(), 32);
}

/// The cell for the value of a swept pointer: its label if it has one; otherwise strings without quotes, and objects by
/// their kind.
std::string axis_cell(scenario::Point const& point, std::size_t axis) {
  if (!point.label(axis).empty()) return point.label(axis);
  Json const& value = point.axes[axis].second;
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_object() || !value.contains("kind") || !value["kind"].is_string()) return excerpt(value.dump(), 32);
  std::string text = value["kind"].get<std::string>();
  for (auto const& [key, inner] : value.items()) {
    if (key != "kind") text += fmt::format(" {}={}", key, excerpt(inner.dump(), 24));
  }
  return text;
}

std::vector<std::string> column(Cells const& rows, std::size_t c) {
  std::vector<std::string> cells;
  for (std::size_t r = 1; r < rows.size(); ++r) cells.push_back(rows[r][c]);
  return cells;
}

void erase_column(Cells& rows, std::size_t c) {
  for (auto& cells : rows) cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(c));
}

/// Takes the columns behind the first `kept` that need no cell at each point, and says them once; of one without any
/// value there is nothing to say. One point keeps what has a value.
std::vector<std::string> take_common(Cells& rows, std::size_t kept) {
  std::vector<std::string> sentences;
  auto const take = [&](std::size_t c, std::string const& value) {
    if (value != "-") sentences.push_back(fmt::format("{} = {}", rows[0][c], value));
    erase_column(rows, c);
  };
  for (std::size_t c = kept; c < rows[0].size();) {
    auto const cells = column(rows, c);
    auto const time = std::find(rows[0].begin(), rows[0].end(), "time_s");
    auto const t = static_cast<std::size_t>(time - rows[0].begin());
    bool const one = cells.size() == 1 && cells[0] != "-";
    if (!one && std::all_of(cells.begin(), cells.end(), [&](auto const& other) { return other == cells[0]; })) {
      take(c, cells[0]);
    } else if (!one && rows[0][c] == "theory.time_s" && t < c && column(rows, t) == cells) {
      take(c, "time_s");
    } else {
      ++c;
    }
  }
  return sentences;
}

/// Puts phrases into lines of at most `width` characters; each phrase must be shorter.
std::string in_lines(std::vector<std::string> const& phrases, std::size_t width) {
  std::string text, line;
  for (std::string const& phrase : phrases) {
    if (!line.empty() && line.size() + phrase.size() + 3 > width) text += std::exchange(line, "") + ",\n";
    line += (line.empty() ? "" : ", ") + phrase;
  }
  return line.empty() ? text : text + line + "\n";
}

/// The width of the widest line.
std::size_t width_of(Cells const& rows) {
  std::string const text = text_table(rows);
  std::size_t widest = 0;
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    widest = std::max(widest, end - begin);
  }
  return widest;
}

/// Removes columns until no line is longer than `width`, and returns their names.
std::vector<std::string> narrow(Cells& rows, std::size_t width) {
  std::vector<std::string> gone;
  for (char const* name : first_to_go) {
    auto const found = std::find(rows[0].begin(), rows[0].end(), name);
    if (found == rows[0].end()) continue;
    if (width_of(rows) <= width) break;
    erase_column(rows, static_cast<std::size_t>(found - rows[0].begin()));
    gone.emplace_back(name);
  }
  return gone;
}

/// The fastest algorithms for one combination of the other swept values.
struct FastestAlgorithms {
  std::string from, to;
  std::vector<std::string> algorithms;
  int choices = 1;  ///< that follow each other
};

/// Lists the algorithms that are as fast as the fastest, to 1e-9, among the points with these other swept values.
std::vector<std::string> fastest(std::vector<AlgorithmTime> const& all, std::string const& rest) {
  double best = std::numeric_limits<double>::infinity();
  for (auto const& each : all) best = each.rest == rest ? std::min(best, each.time_s) : best;
  std::vector<std::string> names;
  for (auto const& each : all) {
    if (each.rest == rest && each.time_s <= best * (1 + 1e-9)) names.push_back(each.algorithm);
  }
  return names;
}

/// The wins in the order of the sweep; successive ones with the same winner are joined.
std::vector<FastestAlgorithms> wins(std::vector<AlgorithmTime> const& all) {
  std::vector<FastestAlgorithms> result;
  std::set<std::string> seen;
  for (auto const& each : all) {
    if (!seen.insert(each.rest).second) continue;
    auto names = fastest(all, each.rest);
    if (!result.empty() && result.back().algorithms == names) {
      result.back().to = each.rest;
      ++result.back().choices;
    } else {
      result.push_back({each.rest, each.rest, std::move(names)});
    }
  }
  return result;
}

bool several_algorithms(std::vector<AlgorithmTime> const& all) {
  return std::any_of(all.begin(), all.end(), [&](auto const& each) { return each.algorithm != all[0].algorithm; });
}

/// "ring", "ring and bine", "ring, swing and bine"
std::string together(std::vector<std::string> const& names) {
  if (names.size() < 2) return listed(names, "");
  return fmt::format("{} and {}", listed(std::span(names).first(names.size() - 1), ", "), names.back());
}

/// The line "fastest: ..." with the ranges of sizes.
std::string wins_text(std::vector<FastestAlgorithms> const& all) {
  std::string text = "fastest:";
  for (auto const& win : all) {
    std::string const where = win.from == win.to ? win.from : win.from + " to " + win.to;
    text += fmt::format("{} {}{}", &win == all.data() ? "" : ";", together(win.algorithms),
                        where.empty() ? "" : " at " + where);
  }
  return text;
}

/// How often each algorithm is the fastest, for sweeps with more ranges than people want to read.
std::string win_counts_text(std::vector<FastestAlgorithms> const& all) {
  std::map<std::string, int> times;
  int choices = 0;
  for (FastestAlgorithms const& win : all) {
    choices += win.choices;
    for (std::string const& algorithm : win.algorithms) times[algorithm] += win.choices;
  }
  std::vector<std::pair<std::string, int>> order(times.begin(), times.end());
  std::ranges::stable_sort(order, std::greater{}, [](auto const& each) { return each.second; });
  std::string text;
  for (auto const& [algorithm, number] : order)
    text += fmt::format("{} {} at {}", text.empty() ? "" : ",", algorithm, number);
  return fmt::format("fastest, of {} choices of what else is swept:{}; rondo report shows where", choices, text);
}

/// The fields that a name may mean, by their own names or by their names in claims.
std::vector<std::string> fields_near(std::string const& word) {
  std::vector<std::string> names;
  std::vector<std::string> in_claims;
  for (Field const& field : fields()) {
    names.push_back(field.name);
    if (!field.variable.empty()) in_claims.push_back(field.variable);
  }
  auto const named = [](std::string const& variable) {
    return std::ranges::find(fields(), variable, &Field::variable)->name;
  };
  if (std::ranges::find(in_claims, word) != in_claims.end()) return {named(word)};
  std::vector<std::string> near = near_names(word, names);
  if (!near.empty()) return near;
  for (std::string const& variable : near_names(word, in_claims)) near.push_back(named(variable));
  return near;
}

std::string last_key(std::string const& pointer) { return pointer.substr(pointer.rfind('/') + 1); }

}  // namespace

void expect_columns(std::vector<std::string> const& columns, std::string const& option) {
  for (std::string const& name : columns) {
    if (field_named(name)) continue;
    throw InputError(fmt::format("{}: expected fields of a record, as rondo list fields names them, got \"{}\"{}",
                                 option, excerpt(name), did_you_mean(fields_near(name))));
  }
}

ResultTable::ResultTable(std::string title, TableOptions look) : title_(std::move(title)), look_(std::move(look)) {}

/// Adds a row. Swept values come first.
void ResultTable::add(PointResult const& result) {
  auto const& axes = result.point.axes;
  std::vector<std::string> names = look_.columns;
  if (names.empty()) names.assign(usual.begin(), usual.end());
  if (axes.empty() && look_.columns.empty()) names.insert(names.begin(), "algorithm");
  std::erase_if(names, [&](std::string const& name) {
    auto const has_it = [&](auto const& axis) { return last_key(axis.first) == name; };
    return name == "point" || std::any_of(axes.begin(), axes.end(), has_it);
  });
  if (rows_.empty()) {
    swept_ = 1 + axes.size();
    rows_.push_back({"point"});
    for (auto const& [pointer, value] : axes) rows_[0].push_back(last_key(pointer));
    rows_[0].insert(rows_[0].end(), names.begin(), names.end());
  }
  Record const& record = result.record;
  std::vector<std::string> cells{fmt::format("{}", record.point)};
  for (std::size_t i = 0; i < axes.size(); ++i) cells.push_back(axis_cell(result.point, i));
  for (std::string const& name : names) cells.push_back(cell(*field_named(name), record));
  rows_.push_back(std::move(cells));
  add_algorithm_time(result);
  if (look_.pivot) add_pivot_cell(result);
  if (record.error) errors_.push_back(fmt::format("point {}: {}", record.point, *record.error));
}

/// The axis that goes down: the size of the block, or the only axis besides the algorithm.
std::optional<std::size_t> down(scenario::Point const& point) {
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < point.axes.size(); ++i) {
    if (point.axes[i].first == "/block") return i;
    if (point.axes[i].first != "/algorithm") others.push_back(i);
  }
  return others.size() == 1 ? std::optional(others.front()) : std::nullopt;
}

/// One axis goes down, the algorithms go across; further axes make tables of their own.
void ResultTable::add_pivot_cell(PointResult const& result) {
  Record const& record = result.record;
  std::string const field = look_.columns.empty() ? "time_s" : look_.columns.front();
  PivotCell next{"", "", record.algorithm, cell(*field_named(field), record), record.time_s};
  auto const row = down(result.point);
  for (std::size_t i = 0; i < result.point.axes.size(); ++i) {
    std::string const& pointer = result.point.axes[i].first;
    std::string const value = axis_cell(result.point, i);
    if (i == row) {
      next.row = value;
      corner_ = last_key(pointer);
    } else if (pointer == "/algorithm") {
      next.column = value;
    } else {
      next.table += fmt::format("{}{} = {}", next.table.empty() ? "" : ", ", last_key(pointer), value);
    }
  }
  pivot_cells_.push_back(std::move(next));
}

std::string ResultTable::pivot_text(bool markdown) const {
  std::string const heading = look_.columns.empty() ? "time_s" : look_.columns.front();
  std::string text;
  for (Pivot const& pivot : pivots(pivot_cells_, corner_)) {
    std::string const over = fmt::format("{}{}{}", heading, pivot.title.empty() ? "" : " at ", pivot.title);
    text += markdown ? markdown_text(over) + "\n\n" + markdown_table(pivot.rows) + "\n"
                     : printable(over) + "\n" + text_table(pivot.rows);
  }
  return text;
}

namespace {

/// Whether an axis chooses algorithms, of a schedule or of the collectives of a program.
bool chooses(std::string const& pointer) {
  return pointer == "/algorithm" || pointer.starts_with("/collective/algorithms") ||
         pointer.starts_with("/collective/environment");
}

}  // namespace

/// Notes the time of a point for the line on the fastest algorithms, if the sweep compares algorithms.
void ResultTable::add_algorithm_time(PointResult const& result) {
  auto const& axes = result.point.axes;
  auto const choices = std::ranges::count_if(axes, [](auto const& axis) { return chooses(axis.first); });
  bool const sized = axes.size() == 1 || choices == std::ssize(axes) ||
                     std::ranges::any_of(axes, [](auto const& axis) { return axis.first == "/block"; });
  if (!result.record.time_s || !sized) return;
  AlgorithmTime next{"", "", *result.record.time_s};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    std::string const value = axis_cell(result.point, i);
    if (chooses(axes[i].first)) {
      next.algorithm +=
          (next.algorithm.empty() ? "" : " ") + (choices > 1 ? last_key(axes[i].first) + "=" : "") + value;
    } else {
      next.rest += (next.rest.empty() ? "" : " ") + value;
    }
  }
  if (!next.algorithm.empty()) algorithm_times_.push_back(std::move(next));
}

std::string ResultTable::as_text() const {
  std::string text = title_.empty() ? "" : title_ + "\n";
  if (look_.pivot) {
    text += pivot_text(false);
    for (std::string const& error : errors_) text += printable(error) + "\n";
    return text;
  }
  Cells rows = rows_;
  std::vector<std::string> common, gone;
  if (rows.size() > 1) common = take_common(rows, swept_);
  if (look_.columns.empty() && rows.size() > 1) gone = narrow(rows, look_.width);
  for (std::string& phrase : common) phrase = printable(phrase);
  text += in_lines(common, look_.width);
  text += text_table(rows);
  auto const won = wins(algorithm_times_);
  if (several_algorithms(algorithm_times_))
    text += printable(won.size() <= most_wins ? wins_text(won) : win_counts_text(won)) + "\n";
  if (!gone.empty()) text += fmt::format("not shown: {}; --columns selects columns\n", listed(gone, ", "));
  for (std::string const& error : errors_) text += printable(error) + "\n";
  return text;
}

std::string ResultTable::as_markdown() const {
  std::string text = title_.empty() ? "" : "### " + markdown_text(title_) + "\n\n";
  text += look_.pivot ? pivot_text(true) : markdown_table(rows_) + "\n";
  for (std::string const& error : errors_) text += "- " + markdown_text(error) + "\n";
  return text + (errors_.empty() ? "" : "\n");
}

}  // namespace rondo
