// Lists the forms of compositions, and the algorithms that fit each of their phases.

#include "problem/composition_forms.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/index.hpp"

namespace rondo::problem {
namespace {

/// For each phase an algorithm that accepts any number of ranks.
PhaseAlgorithms any_algorithms(std::vector<ClassicalCollective> const& phases) {
  PhaseAlgorithms result;
  for (ClassicalCollective const phase : phases) {
    std::vector<ClassicalAlgorithm> const choices = classical_algorithms(phase);
    bool const linear = std::find(choices.begin(), choices.end(), ClassicalAlgorithm("linear")) != choices.end();
    result.exceptions.emplace_back(phase, linear ? ClassicalAlgorithm("linear") : choices.front());
  }
  return result;
}

/// The ways to make the collective between the outermost groups: as itself, or as a pair of collectives.
std::vector<std::vector<ClassicalCollective>> between_groups(ClassicalCollective collective) {
  std::vector<std::vector<ClassicalCollective>> all{{collective}};
  for (auto const& [first, second] : replacement_pairs(collective)) all.push_back({first, second});
  return all;
}

/// Whether an algorithm works on the number of ranks of a part.
bool fits(Classical part, ClassicalAlgorithm algorithm) {
  part.algorithm = algorithm;
  try {
    expect_ranks_fit(part);
    return true;
  } catch (InputError const&) {
    return false;
  }
}

/// The algorithms of a collective on a level that all its parts there can take.
PhaseChoice choice_of(std::vector<Stage> const& stages, std::size_t level, ClassicalCollective collective) {
  PhaseChoice choice{level, collective, classical_algorithms(collective)};
  std::erase(choice.algorithms, ClassicalAlgorithm("hierarchical"));
  std::set<int> looked;
  for (Stage const& stage : stages) {
    for (SubCollective const& part : stage.parts) {
      if (part.level != level || part.problem.collective != collective) continue;
      if (!looked.insert(part.problem.ranks).second) continue;
      std::erase_if(choice.algorithms, [&](ClassicalAlgorithm each) { return !fits(part.problem, each); });
    }
  }
  return choice;
}

/// A choice for each level and collective that occurs.
std::vector<PhaseChoice> choices_of(std::vector<Stage> const& stages) {
  std::set<std::pair<std::size_t, ClassicalCollective>> seen;
  std::vector<PhaseChoice> choices;
  for (Stage const& stage : stages) {
    for (SubCollective const& part : stage.parts) {
      if (!seen.emplace(part.level, part.problem.collective).second) continue;
      choices.push_back(choice_of(stages, part.level, part.problem.collective));
    }
  }
  return choices;
}

}  // namespace

/// The problem with an algorithm for each choice.
Classical CompositionForm::with(std::vector<ClassicalAlgorithm> const& algorithms) const {
  Classical result = problem;
  if (!problem.hierarchy.stated()) {
    result.algorithm = algorithms.front();
    return result;
  }
  for (PhaseAlgorithms& level : result.hierarchy.levels) level.exceptions.clear();
  for (std::size_t i = 0; i < choices.size(); ++i) {
    result.hierarchy.levels[choices[i].level].exceptions.emplace_back(choices[i].collective, algorithms[i]);
  }
  return result;
}

namespace {

constexpr ClassicalCollective all_phases[] = {
    ClassicalCollective::bcast,     ClassicalCollective::reduce,  ClassicalCollective::allreduce,
    ClassicalCollective::allgather, ClassicalCollective::gather,  ClassicalCollective::scatter,
    ClassicalCollective::alltoall,  ClassicalCollective::barrier, ClassicalCollective::reduce_scatter};

/// Adds a form, unless it does not fit the problem.
void add_form(std::vector<CompositionForm>& forms, Classical const& problem) {
  Classical first = problem;
  Bytes const segment = problem.hierarchy.segment;
  if (segment > Bytes(0) && (!works_on_vector(problem.collective) || segment >= problem.sizes.block)) return;
  if (segment > Bytes(0)) first.sizes = {segment};
  try {
    std::vector<Stage> stages = stages_of(first);
    forms.push_back({problem, choices_of(stages), std::move(stages)});
  } catch (InputError const&) {
    // These lanes, groups or rings do not fit this problem, so the form is left out.
  }
}

/// A form for each number of lanes, segment and pair of collectives between groups.
void add_hierarchical(std::vector<CompositionForm>& forms, Classical problem, CompositionSpace const& space) {
  problem.algorithm = "hierarchical";
  Hierarchy& hierarchy = problem.hierarchy;
  std::size_t const levels = hierarchy.group_of.empty() ? hierarchy.sizes.size() : 1;
  for (int const lanes : space.lanes) {
    for (Bytes const segment : space.segments) {
      for (auto const& between : between_groups(problem.collective)) {
        hierarchy.lanes = lanes;
        hierarchy.segment = segment;
        hierarchy.levels.assign(levels, any_algorithms({std::begin(all_phases), std::end(all_phases)}));
        hierarchy.levels.push_back(any_algorithms(between));
        add_form(forms, problem);
      }
    }
  }
}

/// Compositions of rings alone.
void add_rings(std::vector<CompositionForm>& forms, Classical problem) {
  problem.hierarchy = {};
  problem.algorithm = any_algorithms({problem.collective}).exceptions.front().second;
  std::size_t const before = forms.size();
  add_form(forms, problem);
  if (forms.size() == before) return;
  for (PhaseChoice& choice : forms.back().choices) {
    std::erase_if(choice.algorithms, [](ClassicalAlgorithm each) {
      return each != "ring" && each != "chain" && each != "pipeline" && each != "double_tree";
    });
  }
}

}  // namespace

/// All forms.
std::vector<CompositionForm> composition_forms(Classical problem, CompositionSpace const& space) {
  std::vector<CompositionForm> forms;
  for (int const rings : space.rings) {
    if (rings > 1 && !has_rings(problem.collective)) continue;
    problem.rings = rings;
    add_hierarchical(forms, problem, space);
    if (rings > 1) add_rings(forms, problem);
  }
  return forms;
}

}  // namespace rondo::problem
