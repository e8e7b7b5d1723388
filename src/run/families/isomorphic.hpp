#pragma once

// An isomorphic problem with all that its options say worked out, for isomorphic*.cpp alone.

#include "decomposition/decomposition.hpp"
#include "decomposition/dimension_order.hpp"
#include "run/families/plan.hpp"
#include "theory/theory.hpp"
#include "topology/mesh.hpp"

namespace rondo {

struct Isomorphic {
  enum class Kind : std::uint8_t { alltoall, allgather };
  Kind kind;
  scenario::IsomorphicAlgorithm algorithm;
  Torus torus;
  Boundary boundary;    ///< which dimensions close: those the problem says, on a mesh machine none
  Neighborhood given;   ///< what is promised
  Neighborhood routed;  ///< the offsets that blocks travel: given, wrapped, or on a mesh those that fit
  scenario::DimensionOrder rule;
  std::vector<int> order;         ///< of the algorithm's dimensions
  Decomposition steps = {};       ///< of basis and steiner
  std::vector<Bytes> sizes = {};  ///< one a neighbor, or none: every block takes m
  int ports = 1;                  ///< that the schedule uses; on a mesh one
};

/// Throws InputError on block sizes that are none.
Isomorphic isomorphic(scenario::IsomorphicAlltoallProblem const& problem, scenario::Scenario const& scenario);
Isomorphic isomorphic(scenario::IsomorphicAllgatherProblem const& problem, scenario::Scenario const& scenario);

/// The order that the scenario asks for, where blocks move in these hops.
std::vector<int> dimension_order(Isomorphic const& x, Hops hops);

Prediction prediction(Isomorphic const& x, scenario::Scenario const& scenario);

/// m_cut: below this block size `torus` is faster than `straightforward` on as many ports; 0: never, infinite: always;
/// unset where there is no such size (faster above one, block sizes that differ, a mesh).
std::optional<double> cutoff(Isomorphic const& x, theory::LinearCost const& cost);

/// The size of each neighbor's block (block_sizes): a list, or an expression in the offset's c0, c1, ..., l1 and linf,
/// in d and m, in bytes. Throws InputError "/collective/block_sizes: ...".
std::vector<Bytes> block_sizes(scenario::NeighborSizes const& sizes, Neighborhood const& neighborhood, Bytes block);

}  // namespace rondo
