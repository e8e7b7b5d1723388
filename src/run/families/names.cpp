// The names of a problem that claims may use, family by family: numbers of ranks, edges and neighbors, parameters
// of algorithms. docs/claims.md lists them, and answers.hpp declares the function. An unknown name gets an error.
// A name with a dot may have a wrong value or a wrong field; both are looked up.

#include "run/families/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <type_traits>

#include "base/error.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"
#include "run/families/answers.hpp"
#include "theory/graph_collectives.hpp"

namespace rondo {
namespace {

double number(std::int64_t count) { return static_cast<double>(count); }

double most_targets(ProcessGraph const& graph) {
  std::int64_t most = 0;
  for (int rank = 0; rank < graph.ranks(); ++rank) most = std::max(most, std::ssize(graph.targets(Rank(rank))));
  return number(most);
}

/// s, d, and D, V, W of `torus` on this torus or mesh, on one port.
Names family_names(problem::Isomorphic const& problem, theory::MachineCost const& cost) {
  auto const [rounds, alltoall, allgather] = theory::dimension_wise_counts(problem);
  return {{"s", problem.neighborhood.size()},
          {"d", problem.torus.dimensions()},
          {"D", rounds},
          {"V", alltoall},
          {"W", allgather},
          {"m_cut", theory::cutoff(problem, cost)}};
}

Names family_names(problem::Intergroup const& problem, theory::MachineCost const& /*cost*/) {
  return {{"senders", problem.groups.senders()}, {"receivers", problem.groups.receivers()}};
}

Names family_names(problem::Neighbor const& problem, theory::MachineCost const& /*cost*/) {
  ProcessGraph const& graph = graph_of(problem.graph);
  return {{"edges", number(graph.edges())},
          {"theta", problem.options.theta},
          {"cumulative", problem.options.combining == problem::Combining::cumulative ? 1.0 : 0.0},
          {"persistent", problem.persistent ? 1.0 : 0.0},
          {"fewest_combined_once", number(theory::fewest_messages_combined_once(graph))}};
}

Names family_names(problem::SparseOnGraph const& problem, theory::MachineCost const& /*cost*/) {
  return {{"edges", number(graph_of(problem.graph).edges())},
          {"used_edges", number(graph_of(as_neighborhood(problem).graph).edges())},
          {"theta", problem.options.theta},
          {"cumulative", problem.options.combining == problem::Combining::cumulative ? 1.0 : 0.0}};
}

Names family_names(problem::SparseExchange const& problem, theory::MachineCost const& /*cost*/) {
  ProcessGraph const& graph = graph_of(problem.pattern);
  return {{"edges", number(graph.edges())}, {"most_targets", most_targets(graph)}, {"exchanges", problem.exchanges}};
}

Names family_names(problem::GraphProgram const& problem, theory::MachineCost const& /*cost*/) {
  ProcessGraph const& graph = graph_of(problem.graph);
  return {{"edges", number(graph.edges())}, {"most_targets", most_targets(graph)}};
}

Names family_names(problem::Bisection const& problem, theory::MachineCost const& /*cost*/) {
  return {{"points", number(problem.cloud.points)}};
}

Names family_names(problem::Classical const& problem, theory::MachineCost const& /*cost*/) {
  return {{"root", problem.root},
          {"radix", radix_of(problem)},
          {"segment", number(problem.segment.value > 0 ? problem.segment.value : problem.sizes.block.value)}};
}

/// argument_0, argument_1, ...: the arguments that are whole numbers.
Names family_names(problem::UserProgram const& problem, theory::MachineCost const& /*cost*/) {
  Names names;
  for (std::size_t i = 0; i < problem.arguments.size(); ++i) {
    std::string const& word = problem.arguments[i];
    std::int64_t value = 0;
    auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    bool const whole = error == std::errc() && end == word.data() + word.size();
    if (whole) names[fmt::format("argument_{}", i)] = number(value);
  }
  return names;
}

Names family_names(problem::Workload const& problem, theory::MachineCost const& /*cost*/) {
  if (problem.has_jobs()) return {};
  return {{"repeat", problem.jobs.front().repeat}};
}

/// The names of the promised collective.
Names family_names(problem::Custom const& problem, theory::MachineCost const& cost) {
  if (!problem.promise) return {};
  return std::visit(
      [&](auto const& of) {
        if constexpr (std::is_same_v<std::decay_t<decltype(of)>, StatedPromise>) {
          return Names{};
        } else {
          return family_names(of, cost);
        }
      },
      problem.promise->of);
}

}  // namespace

Names names_for(problem::Problem const& problem, theory::MachineCost const& cost, Seconds poll) {
  Names names = std::visit([&](auto const& each) { return family_names(each, cost); }, problem);
  if (exchange_ways(problem) != nullptr) names["poll_time"] = poll.value;
  return names;
}

namespace {

using Words = std::vector<std::string>;

/// The fields that most claims use. A message lists only these, because there are too many others.
constexpr std::array usual_fields{"time",      "rounds",      "volume",     "bytes",        "messages",
                                  "delivered", "theory_time", "bound_time", "bound_rounds", "gap.volume"};

bool has_name(Words const& words, std::string const& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The names of a claim, taken apart.
struct ClaimNames {
  Words owners;  ///< what stands before a dot, each once
  Words alone;   ///< names without a dot
  Words fields;  ///< what stands behind the dot of the one that is asked about
};

/// Divides names into values of `across`, their fields, and names without a dot.
ClaimNames apart(Names const& all_names, std::string const& owner) {
  ClaimNames names;
  for (auto const& [name, value] : all_names) {
    std::size_t const dot = name.find('.');
    std::string const before = name.substr(0, dot);
    if (dot == std::string::npos) {
      names.alone.push_back(name);
    } else {
      if (!has_name(names.owners, before)) names.owners.push_back(before);
      if (before == owner) names.fields.push_back(name.substr(dot + 1));
    }
  }
  return names;
}

/// The known word, or the words that are most similar to it.
Words nearest(std::string const& word, Words const& words) {
  if (has_name(words, word)) return {word};
  return near_names(word, words);
}

/// OWNER.FIELD for each of the fields.
Words with_owner(std::string const& owner, Words fields) {
  for (std::string& field : fields) field.insert(0, owner + ".");
  return fields;
}

/// "time, rounds, ...": those of the usual fields that there are.
std::string shown_fields(Words const& fields) {
  Words shown;
  for (char const* field : usual_fields) {
    if (has_name(fields, field)) shown.emplace_back(field);
  }
  if (shown.size() == fields.size()) return listed(shown, ", ");
  if (shown.empty()) return "rondo list fields has them";
  return fmt::format("{}, ...; rondo list fields has all", listed(shown, ", "));
}

/// The first of many.
std::string shown_names(Words words) {
  constexpr std::size_t most = 16;
  std::size_t const more = words.size() > most ? words.size() - most : 0;
  words.resize(words.size() - more);
  return fmt::format("{}{}", listed(words, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

/// OWNER.FIELD
std::string of_field(std::string const& owner, std::string const& field, Names const& all_names) {
  ClaimNames const names = apart(all_names, owner);
  if (names.fields.empty()) {
    Words near;
    for (std::string const& each : nearest(owner, names.owners)) {
      for (std::string& name : with_owner(each, nearest(field, apart(all_names, each).fields))) near.push_back(name);
    }
    return fmt::format("{} (names before a dot: {})", did_you_mean(near), shown_names(names.owners));
  }
  if (field == "optimal" && has_name(names.fields, "optimal.rounds")) {
    return fmt::format(
        ", which is text; {}.optimal.rounds, .volume, .critical, .total, .messages and .volume_in_rounds are true or "
        "false",
        owner);
  }
  return fmt::format("{} (fields of {}: {})", did_you_mean(with_owner(owner, nearest(field, names.fields))), owner,
                     shown_fields(names.fields));
}

/// A name without a dot.
std::string of_word(std::string const& name, Names const& all_names) {
  ClaimNames const names = apart(all_names, name);
  if (!names.fields.empty()) {
    return fmt::format(": after \"{}\" a dot and a field are expected ({})", name, shown_fields(names.fields));
  }
  std::string const& owner = names.owners.front();
  Words const fields = apart(all_names, owner).fields;
  Words near = has_name(fields, name) ? with_owner(owner, {name}) : nearest(name, names.alone);
  if (near.empty()) near = nearest(name, names.owners);
  return fmt::format("{} (known: {}; fields of {}: {})", did_you_mean(near), shown_names(names.alone),
                     shown_names(names.owners), shown_fields(fields));
}

/// In an expression of a size: a similar name, or all where they are few.
std::string of_size(std::string const& name, Names const& all_names) {
  Words names;
  for (auto const& [each, value] : all_names) names.push_back(each);
  std::string const similar = did_you_mean(name, names);
  constexpr std::size_t few = 12;
  bool const all = similar.empty() && names.size() <= few;
  return all ? fmt::format("; known are {}", listed(names, ", ")) : similar;
}

}  // namespace

/// What may have been meant: a function without its parenthesis, a name of another algorithm, or a misspelt one.
std::string unknown_name(std::string const& name, bool called, Names const& all_names, Words const& functions) {
  std::string const start = fmt::format("unknown {} \"{}\"", called ? "function" : "name", excerpt(name));
  if (called)
    return fmt::format("{}{} (functions: {})", start, did_you_mean(nearest(name, functions)), listed(functions, ", "));
  if (has_name(functions, name)) return fmt::format("{}, which is a function: {}(...)", start, name);
  bool const in_claim = std::any_of(all_names.begin(), all_names.end(),
                                    [](auto const& each) { return each.first.find('.') != std::string::npos; });
  if (!in_claim) return start + of_size(name, all_names);
  if (name == "alpha" || name == "beta") return start + ", which only \"linear\" timing without \"pieces\" has";
  std::size_t const dot = name.find('.');
  if (dot == std::string::npos) return start + of_word(name, all_names);
  return start + of_field(name.substr(0, dot), name.substr(dot + 1), all_names);
}

}  // namespace rondo
