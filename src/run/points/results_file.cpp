// Reads files of results, which may be large, cut off, edited or from another version. A row keeps its text, so that a
// merged file has exactly the bytes that were written.

#include "run/points/results_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <new>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "json/value.hpp"
#include "run/points/record_states.hpp"

namespace rondo {
namespace {

using Json = nlohmann::ordered_json;

/// A scenario is nested at most 64 deep (scenario/load.cpp); a list of records around it is a little deeper.
constexpr int deepest_result = 80;

constexpr std::uint64_t largest_results = std::uint64_t{8} << 30;

/// The row that begins at `begin`, with its line end; empty if it is cut off. A line end inside quotes does not end a
/// row.
std::string_view row_at(std::string_view text, std::size_t begin, bool csv) {
  bool quoted = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (csv && text[i] == '"') quoted = !quoted;
    if (text[i] == '\n' && !quoted) return text.substr(begin, i + 1 - begin);
  }
  return {};
}

/// The cells of a row of CSV (RFC 4180), without its end.
std::vector<std::string> cells_of(std::string_view row) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i + 1 < row.size(); ++i) {
    bool const doubled = quoted && row[i] == '"' && row[i + 1] == '"';
    if (doubled) ++i;
    if (row[i] == '"' && !doubled) {
      quoted = !quoted;
    } else if (row[i] == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += row[i];
    }
  }
  return cells;
}

Json const& result_member(Json const& record, char const* name) {
  if (record.contains(name)) return record[name];
  throw InputError(fmt::format("{}: expected a value, got none", name));
}
std::string result_text(Json const& record, char const* name) {
  Json const& value = result_member(record, name);
  if (value.is_string()) return value.get<std::string>();
  throw InputError(fmt::format("{}: expected text, got {}", name, excerpt(value.dump())));
}

/// A whole number from `least` on that an int holds.
int count_of(Json const& record, char const* name, int least) {
  Json const& value = result_member(record, name);
  constexpr int most = std::numeric_limits<int>::max();
  bool const fits = value.is_number_unsigned() ? value.get<std::uint64_t>() <= most : value.is_number_integer();
  if (fits && value.get<std::int64_t>() >= least) return value.get<int>();
  throw InputError(fmt::format("{}: expected an integer from {} to {}, got {}", name, least, most,
                               excerpt(value.dump(-1, ' ', true, Json::error_handler_t::replace))));
}

/// The facts of a row that decide where it belongs.
ResultRow row_of(Json const& record) {
  if (!record.is_object()) throw InputError(fmt::format("expected an object, got {}", excerpt(record.dump())));
  ResultRow row;
  row.scenario = result_text(record, "scenario");
  row.point = count_of(record, "point", 1);
  row.version = result_text(record, "version");
  Json const& expanded = result_member(record, "expanded");
  row.key = record_key(expanded, result_text(record, "engine"), row.version);
  row.key_without_files = record_key(without_files(expanded), result_text(record, "engine"), row.version);
  row.failed = !result_member(record, "error").is_null();
  if (record.contains("points")) row.points = count_of(record, "points", 1);
  if (record.contains("proof") && record["proof"].is_string()) row.proof = record["proof"].get<std::string>();
  return row;
}

/// What a row says of its point, whoever wrote it, with the pointers of its sweep. Of CSV, only what is read here.
Json json_in(std::string_view text, std::string_view header) {
  if (header.empty()) return parsed_result(text);
  std::vector<std::string> const names = cells_of(header), cells = cells_of(text);
  if (cells.size() != names.size()) {
    throw InputError(fmt::format("expected {} cells, got {}", names.size(), cells.size()));
  }
  auto const cell = [&](char const* name) {
    return cells[static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin())];
  };
  Json json{{"scenario", cell("scenario")},
            {"point", parsed_result(cell("point"))},
            {"points", parsed_result(cell("points"))},
            {"proof", cell("proof")},
            {"engine", cell("engine")},
            {"version", cell("version")},
            {"error", cell("error").empty() ? Json() : Json(cell("error"))},
            {"expanded", parsed_result(cell("expanded"))},
            {"swept", Json::object()}};
  for (std::string const& pointer : swept_of_header(header)) json["swept"][pointer] = nullptr;
  return json;
}

/// Reads all fields of a record by this version, so that no damaged record is copied into another file. The fields that
/// another version writes are unknown here.
ResultRow read_row(std::string_view text, std::string_view header) {
  Json const json = json_in(text, header);
  ResultRow row = row_of(json);
  row.text = text;
  if (row.version != version()) return row;
  Record const record = header.empty() ? record_of(json) : record_in(text, header);
  expect_consistent(record);
  row.facts = facts_of(record);
  return row;
}

