// Reads and writes rules files of all formats. The first line tells the format: { is JSON, commas are NCCL's table,
// anything else is Open MPI's classic form.

#include "run/rules/rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/suggest.hpp"

namespace rondo {
namespace {

constexpr std::uint64_t most_rules_bytes = std::uint64_t{1} << 26;

/// The first line that is not empty.
std::string_view first_line(std::string_view text) {
  while (!text.empty()) {
    std::size_t const end = std::min(text.find('\n'), text.size());
    std::string_view const line = text.substr(0, end);
    std::size_t const begin = line.find_first_not_of(" \t\r");
    if (begin != std::string_view::npos && line[begin] != '#') return line.substr(begin);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {};
}

/// Refuses the tuning strings of UCC, "allreduce:0-4k:@knomial", which Rondo cannot read.
[[noreturn]] void refuse_tuning_string(std::string_view line, std::string const& file) {
  throw InputError(fmt::format(
      "{}: expected rules of Open MPI's coll_tuned, MPICH or NCCL, got \"{}\", which looks like a tuning string of UCC",
      file, excerpt(line)));
}

}  // namespace

/// The rules in groups of equal ranges of ranks, in their order.
std::vector<std::span<Rule const>> by_ranks(std::vector<Rule> const& rules) {
  std::vector<std::span<Rule const>> groups;
  for (std::size_t begin = 0; begin < rules.size();) {
    std::size_t end = begin;
    while (end < rules.size() && rules[end].from_ranks == rules[begin].from_ranks &&
           rules[end].to_ranks == rules[begin].to_ranks) {
      ++end;
    }
    groups.push_back(std::span(rules).subspan(begin, end - begin));
    begin = end;
  }
  return groups;
}

std::string rules_text(Rules const& rules, std::vector<std::string> const& notes) {
  switch (rules.format) {
    case RulesFormat::ompi:
      return rules::ompi_text(rules, notes);
    case RulesFormat::ompi_json:
      return rules::ompi_json_text(rules);
    case RulesFormat::mpich:
      return rules::mpich_text(rules);
    case RulesFormat::nccl:
      return rules::nccl_text(rules, notes);
  }
  throw ContractViolation("a text for each format of rules");
}

Rules read_rules(std::string const& file, int ranks_of_a_host) {
  note_input(file);
  std::string const text = read_file(file, most_rules_bytes);
  std::string_view const first = first_line(text);
  if (file.ends_with(".md")) {
    throw InputError(fmt::format("{}: expected rules of Open MPI, MPICH or NCCL, got a page of Markdown", file));
  }
  if (first.starts_with('{')) {
    bool const of_mpich = text.find("\"collective=") != std::string::npos;
    return of_mpich ? rules::read_mpich(text, file, ranks_of_a_host) : rules::read_ompi_json(text, file);
  }
  if (first.find(':') != std::string_view::npos) refuse_tuning_string(first, file);
  return first.find(',') != std::string_view::npos ? rules::read_nccl(text, file) : rules::read_ompi(text, file);
}

namespace rules {

LibraryCollective const* named(RulesFormat format, std::string_view name) {
  for (LibraryCollective const& each : collectives_of(format)) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

LibraryCollective const* numbered(RulesFormat format, int number) {
  for (LibraryCollective const& each : collectives_of(format)) {
    if (each.number == number) return &each;
  }
  return nullptr;
}

LibraryAlgorithm const* named(LibraryCollective const& collective, std::string_view name) {
  for (LibraryAlgorithm const& each : collective.algorithms) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

/// Sets the algorithm by its name; an unknown one is kept with a remark.
void name_algorithm(Rules& rules, Rule& rule, LibraryCollective const& collective, std::string const& name) {
  rule.algorithm = named(collective, name);
  if (rule.algorithm != nullptr) return;
  rule.name = name;
  rules.remarks.push_back(fmt::format("{}: this rule is not judged: Rondo does not know \"{}\" of {}{}", rule.place,
                                      excerpt(name), collective.name, did_you_mean(name, names_of(collective))));
}

void set_fan(Rule& rule, std::int64_t fan) {
  constexpr std::int64_t most_chains = 32;
  if (rule.algorithm == nullptr || !rule.algorithm->heeds_fan) return;
  bool const chains = rule.algorithm->algorithm == problem::ClassicalAlgorithm("chain");
  if (!chains && fan < 2) rule.asks = fmt::format("a radix of at least 2, where the file has {}", fan);
  rule.fan = static_cast<int>(chains ? std::clamp<std::int64_t>(fan, 1, most_chains) : fan);
}

std::vector<std::string> names_of(LibraryCollective const& collective) {
  std::vector<std::string> names;
  for (LibraryAlgorithm const& each : collective.algorithms) names.push_back(each.name);
  return names;
}

}  // namespace rules
}  // namespace rondo
