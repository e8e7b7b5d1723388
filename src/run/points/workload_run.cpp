// Runs workloads. Each step is proved alone. Then all steps run together. Each step and each job also runs alone, so
// that the record shows how much they slow each other down.

#include "run/points/workload_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "base/text.hpp"
#include "run/points/proof.hpp"
#include "run/points/replications.hpp"
#include "run/points/simulate.hpp"
#include "run/points/task_run.hpp"
#include "schedule/measure.hpp"
#include "schedule/parts.hpp"

namespace rondo {
namespace {

using problem::WorkloadGroup;
using problem::WorkloadStep;
using scenario::Scenario;

/// Steps to be carried out, each repetition as a step of its own. They point into a WorkloadPlan.
struct Steps {
  std::vector<PlacedStep> placed;
  std::vector<Collective const*> promise;  ///< by step: of its first group; null if it calculates
  std::vector<std::size_t> number;         ///< by step: its index in the workload
  std::vector<std::string> name;           ///< by step
};

/// Adds step `number` of the workload with the schedules of its groups. It comes after the steps `after` of `steps`.
void add(Steps& steps, WorkloadPlan const& plan, std::size_t number, std::vector<std::size_t> after) {
  WorkloadStep const& step = plan.workload.steps[number];
  PlacedStep placed{{}, step.computing, std::move(after)};
  for (WorkloadGroup const& group : step.groups) {
    Schedule const* const schedule = step.problems.empty() ? nullptr : &plan.plans[number][group.problem].schedule;
    placed.groups.push_back({schedule, group.ranks});
  }
  steps.placed.push_back(std::move(placed));
  steps.promise.push_back(step.problems.empty() ? nullptr : &plan.plans[number][step.groups[0].problem].collective);
  steps.number.push_back(number);
  steps.name.push_back(step.name);
}

/// Lists the steps of one job, or of all jobs if `job` is null, with all repetitions.
Steps steps_of(WorkloadPlan const& plan, problem::WorkloadJob const* job) {
  Steps steps;
  std::size_t before = 0;  // the steps of the jobs before it, by which the numbers in `after` are shifted
  std::vector<problem::StepInstance> all = step_instances(plan.workload);
  for (problem::StepInstance& each : all) {
    if (job != nullptr && each.step < job->first_step) ++before;
    if (job != nullptr && !job->has(each.step)) continue;
    for (std::size_t& after : each.after) after -= before;
    add(steps, plan, each.step, std::move(each.after));
  }
  return steps;
}

/// Takes a single step of the workload, which waits for no other.
Steps one_step(WorkloadPlan const& plan, std::size_t step) {
  Steps steps;
  add(steps, plan, step, {});
  return steps;
}

/// The time from the begin of a step at its first rank to the end at its last rank.
struct Span {
  Seconds begin, end;
};

/// The result of a simulation of steps, or of tasks of jobs.
struct StepTimes {
  Timing timing;            ///< of ranks
  std::vector<Span> spans;  ///< by step, or by job for tasks
};

/// Tells whether the steps are a single collective on the ranks 0, 1, ..., so that an engine can run its schedule
/// directly. If ranks arrive at different times, it must be on all ranks.
bool is_plain(Steps const& steps, int ranks, EngineOptions const& wanted) {
  if (steps.placed.size() != 1 || steps.placed[0].groups.size() != 1) return false;
  GroupStep const& group = steps.placed[0].groups[0];
  if (group.schedule == nullptr || (!wanted.arrival.empty() && std::ssize(group.ranks) != ranks)) return false;
  for (std::size_t i = 0; i < group.ranks.size(); ++i) {
    if (at(group.ranks[i]) != i) return false;
  }
  return true;
}

/// Makes the machine with the noise of these steps, in their order.
Platform machine_of(Steps const& steps, Scenario const& scenario) {
  Platform machine = scenario.machine;
  machine.noise.of_steps.clear();
  for (std::size_t const number : steps.number) {
    if (!scenario.machine.noise.of_steps.empty()) {
      machine.noise.of_steps.push_back(scenario.machine.noise.of_steps[number]);
    }
  }
  return machine;
}

/// Runs the schedule of a single collective (is_plain) directly, which is faster than as a step. Ranks that take no
/// part finish at time 0.
Outcome<StepTimes> plain(Steps const& steps, int ranks, Scenario const& scenario, EngineOptions const& wanted) {
  Schedule const& schedule = *steps.placed[0].groups[0].schedule;
  Outcome<Timing> outcome = simulate_plan(schedule, *steps.promise[0], scenario, wanted);
  if (!outcome.result) return {std::nullopt, outcome.failure, std::move(outcome.error)};
  StepTimes times{std::move(*outcome.result), {}};
  auto& finish = times.timing.finish;
  if (finish.size() == 1) finish.resize(at(schedule.ranks), finish.front());
  finish.resize(at(ranks), Seconds(0));
  Seconds const begin = wanted.arrival.empty() ? Seconds(0) : *std::ranges::min_element(wanted.arrival);
  times.spans.push_back({begin, times.timing.makespan});
  for (int rank = 0; rank < schedule.ranks && wanted.log == Log::messages; ++rank) {
    Seconds const came = wanted.arrival.empty() ? Seconds(0) : wanted.arrival[at(rank)];
    times.timing.calls.push_back({Rank(rank), steps.name[0], came, times.timing.finish[at(rank)]});
  }
  return {std::move(times), {}, ""};
}

/// Converts the engine's results from parts to ranks. A rank finishes with its last part; one without parts finishes
/// when it arrives.
void of_ranks(Timing& timing, Parts const& parts, std::vector<Seconds> const& arrival, TimingModel timing_model) {
  std::vector<Seconds> finish = arrival;
  finish.resize(at(parts.ranks), Seconds(0));
  for (std::size_t part = 0; part < parts.count(); ++part) {
    Seconds& last = finish[at(parts.rank_of[part])];
    last = std::max(last, timing.finish[part]);
  }
  timing.finish = std::move(finish);
  timing.makespan = *std::ranges::max_element(timing.finish);
  if (timing_model == TimingModel::loggp) return;  // the messages have ranks already
  for (MessageTimes& times : timing.message_times) {
    times.source = Rank(parts.rank_of[at(times.source)]);
    times.target = Rank(parts.rank_of[at(times.target)]);
  }
}

/// Simulates steps. The first call sets `known` to their parts, and later calls with the same steps use them.
Outcome<StepTimes> simulate_steps(Steps const& steps, int ranks, Scenario const& scenario, EngineOptions const& wanted,
                                  std::optional<Parts>& known) {
  if (is_plain(steps, ranks, wanted)) return plain(steps, ranks, scenario, wanted);
  if (!known) known = compose_parts(ranks, steps.placed);
  Parts const& parts = *known;
  Outcome<Timing> outcome = on_engine(scenario.engine, parts, machine_of(steps, scenario), wanted);
  if (!outcome.result) return {std::nullopt, outcome.failure, std::move(outcome.error)};
  Timing& timing = *outcome.result;
  std::vector<Seconds> const begin = start_times(parts, timing.finish, wanted.arrival);
  StepTimes result;
  result.spans.assign(steps.placed.size(), {Seconds(-1), Seconds(0)});
  for (std::size_t part = 0; part < parts.count(); ++part) {
    Span& span = result.spans[parts.step_of[part]];
    span.begin = span.begin < Seconds(0) ? begin[part] : std::min(span.begin, begin[part]);
    span.end = std::max(span.end, timing.finish[part]);
    if (wanted.log == Log::none) continue;
    timing.calls.push_back(
        {Rank(parts.rank_of[part]), steps.name[parts.step_of[part]], begin[part], timing.finish[part]});
  }
  std::ranges::stable_sort(timing.calls, [](CallSpan const& a, CallSpan const& b) {
    return std::pair(a.rank, a.start) < std::pair(b.rank, b.start);
  });
  of_ranks(timing, parts, wanted.arrival, scenario.machine.timing);
  result.timing = std::move(timing);
  return {std::move(result), {}, ""};
}

/// Simulates the tasks of all jobs, or those of the job `only`. The spans are those of jobs, from the first arrival to
/// the last finish of their ranks.
Outcome<StepTimes> simulate_steps(TaskGraph const& tasks, WorkloadPlan const& plan, std::optional<std::size_t> only,
                                  Scenario const& scenario, EngineOptions const& wanted) {
  Outcome<Timing> outcome = on_engine(scenario.engine, tasks, scenario.machine, wanted);
  if (!outcome.result) return {std::nullopt, outcome.failure, std::move(outcome.error)};
  StepTimes result{std::move(*outcome.result), {}};
  for (problem::WorkloadJob const& job : plan.workload.jobs) {
    if (only && &job != &plan.workload.jobs[*only]) continue;
    Span span{wanted.arrival.empty() ? Seconds(0) : wanted.arrival[at(job.first_rank)], Seconds(0)};
    for (int rank = job.first_rank; rank < job.first_rank + job.ranks; ++rank) {
      if (!wanted.arrival.empty()) span.begin = std::min(span.begin, wanted.arrival[at(rank)]);
      span.end = std::max(span.end, finish_of(result.timing, at(rank)));
    }
    result.spans.push_back(span);
  }
  return {std::move(result), {}, ""};
}

/// Counts the messages of all steps and repetitions, or of all tasks, and the bytes that the busiest rank sends.
void add_counts(Record& record, WorkloadPlan const& plan) {
  std::vector<std::int64_t> sent(at(plan.workload.ranks), 0);
  std::int64_t messages = 0;
  for (std::size_t number = 0; number < plan.plans.size(); ++number) {
    WorkloadStep const& step = plan.workload.steps[number];
    int const repeat = job_of(plan.workload, number).repeat;
    for (WorkloadGroup const& group : step.groups) {
      if (step.problems.empty()) break;
      Schedule const& schedule = plan.plans[number][group.problem].schedule;
      for (std::size_t member = 0; member < group.ranks.size(); ++member) {
        Program const& program = schedule.program(Rank(static_cast<std::int32_t>(member)));
        for (int round = 1; round <= program.rounds(); ++round) {
          messages += repeat * std::ssize(program.sends(round));
          for (Transfer const& send : program.sends(round)) {
            sent[at(group.ranks[member])] += repeat * program.bytes(send).value;
          }
        }
      }
    }
  }
  record.messages = messages;
  record.volume_bytes = *std::ranges::max_element(sent);
  if (plan.tasks.empty()) return;
  TaskCounts const counted = count(tasks_of_jobs(plan));
  record.messages = counted.messages;
  record.volume_bytes = counted.sent.value;
}

/// By step, or by job, its time in each replication.
using Times = std::vector<std::vector<double>>;

/// Returns the time from the first begin to the last end. There must be a span.
Seconds length(std::vector<Span> const& spans) {
  Span whole = spans.front();
  for (Span const& each : spans) whole = {std::min(whole.begin, each.begin), std::max(whole.end, each.end)};
  return whole.end - whole.begin;
}

/// Collects how long steps and jobs took in each replication, and enters that in the record beside the times that they
/// take alone: without other steps, noise and late arrivals.
class WorkloadTimes {
 public:
  WorkloadTimes(WorkloadPlan const& plan, Scenario const& scenario, EngineOptions wanted, Record& record)
      : plan_(plan),
        scenario_(scenario),
        quiet_(without_noise(scenario)),
        wanted_(std::move(wanted)),
        record_(record),
        steps_(plan.workload.steps.size()),
        jobs_(plan.workload.jobs.size()) {
    wanted_.arrival.clear();
    wanted_.log = Log::none;
  }

