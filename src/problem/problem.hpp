#pragma once

// A problem says what is communicated and by which algorithm; each family of collectives has a type of its own. A
// scenario is read into a problem, and MPI programs make one from a call. From the problem alone, generate/ makes a
// schedule and the promise that it must keep, and theory/ predicts its costs.
//
// A Workload is a problem that consists of others: several collectives and calculations on the ranks of one machine,
// one after the other or side by side. A step is a collective on groups of ranks that share no rank, or a
// calculation of ranks. Each rank follows the order of the steps that it takes part in (docs/scenario.md, Workloads).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/units.hpp"
#include "problem/classical.hpp"
#include "problem/enums.hpp"
#include "problem/graph_collectives.hpp"
#include "problem/intergroup.hpp"
#include "problem/isomorphic.hpp"
#include "problem/programs.hpp"
#include "problem/promise.hpp"

namespace rondo::problem {

struct WorkloadStep;  // problem.hpp: it has problems of its own

/// A list of steps on successive ranks that belong to no other job. A workload without named jobs has a single job
/// without a name.
struct WorkloadJob {
  std::string name = {};
  int first_rank = 0, ranks = 1;
  std::size_t first_step = 0, steps = 0;  ///< of Workload::steps
  int repeat = 1;                         ///< how often its steps are carried out
  Seconds start{0};                       ///< when its ranks come
  std::string tasks = {};                 ///< the path of a file of tasks, in the place of steps

  bool has(std::size_t step) const { return step >= first_step && step < first_step + steps; }
};

/// Jobs, and the steps of all jobs.
struct Workload {
  int ranks = 1;
  std::vector<WorkloadStep> steps;  ///< they wait for each other in no cycle; those of a job are named JOB.STEP
  std::vector<WorkloadJob> jobs;    ///< in the order of their ranks and steps
  std::vector<int> host_of = {};    ///< by rank, then of the ranks that no job has; empty: as the machine places them

  bool has_jobs() const { return !jobs.front().name.empty(); }
  /// Whether its jobs are files of tasks; either all jobs are, or none is.
  bool has_tasks() const { return !jobs.front().tasks.empty(); }
};

/// The job that a step is of.
inline WorkloadJob const& job_of(Workload const& workload, std::size_t step) {
  auto job = workload.jobs.begin();
  while (!job->has(step)) ++job;
  return *job;
}

inline Kind kind_of(Workload const& /*problem*/) { return Kind::workload; }

/// A step of one repetition, and the steps that it comes after. All of them have numbers among the steps that are
/// carried out.
struct StepInstance {
  std::size_t step = 0;
  std::vector<std::size_t> after = {};
};

/// All steps of all repetitions, job after job, in their order. A step with a list `after` comes after the steps of its
/// repetition in this list; if the list is empty, it waits for nothing. A step without the list comes after the last
/// step before it in its job that does not overlap, which may be one of the repetition before.
std::vector<StepInstance> step_instances(Workload const& workload);

/// Steps that wait for each other, by their numbers in workload.steps: each comes after the next one, and the last
/// comes after the first. Empty if there are none.
std::vector<std::size_t> circular_wait(Workload const& workload);

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
