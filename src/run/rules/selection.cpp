// Writes selection files of librondo_mpi: JSON rules by collective, number of ranks and bytes, each with an algorithm
// and its options or with a schedule.

#include "run/rules/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <tuple>

#include "base/error.hpp"
#include "run/points/compositions.hpp"
#include "scenario/task_files.hpp"

namespace rondo {
namespace {

using problem::ClassicalOption;
using scenario::Json;

/// Writes the rules of one problem.
class RuleWriter {
 public:
  RuleWriter(Job const& job, scenario::Point const& point, Decisions const& decisions, std::string const& folder)
      : file_(job.file), document_(point.expanded), decisions_(decisions), folder_(folder) {}

  /// A rule for each range of sizes, ascending.
  std::vector<Json> rules() const {
    std::vector<Json> result;
    // The rules of a problem must cover all sizes: the first begins at 0, and the last has no end.
    for (std::size_t i = 0; i < decisions_.choices.size(); ++i) {
      Choice const& choice = decisions_.choices[i];
      bool const last = i + 1 == decisions_.choices.size();
      Json bytes = Json::array();
      bytes.push_back(i == 0 ? 0 : choice.from.value);
      bytes.push_back(last ? Json() : Json(choice.to.value));
      result.push_back(rule_of(choice, bytes));
    }
    return result;
  }

 private:
  /// The error "FILE: /collective: what", to be thrown.
  InputError error(std::string const& what) const { return InputError(file_ + ": /collective: " + what); }

  /// The rule for one range. The options are those of the problem at its first size.
  Json rule_of(Choice const& choice, Json const& bytes) const {
    auto const composed = std::find_if(decisions_.compositions.begin(), decisions_.compositions.end(),
                                       [&](NamedComposition const& each) { return each.name == choice.algorithm; });
    // A composition was found by a search and is no algorithm of the scenario, so it is not parsed again.
    if (composed != decisions_.compositions.end()) return of_algorithm(composed->problem, bytes);
    scenario::Point point;
    point.expanded = document_;
    point.expanded["algorithm"] = choice.algorithm;
    point.expanded["block"] = fmt::format("{}B", choice.from.value);
    scenario::Problem const problem = scenario::parse(point, file_).problem;
    if (auto const* classical = std::get_if<problem::Classical>(&problem)) return of_algorithm(*classical, bytes);
    if (auto const* custom = std::get_if<problem::Custom>(&problem)) return of_schedule(*custom, bytes);
    throw error(fmt::format("expected a collective of MPI on all ranks, or a schedule of one, got \"{}\"",
                            enum_name(kind(problem))));
  }

  /// A rule with its conditions only: the collective, the number of ranks and the bytes.
  static Json of(problem::Classical const& problem, Json const& bytes) {
    Json rule;
    rule["collective"] = enum_name(kind_of(problem));
    rule["ranks"] = std::vector{problem.ranks, problem.ranks};
    rule["bytes"] = bytes;
    return rule;
  }

  /// A rule with an algorithm, or a composition of algorithms, and its options. Throws InputError if librondo_mpi does
  /// not have it.
  Json of_algorithm(problem::Classical const& problem, Json const& bytes) const {
    Json rule = of(problem, bytes);
    if (is_composed(problem)) {
      auto const variables = variables_of(problem);
      // librondo_mpi makes groups of the ranks that share memory, and cannot be given others.
      bool const on_hosts = problem.hierarchy.sizes.empty() && problem.hierarchy.levels.size() == 2;
      if (variables.empty() || !on_hosts) {
        throw error(
            fmt::format("expected algorithms that librondo_mpi has, got the fastest one, {}; --algorithms names "
                        "others",
                        composition_text(problem)));
      }
      for (auto const& [variable, value] : variables) rule[option_of(variable, problem)] = value;
      return rule;
    }
    rule["algorithm"] = enum_name(problem.algorithm);
    auto const reads = [&](ClassicalOption option) { return problem::reads(problem, option); };
    if (reads(ClassicalOption::extents) && !problem.extents.empty()) {
      throw error(
          "expected algorithms that librondo_mpi has, got one along the dimensions of a torus; --algorithms "
          "names others");
    }
    if (reads(ClassicalOption::segment) && problem.segment > Bytes(0)) rule["segment"] = print(problem.segment);
    if (reads(ClassicalOption::radix) && problem.radix > 0) rule["radix"] = problem.radix;
    if (reads(ClassicalOption::group_size) && problem.group_size > 0) rule["group_size"] = problem.group_size;
    if (reads(ClassicalOption::distances) && problem.distances != problem::Distances::falling)
      rule["distances"] = enum_name(problem.distances);
    if (reads(ClassicalOption::children) && problem.children != problem::Children::in_turn)
      rule["children"] = enum_name(problem.children);
    return rule;
  }

  /// The option of a rule that means the same as an environment variable: "RONDO_REDUCE_SCATTER_INTRA" -> "intra".
  static std::string option_of(std::string const& variable, problem::Classical const& problem) {
    std::string option =
        variable.substr(std::string("RONDO_").size() + std::string(enum_name(kind_of(problem))).size() + 1);
    std::transform(option.begin(), option.end(), option.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return option;
  }

  /// A rule with the file of a schedule, relative to the selection file.
  Json of_schedule(problem::Custom const& custom, Json const& bytes) const {
    auto const* promised = custom.promise ? std::get_if<problem::Classical>(&custom.promise->of) : nullptr;
    if (promised == nullptr) throw error("expected schedules of collectives of MPI on all ranks, got another promise");
    if (scenario::task_format(custom.schedule)) {
      throw error(
          fmt::format("expected schedules as JSON, which librondo_mpi reads, got {}; rondo export --format json "
                      "writes one",
                      custom.schedule));
    }
    Json rule = of(*promised, bytes);
    // librondo_mpi looks for the schedule from the folder of the file with the rules.
    namespace fs = std::filesystem;
    fs::path const path = fs::absolute(custom.schedule).lexically_normal();
    fs::path const from = fs::absolute(folder_.empty() ? "." : folder_).lexically_normal();
    rule["schedule"] = path.lexically_proximate(from).string();
    return rule;
  }

  std::string const& file_;  ///< the scenario, for errors
  Json document_;
  Decisions const& decisions_;
  std::string const& folder_;  ///< of the selection file
};

}  // namespace

std::string selection_text(std::vector<Job> const& jobs, TuneOptions const& options, std::string const& folder) {
  std::vector<Json> rules;
  std::set<std::pair<std::string, int>> written;
  for (Job const& job : jobs) {
    std::vector<Decisions> const all = tune(job, options);
    std::vector<scenario::Point> const points = problems_in(job, options.part);
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::vector<Json> const of_problem = RuleWriter(job, points[i], all[i], folder).rules();
      auto const collective = of_problem.front()["collective"].get<std::string>();
      // librondo_mpi takes the first rule that fits, so a second one for the same ranks would never be used.
      if (!written.emplace(collective, all[i].p).second) {
        throw InputError(
            fmt::format("{}: /collective: expected each collective and number of ranks once, got {} on {} ranks twice",
                        job.file, collective, all[i].p));
      }
      rules.insert(rules.end(), of_problem.begin(), of_problem.end());
    }
  }
  std::string text = "{\"format\": \"rondo-selection\", \"rules\": [";
  for (std::size_t i = 0; i < rules.size(); ++i) text += (i == 0 ? "\n  " : ",\n  ") + rules[i].dump();
  return text + "\n]}\n";
}

}  // namespace rondo