/// Refuses two records of one point; the second one is in the file that is named last.
[[noreturn]] void refuse_double(ResultRow const& row, std::string const& first, std::string const& second) {
  throw InputError(fmt::format("{}: point {} of {} is in {} already", second, row.point, row.scenario, first));
}

}  // namespace

std::string content_of(std::string const& path) { return read_file(path, largest_results); }

/// Parses a row. Nesting is limited first: the parser is recursive, and a crafted file could exhaust its stack.
Json parsed_result(std::string_view text) {
  // The parser would take it for the end of the text.
  if (text.find('\0') != std::string_view::npos) throw InputError("expected text, got a zero byte");
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (quoted && text[i] == '\\') ++i;
    if (quoted) continue;
    if (text[i] == '[' || text[i] == '{') ++depth;
    if (text[i] == ']' || text[i] == '}') --depth;
    if (depth > deepest_result) throw InputError(fmt::format("nested deeper than {}", deepest_result));
  }
  return json::json_of(text);
}

/// Calls `visit` for each complete row. Returns the length of the complete rows; the rest was cut off in mid-write.
std::size_t each_row(std::string_view text, std::function<void(int, std::string_view, bool)> const& visit) {
  bool const csv = !text.empty() && text[0] != '{';
  std::size_t read = 0;
  int line = 1;
  for (std::string_view row = row_at(text, 0, csv); !row.empty(); row = row_at(text, read, csv)) {
    read += row.size();
    visit(line, row, csv);
    line += static_cast<int>(std::count(row.begin(), row.end(), '\n'));
  }
  return read;
}

std::vector<std::string> swept_of_header(std::string_view header) {
  if (auto swept = swept_columns(cells_of(header))) return *std::move(swept);
  throw InputError(fmt::format("expected the columns of this version, got {}", excerpt(header)));
}

Record record_in(std::string_view row, std::string_view header) {
  return header.empty() ? record_of(parsed_result(row)) : record_of_cells(cells_of(row), swept_of_header(header));
}

std::string record_key(Json const& expanded, std::string_view engine, std::string_view version) {
  return fmt::format("{:016x} {} {}", fnv1a(expanded.dump()), engine, version);
}

/// Whether the file is a scenario, which users name by mistake.
bool is_scenario(std::string_view text) {
  try {
    Json const json = parsed_result(text);
    return json.is_object() && json.contains("machine") && !json.contains("expanded");
  } catch (Json::exception const&) {
  } catch (InputError const&) {
  }
  return false;
}

namespace {

std::string_view without_end(std::string_view row) { return row.substr(0, row.find_last_not_of("\r\n") + 1); }

[[noreturn]] void refuse_row(std::string const& path, int line, std::string_view row, std::string_view text) {
  throw InputError(fmt::format("{}: line {}: expected a record, as rondo run writes it, got {}{}", path, line,
                               excerpt(without_end(row)),
                               is_scenario(text) ? "; the file is a scenario, whose records rondo run writes" : ""));
}

/// Refuses a table whose columns are not those of this version. The version that wrote it is in its first row.
[[noreturn]] void refuse_header(std::string const& path, std::string_view header, std::string_view text) {
  std::vector<std::string> const names = cells_of(header);
  std::vector<std::string> const cells = cells_of(row_at(text, header.size(), true));
  auto const column = static_cast<std::size_t>(std::find(names.begin(), names.end(), "version") - names.begin());
  bool const known = column < cells.size() && cells.size() == names.size() && cells[column] != version();
  std::string const wrote =
      known ? fmt::format("; it is {}; {}", by_version(cells[column], version()), where_results_changed) : "";
  throw InputError(fmt::format("{}: line 1: expected the columns of this version, got {}{}", path,
                               excerpt(without_end(header)), wrote));
}

}  // namespace

/// Reads a whole file. Throws InputError with the line of the first wrong row.
ResultsFile read_results(std::string const& path) {
  std::string const text = content_of(path);
  ResultsFile file;
  file.path = path;
  file.whole = each_row(text, [&](int line, std::string_view row, bool csv) {
    if (csv && line == 1) {
      file.header = row;
      if (swept_columns(cells_of(row))) return;
      refuse_header(path, row, text);
    }
    try {
      file.rows.push_back(read_row(row, file.header));
      file.rows.back().line = line;
    } catch (std::bad_alloc const&) {
      throw;  // the record may well be one
    } catch (Json::exception const&) {
      refuse_row(path, line, row, text);
    } catch (InputError const& error) {
      if (is_scenario(text)) refuse_row(path, line, row, text);
      throw InputError(fmt::format("{}: line {}: expected a record: {}", path, line, excerpt(error.what(), 200)));
    }
  });
  if (file.rows.empty() && is_scenario(text)) refuse_row(path, 1, text, text);
  return file;
}

