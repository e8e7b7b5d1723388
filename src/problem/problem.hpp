#pragma once

// A problem says what is communicated and by which algorithm; each family of collectives has a type of its own. A
// scenario is read into a problem, and MPI programs make one from a call. From the problem alone, generate/ makes a
// schedule and the promise that it must keep, and theory/ predicts its costs.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "problem/classical.hpp"
#include "problem/custom.hpp"
#include "problem/graph_collectives.hpp"
#include "problem/intergroup.hpp"
#include "problem/isomorphic.hpp"
#include "problem/programs.hpp"
#include "problem/workload.hpp"

namespace rondo::problem {

using Problem = std::variant<Isomorphic, Intergroup, Neighbor, SparseOnGraph, SparseExchange, GraphProgram, Bisection,
                             UserProgram, Classical, Custom, Workload>;

/// Ranks that carry out a step together. Rank k of the step's problem is the k-th of these.
/// A group of ranks, and the problem that it carries out.
struct WorkloadGroup {
  std::vector<std::int32_t> ranks;
  std::size_t problem = 0;  ///< which of the step's
};

/// A step of a workload.
struct WorkloadStep {
  std::string name;
  std::vector<WorkloadGroup> groups = {};              ///< no rank is in two
  std::vector<Problem> problems = {};                  ///< those of the groups; none if ranks calculate
  Seconds computing{0};                                ///< how long, then
  bool overlap = false;                                ///< whether ranks go on before its end
  std::optional<std::vector<std::size_t>> after = {};  ///< stated: steps of the list by number
};

Kind kind(Problem const& problem);
/// The name of its algorithm; for a user's program, the library whose collectives SMPI imitates.
std::string algorithm(Problem const& problem);
/// The number of ranks, p.
int ranks(Problem const& problem);
/// How the problem carries out its sparse exchanges; null if it has none.
ExchangeWays const* exchange_ways(Problem const& problem);

}  // namespace rondo::problem
