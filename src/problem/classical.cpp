// Which options an algorithm reads and which numbers of ranks it accepts, from its row in the catalogue.

#include "problem/classical.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "base/error.hpp"
#include "problem/composition.hpp"

namespace rondo::problem {
namespace {

/// Throws InputError unless the number of ranks fits; `accepted` says which numbers do.
void expect_ranks(bool fits, Classical const& problem, std::string const& accepted) {
  if (fits) return;
  throw InputError("expected " + accepted + " for " + enum_name(problem.algorithm) + ", got " +
                   std::to_string(problem.ranks));
}

/// Throws InputError unless the extents are powers of two and their product is the number of ranks.
void expect_extents_fit(Classical const& problem) {
  std::int64_t product = 1;
  for (int const extent : problem.extents) {
    if (extent < 1 || !std::has_single_bit(static_cast<unsigned>(extent))) {
      throw InputError("expected extents that are powers of two for " + enum_name(problem.algorithm) + ", got " +
                       std::to_string(extent));
    }
    product *= extent;
    if (product > problem.ranks) break;
  }
  if (product == problem.ranks) return;
  throw InputError("expected extents of " + std::to_string(problem.ranks) + " ranks for " +
                   enum_name(problem.algorithm) + ", got those of " +
                   (product > problem.ranks ? "more than " + std::to_string(problem.ranks) : std::to_string(product)));
}

}  // namespace

bool reads(ClassicalCollective collective, ClassicalAlgorithm algorithm, ClassicalOption option) {
  ClassicalRow const* const row = row_of(collective, algorithm);
  return row != nullptr && row->options.contains(option);
}

/// If segments divide the vector, children are always served in turn, so the option `children` is not read.
bool reads(Classical const& problem, ClassicalOption option) {
  if (is_composed(problem)) return any_part_reads(problem, option);
  if (!reads(problem.collective, problem.algorithm, option)) return false;
  bool const is_segmented = problem.segment > Bytes(0) && problem.segment < problem.sizes.block;
  return option != ClassicalOption::children || !is_segmented;
}

std::size_t catalogue_index(Classical const& problem) {
  ClassicalRow const* const row = row_of(problem.collective, problem.algorithm);
  expects(row != nullptr, "an algorithm of the collective");
  return static_cast<std::size_t>(row - classical_catalogue.data());
}

bool goes_along_extents(Classical const& problem) {
  return !problem.extents.empty() && reads(problem.collective, problem.algorithm, ClassicalOption::extents);
}

/// Returns the problem's radix, or else the catalogue's, in which 0 means ranks - 1.
int radix_of(Classical const& problem) {
  if (problem.radix != 0) return problem.radix;
  ClassicalRow const* const row = row_of(problem.collective, problem.algorithm);
  if (row == nullptr) return 2;
  return row->radix != 0 ? row->radix : std::max(1, problem.ranks - 1);
}

bool has_rings(ClassicalCollective collective) {
  using enum ClassicalCollective;
  return collective == bcast || collective == allgather || collective == reduce_scatter || collective == allreduce;
}

/// Throws InputError if the algorithm does not work on this number of ranks.
void expect_ranks_fit(Classical const& problem) {
  if (is_composed(problem)) return expect_composition_fits(problem);
  if (goes_along_extents(problem)) return expect_extents_fit(problem);
  ClassicalRow const* const row = row_of(problem.collective, problem.algorithm);
  switch (row == nullptr ? KnownRanks::any : row->ranks) {
    case KnownRanks::any:
      return;
    case KnownRanks::two:
      return expect_ranks(problem.ranks == 2, problem, "2 ranks");
    case KnownRanks::even:
      return expect_ranks(problem.ranks % 2 == 0, problem, "an even number of ranks");
    case KnownRanks::powers_of_two:
      return expect_ranks(std::has_single_bit(static_cast<unsigned>(problem.ranks)), problem, "a power of two");
    case KnownRanks::groups:
      if (problem.group_size == 0) throw InputError("expected \"group_size\" for locality_bruck, got none");
      return expect_ranks(problem.group_size > 1 && problem.ranks % problem.group_size == 0, problem,
                          "a multiple of group_size " + std::to_string(problem.group_size));
    case KnownRanks::few:
      expect_ranks(problem.ranks <= most_forest_ranks, problem,
                   "at most " + std::to_string(most_forest_ranks) + " ranks");
      if (problem.network == nullptr) throw InputError("expected a machine for forest, got none");
      return;
  }
}

}  // namespace rondo::problem
