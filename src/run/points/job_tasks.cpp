#include "run/points/job_tasks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/index.hpp"
#include "run/points/failures.hpp"
#include "run/points/replications.hpp"
#include "run/points/simulated.hpp"

namespace rondo {
namespace {

using scenario::Scenario;

/// The tasks of all jobs on their ranks, or those of one job alone.
TaskGraph merged(WorkloadPlan const& plan, std::optional<std::size_t> only) {
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

/// The time of a job: from the first arrival to the last finish of its ranks.
Seconds length(problem::WorkloadJob const& job, Timing const& timing, std::vector<Seconds> const& arrival) {
  Seconds begin = arrival.empty() ? Seconds(0) : arrival[at(job.first_rank)], end(0);
  for (int rank = job.first_rank; rank < job.first_rank + job.ranks; ++rank) {
    if (!arrival.empty()) begin = std::min(begin, arrival[at(rank)]);
    end = std::max(end, finish_of(timing, at(rank)));
  }
  return end - begin;
}

}  // namespace

TaskGraph tasks_of_jobs(WorkloadPlan const& plan) { return merged(plan, std::nullopt); }

void fill_job_tasks(Record& record, WorkloadPlan const& plan, Scenario const& scenario, PointOptions const& options) {
  TaskGraph const all = tasks_of_jobs(plan);
  Replications replications;
  std::vector<std::vector<double>> times(plan.tasks.size());
  for (int number = 0; number < scenario.replications; ++number) {
    EngineOptions const wanted = engine_options(scenario, options, number);
    Outcome<Timing> const whole = on_engine(scenario.engine, all, scenario.machine, wanted);
    if (!whole.result) {
      return add_failure(record, whole.failure,
                         number == 0 ? whole.error : fmt::format("replication {}: {}", number + 1, whole.error));
    }
    if (whole.result->messages != record.messages) {
      record.error =
          fmt::format("the engine carried {} messages, the files have {}", whole.result->messages, *record.messages);
      return;
    }
    replications.add(whole.result->makespan, whole.result->finish, wanted.arrival);
    for (std::size_t job = 0; job < times.size(); ++job) {
      times[job].push_back(length(plan.workload.jobs[job], *whole.result, wanted.arrival).value);
    }
  }
  record.payload = "timing";
  Scenario const quiet = without_noise(scenario);
  EngineOptions alone_wanted = engine_options(scenario, options);
  alone_wanted.arrival.clear();
  nlohmann::ordered_json jobs = nlohmann::ordered_json::object();
  for (std::size_t job = 0; job < plan.tasks.size(); ++job) {
    problem::WorkloadJob const& own = plan.workload.jobs[job];
    Outcome<Timing> const alone = on_engine(quiet.engine, merged(plan, job), quiet.machine, alone_wanted);
    if (!alone.result) {
      return add_failure(record, alone.failure, fmt::format("job {} alone: {}", own.name, alone.error));
    }
    jobs[own.name] = spread_entry(times[job], length(own, *alone.result, {}), scenario);
  }
  record.jobs = std::move(jobs);
  replications.fill(record, scenario);
}

}  // namespace rondo
