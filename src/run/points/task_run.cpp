// Runs graphs of tasks: proof, counts, simulation. They have no rounds, so theory predicts nothing.

#include "run/points/task_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/ids.hpp"
#include "foreign/msccl.hpp"
#include "run/families/promises.hpp"
#include "run/points/simulate.hpp"

namespace rondo {
namespace {

/// Proves the tasks and notes their faults.
void add_faults(Record& record, TaskFile const& tasks) {
  TaskVerdict verdict = judge(tasks);
  record.delivered = verdict.delivered;
  record.violations = verdict.violations;
  record.needs_buffered_sends = verdict.needs_buffered_sends;
  for (TaskFinding& each : verdict.first) record.violation_list.push_back(std::move(each.text));
  if (verdict.violations == 0) return;
  std::int64_t const more = verdict.violations - 1;
  record.error =
      fmt::format("{}{}", record.violation_list.front(), more == 0 ? "" : fmt::format(" (and {} more)", more));
}

/// The first message that goes farther than to a neighbor, on a machine whose messages may only go to neighbors; unset
/// if there is none. Sends to ranks that do not exist are skipped.
std::optional<std::string> first_missing_link(TaskGraph const& graph, Platform const& machine) {
  MachineLimits const allowed = machine_limits(machine, {});
  if (!allowed.linked) return std::nullopt;
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    Task const& task = graph.tasks[t];
    if (task.kind != TaskKind::send) continue;
    Rank const from = graph.rank_of(t), to(task.peer);
    if (to.value < 0 || to.value >= graph.ranks() || allowed.linked(from, to)) continue;
    return fmt::format("rank {}: the send of {}b to {} takes a link that the machine does not have", from.value,
                       task.amount, to.value);
  }
  return std::nullopt;
}

}  // namespace

void explain_deadlock(Record& record, TaskGraph const& tasks, Platform const& machine) {
  if (!ends(tasks, Sends::buffered) || ends(tasks, Sends::synchronous)) return;
  std::string const which = machine.timing == TimingModel::linear  ? "all sends"
                            : machine.timing == TimingModel::loggp ? "sends of more than S = " + print(machine.loggp.S)
                                                                   : "sends of more than \"eager\"";
  *record.error +=
      fmt::format("; the schedule needs buffered sends, but under \"{}\" timing {} wait for their receives",
                  scenario::to_string(machine.timing), which);
}

TaskCounts count(TaskGraph const& graph) {
  TaskCounts result;
  std::vector<Bytes> received(at(graph.ranks()));
  for (int rank = 0; rank < graph.ranks(); ++rank) {
    Bytes sent;
    for (Task const& task : graph.of(Rank(rank))) {
      if (task.kind == TaskKind::receive) received[at(rank)] += Bytes(task.amount);
      if (task.kind != TaskKind::send) continue;
      ++result.messages;
      sent += Bytes(task.amount);
    }
    result.bytes += sent;
    result.sent = std::max(result.sent, sent);
  }
  for (Bytes const each : received) result.received = std::max(result.received, each);
  return result;
}

TaskGraph simulated_tasks(TaskFile const& tasks) {
  if (tasks.format == TaskFormat::msccl) return msccl::timed(tasks.graph.tasks, tasks.slots);
  return tasks.graph.tasks;
}

std::vector<Seconds> simulate_tasks(Record& record, TaskFile const& tasks, TaskCounts const& counted,
                                    scenario::Scenario const& scenario, PointOptions const& options) {
  record.messages = counted.messages;
  record.volume_bytes = counted.sent.value;
  record.proof = proof_name(options.proof, options.proof != Proof::off);
  if (options.proof != Proof::off) {
    add_faults(record, tasks);
    if (record.error) return {};
  }
  record.error = first_missing_link(tasks.graph.tasks, scenario.machine);
  if (record.error) return {};
  Outcome const outcome =
      on_engine(scenario.engine, simulated_tasks(tasks), scenario.machine, engine_options(scenario, options));
  if (!outcome.result) {
    add_failure(record, outcome.failure, outcome.error);
    // The connections of MSCCL hold messages whatever the timing model is.
    bool const explains = outcome.failure == Failure::deadlock && tasks.format != TaskFormat::msccl;
    if (explains) explain_deadlock(record, tasks.graph.tasks, scenario.machine);
    return {};
  }
  record.time_s = outcome.result->makespan.value;
  record.payload = "timing";
  if (outcome.result->messages == counted.messages && outcome.result->bytes == counted.bytes) {
    return outcome.result->finish;
  }
  record.error =
      fmt::format("the file has {} messages of {} bytes in all, the simulation carried {} of {}", counted.messages,
                  counted.bytes.value, outcome.result->messages, outcome.result->bytes.value);
  return {};
}

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
