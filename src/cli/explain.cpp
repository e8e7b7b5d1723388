// `rondo explain`: describes a scenario or a machine in sentences, with the size and the duration that its run
// would have, or explains a term, a field, a key, a kind or an algorithm. Words are looked up in the Markdown
// tables of docs/, which CMake compiles into the program as text. The tables have fixed columns: docs/terms.md
// (term, meaning, synonym), docs/algorithms.md (algorithm or kind first), docs/witness.md (SMPI's algorithm in the
// second column).

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/usage.hpp"
#include "run/output/assets.hpp"
#include "run/points/fields.hpp"
#include "run/points/preview.hpp"
#include "scenario/describe.hpp"
#include "scenario/scenario.hpp"

namespace rondo::cli {
namespace {

using PageCells = std::vector<std::string>;

/// A row of a table, with what stands around it.
struct Row {
  std::string heading;  ///< the nearest one above, without #
  PageCells titles;     ///< of the columns
  PageCells cells;
};

/// The cells of a line "| a | b |".
PageCells cells_of(std::string_view line) {
  PageCells cells;
  line.remove_prefix(1);
  for (auto end = line.find('|'); end != std::string_view::npos; end = line.find('|')) {
    cells.push_back(trimmed(line.substr(0, end)));
    line.remove_prefix(end + 1);
  }
  return cells;
}

bool is_rule(std::string_view line) { return line.starts_with("|--"); }

/// The rows of all tables of a page, in their order.
std::vector<Row> rows_of(std::string_view page) {
  std::vector<Row> rows;
  std::string heading;
  PageCells titles;
  while (!page.empty()) {
    auto const end = std::min(page.find('\n'), page.size());
    std::string_view const line = page.substr(0, end);
    page.remove_prefix(std::min(end + 1, page.size()));
    if (line.starts_with('#')) heading = trimmed(line.substr(line.find_first_not_of('#')));
    if (!line.starts_with('|')) {
      titles.clear();
    } else if (titles.empty()) {
      titles = cells_of(line);
    } else if (!is_rule(line)) {
      rows.push_back({heading, titles, cells_of(line)});
    }
  }
  return rows;
}

/// The words between backticks.
std::vector<std::string> in_backticks(std::string const& cell) {
  std::vector<std::string> words;
  for (std::size_t from = cell.find('`'); from != std::string::npos;) {
    auto const to = cell.find('`', from + 1);
    if (to == std::string::npos) break;
    words.push_back(cell.substr(from + 1, to - from - 1));
    from = cell.find('`', to + 1);
  }
  return words;
}

bool quotes(std::string const& cell, std::string const& word) {
  auto const words = in_backticks(cell);
  return std::ranges::find(words, word) != words.end();
}

/// The text as people read it in a terminal: links without their addresses, and no backticks.
std::string plain(std::string text) {
  for (auto middle = text.find("]("); middle != std::string::npos; middle = text.find("](", middle)) {
    auto const end = text.find(')', middle), begin = text.rfind('[', middle);
    if (end == std::string::npos || begin == std::string::npos) break;
    text.erase(middle, end + 1 - middle).erase(begin, 1);
    middle -= 1;
  }
  std::erase(text, '`');
  return text;
}

/// The text in lines for a terminal.
std::string lines_of(std::string_view text) { return wrapped(text, 4); }

/// "rounds L; volume p-1", without the columns that only identify the row.
std::string description_in(Row const& row, std::size_t first) {
  std::string text;
  for (std::size_t i = first; i < std::min(row.cells.size(), row.titles.size()); ++i) {
    if (row.cells[i].empty() || row.cells[i] == "-") continue;
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", row.titles[i], row.cells[i]);
  }
  return plain(text);
}

/// The rows in the table of costs for this algorithm of this collective. An empty first cell repeats the one above it.
std::string costs(std::vector<Row> const& rows, std::string const& kind, std::string const& word) {
  std::string text, kinds;
  for (Row const& row : rows) {
    if (row.titles.front() != "kind") continue;
    if (!row.cells.front().empty()) kinds = row.cells.front();
    if (!quotes(kinds, kind) || !quotes(row.cells[1], word)) continue;
    bool const is_only_name = in_backticks(row.cells[1]).size() == 1;
    text += lines_of(
        fmt::format("  {}{}", description_in(row, 2), is_only_name ? "" : " (of " + plain(row.cells[1]) + ")"));
  }
  return text;
}

/// The collectives in a heading such as "gather and scatter".
std::vector<std::string> kinds_of(std::string const& heading) {
  auto const both = heading.find(" and ");
  if (both == std::string::npos) return {heading};
  return {heading.substr(0, both), heading.substr(both + 5)};
}

std::string word_text(Row const& row, std::string const& word, std::vector<Row> const& all) {
  std::string text = lines_of(fmt::format("{} ({})", word, row.heading));
  for (std::size_t i = 1; i < std::min(row.cells.size(), row.titles.size()); ++i) {
    text += lines_of(fmt::format("  {}: {}", row.titles[i], plain(row.cells[i])));
  }
  std::set<std::string> cost_texts;
  for (std::string const& kind : kinds_of(row.heading)) {
    if (std::string const cost = costs(all, kind, word); cost_texts.insert(cost).second) text += cost;
  }
  return text;
}

/// Pages are parsed at the first use, and then kept.
std::vector<Row> const& rows_of_algorithms() {
  static std::vector<Row> const rows = [] {
    std::vector<Row> all = rows_of(asset("docs/algorithms.md"));
    std::ranges::move(rows_of(asset("docs/neighborhoods.md")), std::back_inserter(all));
    return all;
  }();
  return rows;
}

std::vector<Row> const& rows_of_witness() {
  static std::vector<Row> const rows = rows_of(asset("docs/witness.md"));
  return rows;
}

std::vector<Row> const& rows_of_terms() {
  static std::vector<Row> const rows = rows_of(asset("docs/terms.md"));
  return rows;
}

/// The row of docs/terms.md; empty if the word is not there.
std::string explained_term(std::string const& word) {
  for (Row const& row : rows_of_terms()) {
    if (plain(row.cells[0]) != word) continue;
    std::string const also = row.cells[2].empty() ? "" : fmt::format(" Also called: {}.", row.cells[2]);
    return lines_of(plain(fmt::format("{}: {}{}", word, row.cells[1], also)));
  }
  return "";
}

/// The algorithm with this name: for each collective that has it, what it does, when to choose it, its costs and its
/// source (docs/algorithms.md, docs/neighborhoods.md). Empty for any other word.
std::string explained_algorithm(std::string const& word) {
  std::string text;
  for (Row const& row : rows_of_algorithms()) {
    if (row.titles.front() == "algorithm" && quotes(row.cells[0], word)) {
      text += word_text(row, word, rows_of_algorithms());
    }
  }
  return text.empty() ? text : text + "docs/algorithms.md explains the symbols and sources\n";
}

/// Which of Rondo's algorithms sends the same messages as SMPI's algorithm with this name, or how it differs
/// (docs/witness.md). Empty for any other word.
std::string explained_smpi_name(std::string const& word) {
  std::string text;
  for (Row const& row : rows_of_witness()) {
    if (row.titles.size() < 3 || row.titles[1] != "SMPI's algorithm" || !quotes(row.cells[1], word)) continue;
    text += lines_of(fmt::format("{} (SMPI, {})", word, plain(row.cells[0]))) + lines_of("  " + description_in(row, 1));
  }
  return text;
}

/// All words that one of these three functions knows.
std::vector<std::string> names_in_pages() {
  std::vector<std::string> words;
  for (Row const& row : rows_of_terms()) words.push_back(plain(row.cells[0]));
  for (Row const& row : rows_of_witness()) {
    if (row.titles.size() < 3 || row.titles[1] != "SMPI's algorithm") continue;
    std::ranges::move(in_backticks(row.cells[1]), std::back_inserter(words));
  }
  return words;
}

struct ExplainArguments {
  std::string what;
  PointArguments points;
};

/// A field of records in one line: its meaning, its type and unit, its name in claims, and when it is null.
std::string explained(Field const& field) {
  std::string text = fmt::format("{}: a field of records: {}", field.name, field.meaning);
  if (!field.unit.empty()) text += fmt::format("; {}, in {}", field.type, field.unit);
  if (!field.variable.empty()) text += fmt::format("; in claims ALGORITHM.{}", field.variable);
  if (!field.absent.empty()) text += fmt::format("; null {}", field.absent);
  return text + "\n";
}

/// All fields with this name, either their own or that in claims.
std::string explained_fields(std::string const& name) {
  std::string text;
  for (Field const& field : fields()) {
    if (field.name == name || field.variable == name) text += explained(field);
  }
  return text;
}

/// All meanings of a word: as a term, a field, a key, a kind and an algorithm.
std::string explained_in_all(std::string const& word) {
  std::string algorithm = explained_algorithm(word);
  if (algorithm.empty()) algorithm = scenario::explain_algorithm(word);
  return explained_term(word) + explained_fields(word) + scenario::explain_key(word) + scenario::explain_kind(word) +
         algorithm + explained_smpi_name(word);
}

/// Every name that has an explanation, for "did you mean".
std::vector<std::string> known_words() {
  std::vector<std::string> names = scenario::all_keys();
  for (std::string const& each : scenario::all_kinds()) names.push_back(each);
  for (Field const& field : fields()) names.push_back(field.name);
  for (std::string const& each : names_in_pages()) names.push_back(each);
  return names;
}

/// Whether it can only be the name of a file.
bool is_file_name(std::string const& what) {
  return what.ends_with(".json") || (what.find('/') != std::string::npos && what[0] != '/');
}

std::string explain(ExplainArguments const& arguments) {
  // A file wins over a name: a user who has a file of that name means it.
  if (::access(arguments.what.c_str(), F_OK) == 0) {
    if (scenario::holds_machine(arguments.what)) return describe(scenario::load_machine(arguments.what)) + "\n";
    Job const job = load_job(arguments.what, arguments.points.resolved(), Loading::listed);
    remark_on_all(job);
    return preview(job);
  }
  std::string const text = explained_in_all(arguments.what);
  if (!text.empty()) return text;
  if (is_file_name(arguments.what)) throw InputError(arguments.what + ": no such file");
  throw InputError(fmt::format(
      "rondo explain: expected a scenario or machine file, a field of a record, a key, kind or algorithm of "
      "scenarios, or a term, got \"{}\"{}",
      excerpt(arguments.what), did_you_mean(arguments.what, known_words())));
}

}  // namespace

void add_explain(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<ExplainArguments>();
  CLI::App* command = app.add_subcommand("explain", "describe a scenario or a machine in words, or explain a word");
  command
      ->add_option(
          "WHAT", arguments->what,
          "a scenario or machine file, a field of records such as bound.time_s, a key of scenarios such as hop_latency "
          "or "
          "/machine/latency, a collective, a topology, an algorithm, also one of SMPI, or a term such as one-ported")
      ->required();
  add_overrides(*command, arguments->points);
  command->callback([arguments, &exit_code] {
    arguments->points.permit(PointArguments::Start::nothing);
    fmt::print("{}", explain(*arguments));
    exit_code = fine;
  });
}

}  // namespace rondo::cli
