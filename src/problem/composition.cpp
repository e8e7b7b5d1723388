#include "problem/composition.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "problem/composer.hpp"

namespace rondo::problem {
namespace {

/// Throws unless groups are runs of successive ranks. They have to be if contributions must be joined in the order of
/// ranks.
void expect_runs(Classical const& problem) {
  std::vector<int> const& group_of = problem.hierarchy.group_of;
  if (group_of.empty() || problem.commutative || !reduces(problem.collective)) return;
  for (auto const& group : by_group(group_of, problem.ranks)) {
    if (group.back() - group.front() + 1 == std::ssize(group)) continue;
    throw HierarchyError("/groups",
                         "expected groups of consecutive ranks where the order of ranks matters (\"commutative\": "
                         "false), got one with ranks " +
                             std::to_string(group.front()) + " and " + std::to_string(group.back()) + " of " +
                             std::to_string(std::ssize(group)));
  }
}

void expect_stated(Classical const& problem) {
  expect_rings_fit(problem);
  if (problem.algorithm != "hierarchical") return;
  Hierarchy const& hierarchy = problem.hierarchy;
  if (!hierarchy.stated()) throw InputError("expected \"hierarchy\" for hierarchical, got none");
  std::size_t const levels = hierarchy.group_of.empty() ? hierarchy.sizes.size() : 1;
  if (hierarchy.levels.size() != levels + 1) {
    throw HierarchyError("", "expected " + std::to_string(levels + 1) +
                                 " algorithms in \"intra\" and \"inter\", one for " +
                                 "each level of groups and one between the outermost ones, got " +
                                 std::to_string(hierarchy.levels.size()));
  }
  expects(hierarchy.group_of.empty() || std::ssize(hierarchy.group_of) >= problem.ranks, "a group for each rank");
  if (hierarchy.segment > Bytes(0) && !of_vectors(problem.collective)) {
    throw HierarchyError(
        "/segment",
        "expected none but for bcast, reduce and allreduce, whose vectors can be cut, got " + print(hierarchy.segment));
  }
  expect_runs(problem);
}

/// Lets the phases of successive segments overlap: phase j of segment s runs in stage j + s. A phase in which no rank
/// has anything to do is left out.
class Pipeline {
 public:
  void add(Phases&& phases) {
    std::size_t stage = segment_++;
    for (Phase& phase : phases) {
      if (phase.parts.empty()) continue;
      if (stages_.size() <= stage) stages_.resize(stage + 1);
      for (Part& part : phase.parts) {
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

std::optional<ClassicalAlgorithm> PhaseAlgorithms::of(ClassicalCollective phase) const {
  for (auto const& [collective, algorithm] : named) {
    if (collective == phase) return algorithm;
  }
  return usual;
}

std::int64_t units_of(Share const& share) {
  std::int64_t units = 0;
  for (Slice const& slice : share) units += slice.last - slice.first;
  return units;
}

bool Part::has_units() const {
  return std::any_of(shares.begin(), shares.end(), [](Share const& share) { return units_of(share) > 0; });
}

std::vector<std::int64_t> unit_sizes(Classical const& problem) {
  std::int64_t const equal = std::max<std::int64_t>(problem.sizes.block.value, 1);
  if (of_vectors(problem.collective)) return {equal};
  auto const p = static_cast<std::size_t>(problem.ranks);
  std::vector<std::int64_t> sizes(problem.collective == ClassicalCollective::alltoall ? p * p : p, equal);
  for (std::size_t i = 0; i < problem.sizes.each.size(); ++i) sizes[i] = problem.sizes.each[i].value;
  return sizes;
}

std::vector<Stage> stages_of(Classical const& problem) {
  expect_stated(problem);
  Pipeline pipeline;
  std::int64_t const units = of_vectors(problem.collective) ? unit_sizes(problem)[0] : 0;
  std::int64_t const segment = problem.hierarchy.segment.value;
  if (segment == 0 || segment >= units) {
    pipeline.add(phases_of(problem, true));
    return std::move(pipeline).finish();
  }
  for (std::int64_t first = 0; first < units; first += segment) {
    pipeline.add(phases_of(problem, true, Slice{0, first, std::min(first + segment, units)}));
  }
  return std::move(pipeline).finish();
}

std::vector<std::pair<ClassicalCollective, ClassicalCollective>> pairs_for(ClassicalCollective collective) {
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
    default:
      return {};
  }
}

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
  expect_stated(problem);
  phases_of(problem, false);
}

bool parts_read(Classical const& problem, ClassicalOption option) {
  if (!problem.hierarchy.stated() && problem.rings == 1) return false;
  for (Phase const& phase : phases_of(problem, false)) {
    for (Part const& part : phase.parts) {
      Classical sized = part.problem;
      sized.sizes = {problem.sizes.block};
      if (reads(sized, option)) return true;
    }
  }
  return false;
}

}  // namespace rondo::problem
