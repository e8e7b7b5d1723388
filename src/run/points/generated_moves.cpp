// Generates the schedules that the solver starts from: a good one excludes most of its search.

#include "run/points/generated_moves.hpp"

#include "base/error.hpp"
#include "run/families/plan.hpp"
#include "run/points/job.hpp"

namespace rondo {
namespace {

using scenario::Json;
using scenario::Scenario;

/// The options of a collective that change how many rounds its algorithms take, with the values to try.
std::vector<std::pair<char const*, Json>> options_to_try(Scenario const& scenario) {
  if (std::holds_alternative<problem::Isomorphic>(scenario.problem)) {
    return {{"dimension_order", {"given", "best", "paper"}}, {"shortest_wrap", {false, true}}};
  }
  if (std::holds_alternative<problem::Intergroup>(scenario.problem)) {
    return {{"allgather", {"bruck", "recursive_doubling", "ring"}}, {"broadcast", {"binomial", "multiple_messages"}}};
  }
  // Trees and butterflies of this radix use all ports in each round.
  if (std::holds_alternative<problem::Classical>(scenario.problem)) {
    return {{"radix", {scenario.machine.ports + 1}}};
  }
  return {};
}

/// The point itself, and with the options to try in all combinations. An option that is stated is left as it is.
std::vector<Json> variants_of(Scenario const& scenario) {
  std::vector<Json> all{scenario.expanded};
  for (auto const& [key, values] : options_to_try(scenario)) {
    if (scenario.expanded["collective"].contains(key)) continue;
    for (std::size_t i = 0, n = all.size(); i < n; ++i) {
      for (Json const& value : values) {
        all.push_back(all[i]);
        all.back()["collective"][key] = value;
      }
    }
  }
  return all;
}

}  // namespace

std::vector<optimum::Moves> generated_moves(Scenario const& scenario, std::string const& file,
                                            optimum::Question const& question, OptimumOptions const& options) {
  std::vector<optimum::Moves> all;
  for (Json& variant : variants_of(scenario)) {
    scenario::Point point;
    point.expanded = std::move(variant);
    for (Scenario const& each : with_all_algorithms(point, file)) {
      bool const slow = algorithm(each.problem) == "forest";
      if (slow || !options.stop().empty()) continue;
      try {
        Plan const plan = plan_of(each, file);
        auto const* made = std::get_if<SchedulePlan>(&plan);
        if (made == nullptr) continue;
        auto moves =
            optimum::moves_of(made->schedule, made->collective, question, options.message_blocks, options.pieces);
        if (moves) all.push_back(std::move(*moves));
      } catch (InputError const&) {
        // The generator refuses this problem.
      }
    }
  }
  return all;
}

}  // namespace rondo
