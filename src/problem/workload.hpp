#pragma once

// Several collectives and calculations on the ranks of one machine, which run one after the other or side by side. A
// step is a collective on groups of ranks that share no rank, or a calculation of ranks. What each rank does follows
// the order of the steps: docs/scenario.md, Workloads.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "problem/words.hpp"

namespace rondo::problem {

struct WorkloadStep;  // problem.hpp: it has problems of its own

struct Workload {
  int ranks = 1;
  int repeat = 1;                   ///< how often the list of steps is carried out
  std::vector<WorkloadStep> steps;  ///< they wait for each other in no circle
};

inline Kind kind_of(Workload const& /*problem*/) { return Kind::workload; }

/// A step of one repetition, and what it is after: their numbers among all that are carried out.
struct CarriedOut {
  std::size_t step = 0;
  std::vector<std::size_t> after = {};
};

/// All steps of all repetitions, in their order. A step is after those that it names, of its repetition; where it names
/// none, after the last one before it that does not overlap.
std::vector<CarriedOut> carried_out(Workload const& workload);

/// Steps that wait for each other: each is after the next one, and the last after the first. Empty if there are none.
std::vector<std::size_t> circular_wait(Workload const& workload);

}  // namespace rondo::problem
