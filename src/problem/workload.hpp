#pragma once

// A workload: several collectives and calculations on the ranks of one machine, one after the other or side by side.
// A step is a collective on groups of ranks that share no rank, or a calculation of ranks. Each rank follows the order
// of the steps that it takes part in (docs/scenario.md, Workloads).

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "problem/enums.hpp"

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

}  // namespace rondo::problem
