#include "problem/classical.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "base/error.hpp"

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

}  // namespace

bool goes_along_extents(Classical const& problem) {
  using enum ClassicalAlgorithm;
  if (problem.extents.empty() || problem.collective != ClassicalCollective::allreduce) return false;
  return problem.algorithm == swing || problem.algorithm == bine || problem.algorithm == swing_latency ||
         problem.algorithm == bine_latency;
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

void expect_ranks_fit(Classical const& problem) {
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
      return expect(problem.group_size > 1 && problem.ranks % problem.group_size == 0, problem,
                    "a multiple of group_size " + std::to_string(problem.group_size));
    case ClassicalAlgorithm::two_process:
      return expect(problem.ranks == 2, problem, "2 ranks");
    default:
      return;
  }
}

}  // namespace rondo::problem
