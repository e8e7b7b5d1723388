// Takes problems apart into stages. With segments, each segment goes through the phases one stage behind the segment
// before it. Lists the forms of compositions, and the algorithms that fit each of their phases.

#include "problem/composition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "problem/composer.hpp"

namespace rondo::problem {
namespace {

/// Throws unless each group has consecutive ranks, if the reduction is not commutative: it joins contributions in the
/// order of ranks.
void expect_consecutive_groups(Classical const& problem) {
  std::vector<int> const& group_of = problem.hierarchy.group_of;
  if (group_of.empty() || problem.commutative || !reduces(problem.collective)) return;
  for (auto const& group : by_group(group_of, problem.ranks)) {
    if (group.back() - group.front() + 1 == std::ssize(group)) continue;
    throw HierarchyError("/groups", fmt::format("expected groups of consecutive ranks where the order of ranks matters "
                                                "(\"commutative\": false), got a group of {} ranks from {} to {}",
                                                std::ssize(group), group.front(), group.back()));
  }
}

/// Throws unless the rings and the hierarchy are complete and fit the collective. It looks at no phase.
void expect_hierarchy_fits(Classical const& problem) {
  expect_rings_fit(problem);
  if (problem.algorithm != "hierarchical") return;
  Hierarchy const& hierarchy = problem.hierarchy;
  if (!hierarchy.stated()) throw InputError("expected \"hierarchy\" for hierarchical, got none");
  std::size_t const group_levels = hierarchy.group_of.empty() ? hierarchy.sizes.size() : 1;
  if (hierarchy.levels.size() != group_levels + 1) {
    throw HierarchyError("", fmt::format("expected {} algorithms in \"intra\" and \"inter\", one for each level of "
                                         "groups and one between the outermost ones, got {}",
                                         group_levels + 1, hierarchy.levels.size()));
  }
  expects(hierarchy.group_of.empty() || std::ssize(hierarchy.group_of) >= problem.ranks, "a group for each rank");
  if (hierarchy.segment > Bytes(0) && !works_on_vector(problem.collective)) {
    throw HierarchyError(
        "/segment",
        "expected no segment for this collective, because only the vectors of bcast, reduce and allreduce can be cut, "
        "got " +
            print(hierarchy.segment));
  }
  expect_consecutive_groups(problem);
}

/// Lets the phases of successive segments overlap: phase j of segment s runs in stage j + s. A phase in which no rank
/// has anything to do is left out.
class Pipeline {
 public:
  /// Adds the phases of the next segment.
  void add(Phases&& phases) {
    std::size_t stage = segment_++;
    for (Phase& phase : phases) {
      if (phase.parts.empty()) continue;
      if (stages_.size() <= stage) stages_.resize(stage + 1);
      for (SubCollective& part : phase.parts) {
        stages_[stage].parts.push_back(std::move(part));
        stages_[stage].names.push_back(phase.name);
      }
      ++stage;
    }
  }
  std::vector<Stage> finish() && { return std::move(stages_); }

 private:
  std::vector<Stage> stages_;
  std::size_t segment_ = 0;
};

}  // namespace

std::int64_t units_of(Share const& share) {
  std::int64_t units = 0;
  for (Slice const& slice : share) units += slice.last - slice.first;
  return units;
}

bool SubCollective::has_units() const {
  return std::any_of(shares.begin(), shares.end(), [](Share const& share) { return units_of(share) > 0; });
}

/// The size of each block in bytes.
std::vector<std::int64_t> units_by_block(Classical const& problem) {
  // If blocks have no bytes, each block counts as one unit.
  std::int64_t const equal = std::max<std::int64_t>(problem.sizes.block.value, 1);
  if (works_on_vector(problem.collective)) return {equal};
  auto const p = static_cast<std::size_t>(problem.ranks);
  // alltoall: block s * p + t goes from s to t.
  std::vector<std::int64_t> sizes(problem.collective == ClassicalCollective::alltoall ? p * p : p, equal);
  for (std::size_t i = 0; i < problem.sizes.each.size(); ++i) sizes[i] = problem.sizes.each[i].value;
  return sizes;
}

/// The stages, in order.
std::vector<Stage> stages_of(Classical const& problem) {
  expect_hierarchy_fits(problem);
  Pipeline pipeline;
  std::int64_t const units = works_on_vector(problem.collective) ? units_by_block(problem)[0] : 0;
  std::int64_t const segment = problem.hierarchy.segment.value;
  if (segment == 0 || segment >= units) {
    pipeline.add(phases_of(problem, ShareData::computed));
    return std::move(pipeline).finish();
  }
  for (std::int64_t first = 0; first < units; first += segment) {
    pipeline.add(phases_of(problem, ShareData::computed, Slice{0, first, std::min(first + segment, units)}));
  }
  return std::move(pipeline).finish();
}

/// Pairs of collectives that together do the work of one.
std::vector<std::pair<ClassicalCollective, ClassicalCollective>> replacement_pairs(ClassicalCollective collective) {
  switch (collective) {
    case ClassicalCollective::allreduce:
      return {{ClassicalCollective::reduce_scatter, ClassicalCollective::allgather},
              {ClassicalCollective::reduce, ClassicalCollective::bcast}};
    case ClassicalCollective::barrier:
      return {{ClassicalCollective::reduce, ClassicalCollective::bcast}};
    case ClassicalCollective::bcast:
      return {{ClassicalCollective::scatter, ClassicalCollective::allgather}};
    case ClassicalCollective::reduce:
      return {{ClassicalCollective::reduce_scatter, ClassicalCollective::gather}};
    case ClassicalCollective::allgather:
      return {{ClassicalCollective::gather, ClassicalCollective::bcast}};
    case ClassicalCollective::reduce_scatter:
      return {{ClassicalCollective::reduce, ClassicalCollective::scatter}};
    case ClassicalCollective::gather:
    case ClassicalCollective::scatter:
    case ClassicalCollective::alltoall:
    case ClassicalCollective::scan:
    case ClassicalCollective::exscan:
      return {};
  }
  return {};
}

/// Throws InputError if the problem cannot have several rings.
void expect_rings_fit(Classical const& problem) {
  if (problem.rings == 1) return;
  std::string const got = ", got " + std::to_string(problem.rings);
  expects(has_rings(problem.collective), "a collective that may have several rings");
  if (!problem.commutative && reduces(problem.collective)) {
    throw InputError("expected 1 ring where the order of ranks matters (\"commutative\": false)" + got);
  }
  if (!problem.extents.empty()) throw InputError("expected 1 ring with \"extents\"" + got);
  // The trees of a forest are made for all ranks of a machine at once.
  if (problem.algorithm == "forest") throw InputError("expected 1 ring with forest" + got);
  if (problem.hierarchy.sizes.size() > 1) throw InputError("expected 1 ring with several levels of groups" + got);
}

void expect_composition_fits(Classical const& problem) {
  expect_hierarchy_fits(problem);
  phases_of(problem, ShareData::omitted);  // called for its checks; the phases are not needed
}

/// Whether an option has an effect anywhere in the composition.
bool any_part_reads(Classical const& problem, ClassicalOption option) {
  if (!problem.hierarchy.stated() && problem.rings == 1) return false;
  for (Phase const& phase : phases_of(problem, ShareData::omitted)) {
    for (SubCollective const& part : phase.parts) {
      // Shares are omitted, so the sizes of parts are unknown. reads() compares a segment with the whole block instead.
      Classical part_problem = part.problem;
      part_problem.sizes = {problem.sizes.block};
      if (reads(part_problem, option)) return true;
    }
  }
  return false;
}

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
