#include "run/points/task_job.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/checksum.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/version.hpp"
#include "engine/engine.hpp"
#include "foreign/goal_binary.hpp"
#include "foreign/msccl.hpp"
#include "platform/simgrid_file.hpp"
#include "run/families/plan.hpp"
#include "run/points/filled.hpp"
#include "run/points/prove.hpp"
#include "run/points/timeline.hpp"
#include "run/points/within.hpp"

namespace rondo {
namespace {

scenario::Engine engine_named(std::optional<std::string> const& name) {
  if (!name) return scenario::Engine::native;
  for (scenario::Engine const engine : {scenario::Engine::native, scenario::Engine::smpi}) {
    if (to_string(engine) == *name) return engine;
  }
  throw InputError(fmt::format("--engine: expected one of \"native\", \"smpi\", got \"{}\"", excerpt(*name)));
}

/// Refuses what only a run would find out otherwise.
void expect_engine_knows(TaskJob const& job) {
  std::string const misfit = scenario::engine_misfit(job.engine, job.machine);
  if (!misfit.empty()) throw InputError("--engine: " + misfit);
}

/// The machine as its file has it, and what a platform file that it names held.
scenario::Json stated_machine(Platform const& machine, std::string const& file) {
  scenario::Json stated = scenario::load_json(file);
  auto const* platform = std::get_if<PlatformFile>(&machine.topology);
  if (platform != nullptr) stated["topology"]["checksum"] = file_checksum(platform->path, most_platform_bytes);
  return stated;
}

struct Totals {
  std::int64_t messages = 0;
  Bytes bytes, most_of_a_rank;
};

Totals totals(TaskGraph const& graph) {
  Totals result;
  for (int rank = 0; rank < graph.ranks(); ++rank) {
    Bytes sent;
    for (Task const& task : graph.of(Rank(rank))) {
      if (task.kind != TaskKind::send) continue;
      ++result.messages;
      sent += Bytes(task.amount);
    }
    result.bytes += sent;
    result.most_of_a_rank = std::max(result.most_of_a_rank, sent);
  }
  return result;
}

void add_faults(Record& record, TaskFile const& tasks) {
  TaskVerdict verdict = judge(tasks);
  record.delivered = verdict.delivered;
  record.violations = verdict.violations;
  for (TaskFinding& each : verdict.first) record.violation_list.push_back(std::move(each.text));
  if (verdict.violations == 0) return;
  std::int64_t const more = verdict.violations - 1;
  record.error = fmt::format("{}: {}{}", record.scenario, record.violation_list.front(),
                             more == 0 ? "" : fmt::format(" (and {} more)", more));
}

Outcome<Timing> simulated(TaskJob const& job, PointOptions const& options) {
  EngineOptions wanted;
  wanted.timeout = options.timeout;
  auto const simulate = [&](TaskGraph const& tasks) {
    if (job.engine == scenario::Engine::smpi) return simulate_smpi(tasks, job.machine, wanted);
    return simulate_native(tasks, job.machine, wanted);
  };
  TaskGraph const& tasks = job.tasks.graph.tasks;
  // MSCCL's sends wait in their connections, not in their thread blocks.
  if (job.tasks.format == TaskFormat::msccl) return simulate(msccl::timed(tasks, job.tasks.slots));
  return simulate(tasks);
}

/// On a machine of neighbors only, the first message past one.
std::optional<std::string> first_missing_link(TaskJob const& job) {
  Allowed const allowed = allowed_by(job.machine, {});
  if (!allowed.linked) return std::nullopt;
  for (std::uint32_t t = 0; t < job.tasks.graph.tasks.tasks.size(); ++t) {
    Task const& task = job.tasks.graph.tasks.tasks[t];
    if (task.kind != TaskKind::send) continue;
    Rank const from = job.tasks.graph.tasks.rank_of(t), to(task.peer);
    if (to.value < 0 || to.value >= job.tasks.graph.tasks.ranks() || allowed.linked(from, to)) continue;
    return fmt::format("rank {}: the send of {}b to {} takes a link that the machine does not have", from.value,
                       task.amount, to.value);
  }
  return std::nullopt;
}

void fill(Record& record, TaskJob const& job, PointOptions const& options) {
  Totals const counted = totals(job.tasks.graph.tasks);
  record.messages = counted.messages;
  record.volume_bytes = counted.most_of_a_rank.value;
  record.proof = proof_word(options.proof, options.proof != Proof::off);
  if (options.proof != Proof::off) {
    add_faults(record, job.tasks);
    if (record.error) return;
  }
  if (auto const fault = first_missing_link(job)) {
    record.error = fmt::format("{}: {}", record.scenario, *fault);
    return;
  }
  Outcome const outcome = simulated(job, options);
  if (!outcome.result) {
    record.error = fmt::format("{}: {}", record.scenario, failure_text(outcome.failure, outcome.error));
    return;
  }
  record.time_s = outcome.result->makespan.value;
  record.payload = "timing";
  if (outcome.result->messages == counted.messages && outcome.result->bytes == counted.bytes) return;
  record.error =
      fmt::format("the file has {} messages of {} bytes in all, the simulation carried {} of {}", counted.messages,
                  counted.bytes.value, outcome.result->messages, outcome.result->bytes.value);
}

/// Under which records name the file.
char const* key_of(TaskFormat format) {
  switch (format) {
    case TaskFormat::goal:
      return "goal";
    case TaskFormat::msccl:
      return "msccl";
    case TaskFormat::chakra:
      return "chakra";
  }
  return "";
}

Record described(TaskJob const& job) {
  Record record;
  record.scenario = job.file;
  record.point = 1;
  record.points = 1;
  record.engine = scenario::to_string(job.engine);
  record.timing = scenario::to_string(job.machine.timing);
  record.p = job.tasks.graph.tasks.ranks();
  record.version = version();
  record.expanded = job.expanded;
  return record;
}

}  // namespace

void write_goal(scenario::Scenario const& scenario, std::string const& file, TextSink const& sink) {
  Plan const plan = plan_of(scenario, file);
  SchedulePlan const& chosen = schedule_plan(plan, file);
  expect_valid(chosen, scenario, file);
  write_goal(chosen.schedule, sink);
}

void write_goal_binary(scenario::Scenario const& scenario, std::string const& file, TextSink const& sink) {
  Plan const plan = plan_of(scenario, file);
  SchedulePlan const& chosen = schedule_plan(plan, file);
  expect_valid(chosen, scenario, file);
  goal_binary::write(lower(chosen.schedule), sink);
}

void write_msccl(scenario::Scenario const& scenario, std::string const& file, TextSink const& sink) {
  Plan const plan = plan_of(scenario, file);
  SchedulePlan const& chosen = schedule_plan(plan, file);
  expect_valid(chosen, scenario, file);
  try {
    std::string const name = scenario.title.empty() ? file : scenario.title;
    msccl::write(msccl::of_schedule(chosen.schedule, chosen.collective, name), sink);
  } catch (InputError const& error) {
    throw InputError(fmt::format("{}: {}", file, error.what()));
  }
}

TaskJob load_task_job(std::string const& file, TaskFormat format, TaskWords const& words) {
  TaskJob job;
  job.file = file;
  job.engine = engine_named(words.engine);
  job.machine = scenario::load_machine(words.machine);
  bool const has_sizes = format != TaskFormat::msccl;
  if (has_sizes && words.chunk) throw InputError(fmt::format("--chunk: {} says how large its messages are", file));
  if (!has_sizes && !words.chunk) {
    throw InputError(fmt::format("{}: expected --chunk SIZE, the bytes of a chunk, which the file does not say", file));
  }
  std::int64_t const carried = ranks(job.machine);
  job.tasks = load_tasks(file, format, words.chunk.value_or(Bytes(0)), carried == 0 ? most_file_hosts : carried);
  if (auto const promise = find_promise(file, {}, {.block = words.chunk.value_or(Bytes(1))}, {words.promise})) {
    add_promise(job.tasks, *promise, file);
  }
  job.expanded = {{key_of(format), printable(file)}, {"checksum", job.tasks.checksum}};
  if (!job.tasks.promise_name.empty()) job.expanded["promise"] = job.tasks.promise_name;
  if (words.chunk) job.expanded["chunk"] = words.chunk->value;
  job.expanded["machine"] = stated_machine(job.machine, words.machine);
  job.expanded["engine"] = to_string(job.engine);
  expect_engine_knows(job);
  return job;
}

PointResult run_task_job(TaskJob const& job, PointOptions const& options) {
  Record record = within(
      options.timeout, [&] { return filled(described(job), [&](Record& into) { fill(into, job, options); }); },
      [&](std::string error) {
        Record failed = described(job);
        failed.error = fmt::format("{}: {}", job.file, error);
        return failed;
      });
  return {{1, job.expanded, {}}, std::move(record), {}};
}

}  // namespace rondo
