// Chooses the generator of a collective on all ranks, and states the promise of the collective.

#include "generate/classical.hpp"

#include "generate/classical_forest.hpp"
#include "generate/classical_hierarchical.hpp"
#include "generate/classical_writer.hpp"

namespace rondo::generate {

Schedule generate(problem::Classical const& problem) {
  expect_ranks_fit(problem);
  if (is_composed(problem)) return classical::hierarchical(problem);
  /// The generators in the order of the rows of the catalogue, so that the number of a row is an index.
  using Generator = Schedule(problem::Classical const&);
  static constexpr Generator* by_row[] = {
#define ALGORITHM(collective, word, generator, counts, ...) classical::generator,
#include "problem/catalogue.def"
#undef ALGORITHM
  };
  return by_row[catalogue_index(problem)](problem);
}

/// The cut of the promise follows that of the schedule, so that each piece is proved.
Collective promise(problem::Classical const& problem) {
  Classical result{problem.collective, problem.ranks, Rank(problem.root)};
  bool const composed = is_composed(problem);
  if (works_on_vector(problem.collective) && !composed) {
    result.pieces = static_cast<std::uint32_t>(classical::cut_of(problem).sizes.size());
  }
  if (reduces(problem.collective)) {
    result.rules = {!problem.commutative, problem.same_bits, problem.collective == ClassicalCollective::barrier};
  }
  bool const by_trees = problem.algorithm == "forest" && !composed;
  if (by_trees && !works_on_vector(problem.collective)) {
    std::uint32_t const pieces = classical::forest_pieces(problem);
    if (pieces > 1) return in_pieces(result, {static_cast<int>(pieces)});
  }
  if (!composed) return result;
  return in_pieces(result, {static_cast<int>(classical::pieces_of_hierarchical(problem))});
}

}  // namespace rondo::generate