  /// Adds the times of a replication. The time of a step is the sum over its repetitions.
  void add(Steps const& steps, std::vector<Span> const& spans) {
    problem::Workload const& workload = plan_.workload;
    for (std::size_t job = 0; !plan_.tasks.empty() && job < spans.size(); ++job) {
      jobs_[job].push_back((spans[job].end - spans[job].begin).value);
    }
    if (!plan_.tasks.empty()) return;
    std::vector<Seconds> time(workload.steps.size(), Seconds(0));
    std::vector<std::vector<Span>> of_job(workload.jobs.size());
    for (std::size_t i = 0; i < spans.size(); ++i) {
      Seconds& own = time[steps.number[i]];
      own = own + (spans[i].end - spans[i].begin);
      of_job[at(&job_of(workload, steps.number[i]) - workload.jobs.data())].push_back(spans[i]);
    }
    for (std::size_t step = 0; step < time.size(); ++step) steps_[step].push_back(time[step].value);
    for (std::size_t job = 0; job < of_job.size(); ++job) jobs_[job].push_back(length(of_job[job]).value);
  }

  /// Runs each step and each job alone, and fills the record. Returns false if one of these runs failed; then the
  /// record has the failure.
  bool fill() {
    problem::Workload const& workload = plan_.workload;
    if (plan_.tasks.empty()) record_.steps = nlohmann::ordered_json::object();
    for (std::size_t step = 0; step < steps_.size(); ++step) {
      std::string const& name = workload.steps[step].name;
      auto const alone = time_alone("step " + name, of_steps(one_step(plan_, step)));
      if (!alone) return false;
      (*record_.steps)[name] = spread_entry(steps_[step], job_of(workload, step).repeat * *alone, scenario_);
    }
    if (!workload.has_jobs()) return true;
    record_.jobs = nlohmann::ordered_json::object();
    for (std::size_t job = 0; job < jobs_.size(); ++job) {
      auto const alone =
          time_alone("job " + workload.jobs[job].name,
                     plan_.tasks.empty() ? of_steps(steps_of(plan_, &workload.jobs[job]))
                                         : simulate_steps(tasks_of_jobs(plan_, job), plan_, job, quiet_, wanted_));
      if (!alone) return false;
      (*record_.jobs)[workload.jobs[job].name] = spread_entry(jobs_[job], *alone, scenario_);
    }
    return true;
  }