namespace {

/// The points of one scenario that exist, and the size of its sweep; 0 if no record tells it.
struct PresentPoints {
  std::set<int> points;
  int all = 0;
};

/// The points that a scenario lacks; empty if none is known to be missing.
std::string missing_of(std::string const& scenario, PresentPoints const& there) {
  int const last = std::max(there.all, *there.points.rbegin());
  auto const missing = static_cast<std::size_t>(last) - there.points.size();
  if (missing == 0) return "";
  return fmt::format("{}: {} of {} points {} missing{}", scenario, missing, last, missing == 1 ? "is" : "are",
                     there.points.contains(last) ? "" : ", the last among them");
}

/// The state of the scenario from which a row was made.
RecordState state_of_row(ResultRow const& row, std::string const& header) {
  Json const json = json_in(row.text, header);
  if (!json.contains("swept") || !json["swept"].is_object())
    return {row.points > 0 ? std::optional(row.points) : std::nullopt, ""};  // the version does not say
  std::set<std::string> swept;
  for (auto const& [pointer, value] : json["swept"].items()) swept.insert(pointer);
  return state_of(json["expanded"], result_text(json, "engine"), row.points, swept);
}

/// The first record of each scenario; all others must belong to the same sweep.
class SameSweep {
 public:
  /// Throws InputError.
  void expect(ResultRow const& row, std::string const& path, std::string const& header) {
    RecordState const state = state_of_row(row, header);
    auto const [first, is_new] = first_.try_emplace(row.scenario, First{state, row.point, path});
    if (is_new) return;
    std::string const other = difference(first->second.state, state);
    if (other.empty()) return add_files(first->second.state, state);
    throw InputError(
        fmt::format("{}: line {}: expected a record of the same state of {} as point {} in {}, got another: {}", path,
                    row.line, row.scenario, first->second.point, first->second.path, other));
  }

 private:
  struct First {
    RecordState state;
    int point;
    std::string path;
  };
  static void add_files(RecordState& first, RecordState const& next) {
    first.files.insert(next.files.begin(), next.files.end());
  }
  std::map<std::string, First> first_;
};

}  // namespace

/// Joins files in the order of scenarios and points. A point that comes twice is an error: two runs may differ.
Merged merged(std::vector<std::string> const& paths) {
  SameSweep one_state;
  std::string header;
  std::vector<std::string> scenarios;
  std::map<std::pair<std::size_t, int>, std::pair<ResultRow, std::string>> rows;
  for (std::string const& path : paths) {
    ResultsFile file = read_results(path);
    if (file.rows.empty()) continue;
    if (!rows.empty() && file.header != header) {
      throw InputError(fmt::format("{}: expected the format of {}", path, paths.front()));
    }
    header = file.header;
    for (ResultRow& row : file.rows) {
      auto const found = std::find(scenarios.begin(), scenarios.end(), row.scenario);
      auto const order = static_cast<std::size_t>(found - scenarios.begin());
      if (found == scenarios.end()) scenarios.push_back(row.scenario);
      std::pair const place(order, row.point);
      if (rows.contains(place)) refuse_double(row, rows.at(place).second, path);
      one_state.expect(row, path, header);
      rows.emplace(place, std::pair(std::move(row), path));
    }
  }
  if (rows.empty()) throw InputError(fmt::format("{}: expected at least one record, got none", listed(paths, ", ")));
  Merged result{header, {}};
  RecordsByVersion versions;
  std::vector<PresentPoints> presence(scenarios.size());
  for (auto const& [place, row] : rows) {
    result.text += row.first.text;
    ++versions[row.first.version];
    presence[place.first].points.insert(place.second);
    presence[place.first].all = std::max(presence[place.first].all, row.first.points);
  }
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    std::string missing = missing_of(scenarios[i], presence[i]);
    if (missing.empty()) continue;
    result.whole = false;
    result.remarks.push_back(std::move(missing));
  }
  if (std::string remark = remark_on_versions(versions); !remark.empty()) result.remarks.push_back(std::move(remark));
  return result;
}

}  // namespace rondo
