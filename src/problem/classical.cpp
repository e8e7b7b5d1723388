#include "problem/classical.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "base/error.hpp"
#include "problem/composition.hpp"

namespace rondo::problem {
namespace {

void expect(bool fits, Classical const& problem, std::string const& accepted) {
  if (fits) return;
  throw InputError("expected " + accepted + " for " + word_of(problem.algorithm) + ", got " +
                   std::to_string(problem.ranks));
}

/// Throws InputError unless the extents are powers of two and those of a torus of all ranks.
void expect_extents_fit(Classical const& problem) {
  std::int64_t all = 1;
  for (int const extent : problem.extents) {
    if (extent < 1 || !std::has_single_bit(static_cast<unsigned>(extent))) {
      throw InputError("expected extents that are powers of two for " + word_of(problem.algorithm) + ", got " +
                       std::to_string(extent));
    }
    all *= extent;
    if (all > problem.ranks) break;
  }
  if (all == problem.ranks) return;
  throw InputError("expected extents of " + std::to_string(problem.ranks) + " ranks for " + word_of(problem.algorithm) +
                   ", got those of " +
                   (all > problem.ranks ? "more than " + std::to_string(problem.ranks) : std::to_string(all)));
}

bool reads_radix(ClassicalCollective collective, ClassicalAlgorithm algorithm) {
  using enum ClassicalAlgorithm;
  switch (algorithm) {
    case chain:
    case knomial:
    case linear_nb:
    case bruck:
    case spread_out:
    case recursive_multiplying:
    case allgather_reduce:
      return true;
    case linear_sync:
      return collective == ClassicalCollective::alltoall;
    case dissemination:
      return collective == ClassicalCollective::barrier;
    default:
      return false;
  }
}

/// An allreduce cuts its vector by segments in two algorithms alone; a reduction at its root gets whole vectors.
bool reads_segment(ClassicalCollective collective, ClassicalAlgorithm algorithm) {
  using enum ClassicalAlgorithm;
  switch (collective) {
    case ClassicalCollective::bcast:
      return algorithm != hierarchical && algorithm != scatter_allgather && algorithm != scatter_ring_allgather &&
             algorithm != bine_scatter_allgather;
    case ClassicalCollective::reduce:
      return algorithm != hierarchical && algorithm != linear && algorithm != rabenseifner;
    case ClassicalCollective::allreduce:
      return algorithm == double_tree || algorithm == segmented_ring;
    default:
      return false;
  }
}

/// The trees of a root, whose children may be reached in one round.
bool has_tree(ClassicalCollective collective) {
  using enum ClassicalCollective;
  return collective == bcast || collective == gather || collective == scatter || collective == reduce;
}

bool reads_distances(ClassicalCollective collective, ClassicalAlgorithm algorithm) {
  using enum ClassicalAlgorithm;
  if (has_tree(collective)) return algorithm == binomial || algorithm == bine;
  if (collective == ClassicalCollective::allgather) return algorithm == bine || algorithm == bine_block_by_block;
  return collective == ClassicalCollective::reduce_scatter && algorithm == bine;
}

bool reads_children(ClassicalCollective collective, ClassicalAlgorithm algorithm) {
  using enum ClassicalAlgorithm;
  return has_tree(collective) && (algorithm == binomial || algorithm == knomial || algorithm == bine);
}

bool reads_extents(ClassicalCollective collective, ClassicalAlgorithm algorithm) {
  using enum ClassicalAlgorithm;
  return collective == ClassicalCollective::allreduce &&
         (algorithm == swing || algorithm == bine || algorithm == swing_latency || algorithm == bine_latency);
}

}  // namespace

bool reads(ClassicalCollective collective, ClassicalAlgorithm algorithm, ClassicalOption option) {
  switch (option) {
    case ClassicalOption::radix:
      return reads_radix(collective, algorithm);
    case ClassicalOption::group_size:
      return algorithm == ClassicalAlgorithm::locality_bruck;
    case ClassicalOption::distances:
      return reads_distances(collective, algorithm);
    case ClassicalOption::children:
      return reads_children(collective, algorithm);
    case ClassicalOption::segment:
      return reads_segment(collective, algorithm);
    case ClassicalOption::extents:
      return reads_extents(collective, algorithm);
  }
  throw ContractViolation("an option");
}

bool reads(Classical const& problem, ClassicalOption option) {
  if (is_composed(problem)) return parts_read(problem, option);
  if (!reads(problem.collective, problem.algorithm, option)) return false;
  bool const cut = problem.segment > Bytes(0) && problem.segment < problem.sizes.block;
  return option != ClassicalOption::children || !cut;
}

bool goes_along_extents(Classical const& problem) {
  return !problem.extents.empty() && reads_extents(problem.collective, problem.algorithm);
}

int radix_of(Classical const& problem) {
  if (problem.radix != 0) return problem.radix;
  switch (problem.algorithm) {
    case ClassicalAlgorithm::chain:
    case ClassicalAlgorithm::knomial:
      return 4;
    case ClassicalAlgorithm::spread_out:
      return 32;
    case ClassicalAlgorithm::linear_sync:
    case ClassicalAlgorithm::linear_nb:
      return std::max(1, problem.ranks - 1);
    default:
      return 2;
  }
}

bool has_rings(ClassicalCollective collective) {
  using enum ClassicalCollective;
  return collective == bcast || collective == allgather || collective == reduce_scatter || collective == allreduce;
}

void expect_ranks_fit(Classical const& problem) {
  if (is_composed(problem)) return expect_composition_fits(problem);
  bool const folds = problem.collective == ClassicalCollective::allreduce;
  if (goes_along_extents(problem)) return expect_extents_fit(problem);
  switch (problem.algorithm) {
    case ClassicalAlgorithm::bine:
    case ClassicalAlgorithm::swing:
    case ClassicalAlgorithm::bine_block_by_block:
    case ClassicalAlgorithm::bine_scatter_allgather:
      return expect(folds || std::has_single_bit(static_cast<unsigned>(problem.ranks)), problem, "a power of two");
    case ClassicalAlgorithm::neighbor_exchange:
      return expect(problem.ranks % 2 == 0, problem, "an even number of ranks");
    case ClassicalAlgorithm::locality_bruck:
      if (problem.group_size == 0) throw InputError("expected \"group_size\" for locality_bruck, got none");
      return expect(problem.group_size > 1 && problem.ranks % problem.group_size == 0, problem,
                    "a multiple of group_size " + std::to_string(problem.group_size));
    case ClassicalAlgorithm::forest:
      expect(problem.ranks <= most_forest_ranks, problem, "at most " + std::to_string(most_forest_ranks) + " ranks");
      if (problem.network == nullptr) throw InputError("expected a machine for forest, got none");
      return;
    case ClassicalAlgorithm::two_process:
      return expect(problem.ranks == 2, problem, "2 ranks");
    default:
      return;
  }
}

}  // namespace rondo::problem