 private:
  Outcome<StepTimes> of_steps(Steps const& steps) const {
    std::optional<Parts> parts;
    return simulate_steps(steps, plan_.workload.ranks, quiet_, wanted_, parts);
  }
  /// Returns the time of a step or job that ran alone. If the run failed, notes the failure, and the record has neither
  /// steps nor jobs.
  std::optional<Seconds> time_alone(std::string const& name, Outcome<StepTimes> const& one) {
    if (one.result) return length(one.result->spans);
    record_.steps.reset();
    record_.jobs.reset();
    add_failure(record_, one.failure, fmt::format("{} alone: {}", name, one.error));
    return std::nullopt;
  }

  WorkloadPlan const& plan_;
  Scenario const& scenario_;
  Scenario quiet_;        ///< the scenario without noise
  EngineOptions wanted_;  ///< for runs alone: no arrival times, no log
  Record& record_;
  Times steps_, jobs_;
};

}  // namespace

void fill(Record& record, WorkloadPlan const& plan, Scenario const& scenario, PointOptions const& options) {
  record.posting = enum_name(scenario.posting);
  add_counts(record, plan);
  ProvedSteps const found = proved(plan, scenario, options.proof);
  record.proof = proof_name(options.proof, found.all);
  if (found.all) {
    if (plan.tasks.empty()) record.delivered = found.violations == 0;  // tasks promise nothing
    record.redundant_blocks = found.redundant;
    if (found.violations == 0) record.needs_buffered_sends = found.needs_buffers;
  }
  if (found.all || found.violations > 0) record.violations = found.violations;
  record.violation_list = found.lines;
  if (found.violations > 0) {
    record.error = fmt::format("invalid schedule, not simulated: {}, the first: {}",
                               counted(found.violations, "violation"), found.lines.front());
    return;
  }
  bool const of_tasks = !plan.tasks.empty();
  TaskGraph const tasks = tasks_of_jobs(plan);
  Steps const steps = of_tasks ? Steps() : steps_of(plan, nullptr);
  std::optional<Parts> parts;
  Replications replications;
  WorkloadTimes found_times(plan, scenario, engine_options(scenario, options), record);
  for (int number = 0; number < scenario.replications; ++number) {
    EngineOptions const wanted = engine_options(scenario, options, number);
    Outcome<StepTimes> const whole = of_tasks ? simulate_steps(tasks, plan, std::nullopt, scenario, wanted)
                                              : simulate_steps(steps, plan.workload.ranks, scenario, wanted, parts);
    if (!whole.result) {
      return add_failure(record, whole.failure,
                         number == 0 ? whole.error : fmt::format("replication {}: {}", number + 1, whole.error));
    }
    Timing const& timing = whole.result->timing;
    record.payload = timing.payload_verified ? "verified" : "timing";
    if (timing.messages != record.messages) {
      record.error = fmt::format("the engine carried {} messages, the {} have {}", timing.messages,
                                 of_tasks ? "files" : "schedules", *record.messages);
      return;
    }
    replications.add(timing.makespan, timing.finish, wanted.arrival);
    found_times.add(steps, whole.result->spans);
  }
  if (found_times.fill()) replications.fill(record, scenario);
}

Outcome<Timing> simulate_plan(WorkloadPlan const& plan, Scenario const& scenario, EngineOptions const& wanted) {
  if (!plan.tasks.empty()) return on_engine(scenario.engine, tasks_of_jobs(plan), scenario.machine, wanted);
  std::optional<Parts> parts;
  Outcome<StepTimes> whole = simulate_steps(steps_of(plan, nullptr), plan.workload.ranks, scenario, wanted, parts);
  if (!whole.result) return {std::nullopt, whole.failure, std::move(whole.error)};
  return {std::move(whole.result->timing), {}, ""};
}

}  // namespace rondo
