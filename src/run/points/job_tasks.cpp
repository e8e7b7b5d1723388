// Joins the tasks of several jobs into one graph, so that they run on one machine side by side.

#include "run/points/job_tasks.hpp"

#include "base/ids.hpp"

namespace rondo {

/// Ranks of a job follow those of the job before it. With `only`, the other jobs have no tasks, but keep their ranks.
TaskGraph tasks_of_jobs(WorkloadPlan const& plan, std::optional<std::size_t> only) {
  TaskGraph whole;
  for (std::size_t job = 0; job < plan.tasks.size(); ++job) {
    TaskGraph const& own = plan.tasks[job].graph.tasks;
    int const first = plan.workload.jobs[job].first_rank;
    auto const begin = static_cast<std::uint32_t>(whole.tasks.size());
    bool const there = !only || *only == job;
    for (Task task : own.tasks) {
      if (task.kind != TaskKind::calc) task.peer += first;
      if (there) whole.tasks.push_back(task);
    }
    for (int rank = 1; rank <= own.ranks(); ++rank) whole.first.push_back(begin + (there ? own.first[at(rank)] : 0));
    for (Requirement const& each : own.requirements) {
      if (there) whole.requirements.push_back({begin + each.task, begin + each.on, each.until});
    }
  }
  return whole;
}

}  // namespace rondo
