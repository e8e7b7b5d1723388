// Unrolls repetitions, and finds out whether ranks would wait for each other for ever.

#include <algorithm>

#include "problem/problem.hpp"

namespace rondo::problem {

std::vector<StepInstance> step_instances(Workload const& workload) {
  std::vector<StepInstance> all;
  for (WorkloadJob const& job : workload.jobs) {
    std::optional<std::size_t> before;  // the last one that does not overlap
    for (int repetition = 0; repetition < job.repeat; ++repetition) {
      std::size_t const first = all.size();
      for (std::size_t step = job.first_step; step < job.first_step + job.steps; ++step) {
        WorkloadStep const& workload_step = workload.steps[step];
        StepInstance next{step};
        if (workload_step.after) {
          for (std::size_t const named : *workload_step.after) next.after.push_back(first + named - job.first_step);
        } else if (before) {
          next.after.push_back(*before);
        }
        if (!workload_step.overlap) before = all.size();
        all.push_back(std::move(next));
      }
    }
  }
  return all;
}

/// Only steps of the same repetition name each other, so one repetition of each job is enough to find a cycle.
std::vector<std::size_t> circular_wait(Workload const& workload) {
  Workload once = workload;
  for (WorkloadJob& job : once.jobs) job.repeat = 1;
  std::vector<StepInstance> const steps = step_instances(once);
  std::vector<std::size_t> open(steps.size(), 0), free;
  std::vector<std::vector<std::size_t>> followers(steps.size());
  for (std::size_t step = 0; step < steps.size(); ++step) {
    open[step] = steps[step].after.size();
    for (std::size_t const before : steps[step].after) followers[before].push_back(step);
    if (open[step] == 0) free.push_back(step);
  }
  for (std::size_t i = 0; i < free.size(); ++i) {
    for (std::size_t const next : followers[free[i]]) {
      if (--open[next] == 0) free.push_back(next);
    }
  }
  auto const waits = [&](std::size_t step) { return open[step] > 0; };
  auto const first = std::ranges::find_if(open, [](std::size_t count) { return count > 0; });
  if (first == open.end()) return {};
  // A step that waits forever comes after another one that does. Following these must lead back to a step seen
  // before.
  std::vector<std::size_t> way{static_cast<std::size_t>(first - open.begin())};
  while (true) {
    std::size_t const next = *std::ranges::find_if(steps[way.back()].after, waits);
    auto const seen = std::ranges::find(way, next);
    if (seen != way.end()) return {seen, way.end()};
    way.push_back(next);
  }
}

}  // namespace rondo::problem
