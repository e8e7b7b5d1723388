#pragma once

// What is communicated, and by which algorithm: one value type a family. A scenario is read into one, MPI programs make
// one of their calls; from it alone generate/ makes a schedule and the promise that it must keep, and theory/ predicts.

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

/// Ranks that carry out a step together: rank k of its problem is the k-th of these.
struct WorkloadGroup {
  std::vector<std::int32_t> ranks;
  std::size_t problem = 0;  ///< which of the step's
};

struct WorkloadStep {
  std::string name;
  std::vector<WorkloadGroup> groups = {};              ///< no rank is in two
  std::vector<Problem> problems = {};                  ///< those of the groups; none if ranks calculate
  Seconds computing{0};                                ///< how long, then
  bool overlap = false;                                ///< whether ranks go on before its end
  std::optional<std::vector<std::size_t>> after = {};  ///< stated: steps of the list by number
};

Kind kind(Problem const& problem);
/// The word of its algorithm; of a user's program the library whose collectives SMPI imitates.
std::string algorithm(Problem const& problem);
/// p
int ranks(Problem const& problem);
/// How the sparse exchanges of the problem are carried out; null where it has no sparse exchanges.
ExchangeWays const* exchange_ways(Problem const& problem);

}  // namespace rondo::problem
