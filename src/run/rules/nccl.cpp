// The table of NCCL's example tuner, one row a rule:
//
//   collective,least bytes,most bytes,algorithm,protocol,channels,nodes,ranks
//
// [NCCL, plugins/tuner/example/plugin.c]: the first row that fits holds; -1 is any number of channels, nodes or ranks.
// Two columns may follow: how many operations NCCL aggregates (1 for a call by itself), and whether buffers are
// registered (0 or 1). A node is a host. Lines are shorter than 256 characters. A row also fixes the protocol, of which
// Rondo knows none: simple.

#include <fmt/format.h>

#include <cctype>
#include <charconv>

#include "base/error.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"
#include "run/rules/rules.hpp"

namespace rondo::rules {
namespace {

constexpr std::int64_t most_nccl_bytes = std::numeric_limits<std::int64_t>::max();

/// A row with its place in the file.
struct Row {
  std::string const& file;
  int line;
  std::vector<std::string> cells;

  [[noreturn]] void refuse(std::string const& accepted, std::string_view got) const {
    throw InputError(fmt::format("{}:{}: expected {}, got \"{}\"", file, line, accepted, excerpt(got)));
  }

  std::string const& word(std::size_t i, std::vector<std::string> const& words) const {
    bool const fits = std::find(words.begin(), words.end(), cells[i]) != words.end();
    if (fits) return cells[i];
    throw InputError(fmt::format("{}:{}: expected one of {}, got \"{}\"{}", file, line, listed(words, ", "),
                                 excerpt(cells[i]), did_you_mean(cells[i], words)));
  }

  std::int64_t number(std::size_t i, std::string const& what, std::int64_t minimum) const {
    std::string const& cell = cells[i];
    std::int64_t value = 0;
    auto const [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    bool const fits = error == std::errc() && end == cell.data() + cell.size() && value >= minimum;
    if (!fits) refuse(fmt::format("{}, a whole number of at least {}", what, minimum), cell);
    return value;
  }
};

std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  for (;;) {
    std::size_t const comma = line.find(',');
    cells.push_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

std::vector<std::string> nccl_collectives() {
  std::vector<std::string> names;
  for (LibraryCollective const& each : collectives_of(RulesFormat::nccl)) names.push_back(each.name);
  return names;
}

/// The conditions of the two optional cells on a call; empty if a single call with any buffer meets them.
std::string asked_of_the_call(Row const& row) {
  std::int64_t const operations = row.cells.size() > 8 ? row.number(8, "aggregated operations, or -1 for any", -1) : -1;
  std::int64_t const registered = row.cells.size() > 9 ? row.number(9, "0, 1, or -1 for any buffers", -1) : -1;
  if (registered > 1) row.refuse("0, 1, or -1 for any buffers", row.cells[9]);
  if (operations != -1 && operations != 1) return fmt::format("{} aggregated operations", operations);
  if (registered != -1) return registered == 1 ? "registered buffers" : "buffers that are not registered";
  return "";
}

/// Whether it is the line with the names of the columns.
bool is_header(std::vector<std::string> const& cells) {
  return cells.size() > 1 && !cells[1].empty() && std::isalpha(static_cast<unsigned char>(cells[1].front())) != 0;
}

/// Adds the rule of a row. Cells that Rondo has no use for are checked all the same, because NCCL would refuse the row.
void add_row(Rules& rules, Row const& row) {
  if (row.cells.size() < 8 || row.cells.size() > 10) row.refuse("8 to 10 cells", std::to_string(row.cells.size()));
  LibraryCollective const* const collective = named(RulesFormat::nccl, row.word(0, nccl_collectives()));
  Rule rule;
  rule.from = Bytes(row.number(1, "the least bytes", 0));
  rule.to = Bytes(row.number(2, "the most bytes", rule.from.value));
  rule.place = fmt::format("{}:{}", row.file, row.line);
  name_algorithm(rules, rule, *collective, row.cells[3]);
  row.word(4, {"ll", "ll128", "simple"});
  row.number(5, "channels, or -1 for any", -1);
  std::int64_t const nodes = row.number(6, "nodes, or -1 for any", -1);
  if (nodes >= any_ranks) row.refuse(fmt::format("less than {} nodes", any_ranks), row.cells[6]);
  if (nodes >= 0) rule.hosts.number = static_cast<int>(nodes);
  std::int64_t const ranks = row.number(7, "ranks, or -1 for any", -1);
  if (ranks >= any_ranks) row.refuse(fmt::format("less than {} ranks", any_ranks), row.cells[7]);
  if (ranks >= 0) rule.from_ranks = rule.to_ranks = static_cast<int>(ranks);
  rule.asks = asked_of_the_call(row);
  for (CollectiveRules& each : rules.collectives) {
    if (each.collective == collective) return each.rules.push_back(rule);
  }
  rules.collectives.push_back({collective->name, collective, {rule}});
}

}  // namespace

std::string nccl_text(Rules const& rules, std::vector<std::string> const& notes) {
  std::string text;
  for (std::string const& note : notes) text += "# " + note + "\n";
  text += "# collective,least bytes,most bytes,algorithm,protocol,channels,nodes,ranks\n";
  for (CollectiveRules const& each : rules.collectives) {
    for (Rule const& rule : each.rules) {
      text += fmt::format("{},{},{},{},simple,-1,-1,{}\n", each.name, rule.from.value,
                          rule.to == any_size ? most_nccl_bytes : rule.to.value, rule.algorithm->name, rule.from_ranks);
    }
  }
  return text;
}

Rules read_nccl(std::string const& text, std::string const& file) {
  Rules rules{RulesFormat::nccl};
  std::string_view rest = text;
  for (int line = 1; !rest.empty(); ++line) {
    std::size_t const end = std::min(rest.find('\n'), rest.size());
    std::string_view const here = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (here.size() > 254)
      throw InputError(fmt::format("{}:{}: expected at most 254 characters, got {}", file, line, here.size()));
    if (trimmed(here).empty() || here.front() == '#') continue;
    Row const row{file, line, cells_of(here)};
    if (rules.collectives.empty() && is_header(row.cells)) {
      rules.remarks.push_back(fmt::format("{}:{}: the line that names the columns is passed over", file, line));
      continue;
    }
    add_row(rules, row);
  }
  return rules;
}

}  // namespace rondo::rules
