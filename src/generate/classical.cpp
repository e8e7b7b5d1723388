// Chooses the generator of a collective on all ranks, and states the promise of the collective.

#include "generate/classical.hpp"

#include "base/error.hpp"
#include "generate/classical_forest.hpp"
#include "generate/classical_hierarchical.hpp"
#include "generate/classical_writer.hpp"

namespace rondo::generate {

Schedule generate(problem::Classical const& problem) {
  expect_ranks_fit(problem);
  if (is_composed(problem)) return classical::hierarchical(problem);
  if (problem.algorithm == problem::ClassicalAlgorithm::forest) return classical::forest(problem);
  switch (problem.collective) {
    case ClassicalCollective::bcast:
      return classical::bcast(problem);
    case ClassicalCollective::gather:
      return classical::gather(problem);
    case ClassicalCollective::scatter:
      return classical::scatter(problem);
    case ClassicalCollective::allgather:
      return classical::allgather(problem);
    case ClassicalCollective::alltoall:
      return classical::alltoall(problem);
    case ClassicalCollective::reduce:
      return classical::reduce(problem);
    case ClassicalCollective::reduce_scatter:
      return classical::reduce_scatter(problem);
    case ClassicalCollective::scan:
    case ClassicalCollective::exscan:
      return classical::scan(problem);
    case ClassicalCollective::allreduce:
      return classical::allreduce(problem);
    case ClassicalCollective::barrier:
      return classical::barrier(problem);
  }
  throw ContractViolation("a collective on all ranks");
}

/// Some schedules cut blocks into pieces. The promise is cut in the same way, so that each piece is proved.
Collective promise(problem::Classical const& problem) {
  Classical result{problem.collective, problem.ranks, Rank(problem.root)};
  bool const composed = is_composed(problem);
  if (of_vectors(problem.collective) && !composed) {
    result.pieces = static_cast<std::uint32_t>(classical::cut_of(problem).sizes.size());
  }
  if (reduces(problem.collective)) {
    result.rules = {!problem.commutative, problem.same_bits, problem.collective == ClassicalCollective::barrier};
  }
  bool const by_trees = problem.algorithm == problem::ClassicalAlgorithm::forest && !composed;
  if (by_trees && !of_vectors(problem.collective)) {
    std::uint32_t const pieces = classical::forest_pieces(problem);
    if (pieces > 1) return in_pieces(result, {static_cast<int>(pieces)});
  }
  if (!composed) return result;
  return in_pieces(result, {static_cast<int>(classical::pieces_of_hierarchical(problem))});
}

}  // namespace rondo::generate
