#include "run/points/task_job.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/checksum.hpp"
#include "base/error.hpp"
#include "base/inputs.hpp"
#include "base/printable.hpp"
#include "base/version.hpp"
#include "engine/engine.hpp"
#include "foreign/goal_binary.hpp"
#include "foreign/msccl.hpp"
#include "platform/simgrid_file.hpp"
#include "run/families/plan.hpp"
#include "run/families/promised_tasks.hpp"
#include "run/points/filled.hpp"
#include "run/points/prove.hpp"
#include "run/points/run_tasks.hpp"
#include "run/points/task_run.hpp"
#include "run/points/timeline.hpp"
#include "run/points/within.hpp"
#include "scenario/input_states.hpp"

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

/// The tasks of a plan without violations, as engines time them.
TaskGraph valid(TaskPlan const& plan, std::string const& file) {
  expect_valid(plan, file);
  return timed(plan.tasks);
}

void fill_named(Record& record, TaskJob const& job, PointOptions const& options) {
  fill(record, TaskRun{job.tasks, job.machine, job.engine}, options);
  if (record.error) record.error = fmt::format("{}: {}", job.file, *record.error);
}

}  // namespace

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

void write_goal(scenario::Scenario const& scenario, std::string const& file, TextSink const& sink) {
  Plan const plan = plan_of(scenario, file);
  if (std::holds_alternative<ProgramPlan>(plan)) return write_goal(run_of(plan, scenario, file), sink);
  if (auto const* const tasks = std::get_if<TaskPlan>(&plan)) return write_goal(valid(*tasks, file), sink);
  SchedulePlan const& chosen = schedule_plan(plan, file);
  expect_valid(chosen, scenario, file);
  write_goal(chosen.schedule, sink);
}

void write_goal_binary(scenario::Scenario const& scenario, std::string const& file, TextSink const& sink) {
  Plan const plan = plan_of(scenario, file);
  if (std::holds_alternative<ProgramPlan>(plan)) return goal_binary::write(run_of(plan, scenario, file), sink);
  if (auto const* const tasks = std::get_if<TaskPlan>(&plan)) return goal_binary::write(valid(*tasks, file), sink);
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

namespace {

TaskJob read_task_job(std::string const& file, TaskFormat format, TaskWords const& words) {
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

}  // namespace

TaskJob load_task_job(std::string const& file, TaskFormat format, TaskWords const& words) {
  InputsRead const read;
  TaskJob job = read_task_job(file, format, words);
  scenario::Inputs inputs = read.inputs();
  // What the machine's file says stands in the record itself.
  std::erase_if(inputs, [&](std::vector<std::string> const& input) { return input.front() == words.machine; });
  job.expanded = scenario::with_input_states(std::move(job.expanded), inputs, "");
  return job;
}

PointResult run_task_job(TaskJob const& job, PointOptions const& options) {
  Record record = within(
      options.timeout, [&] { return filled(described(job), [&](Record& into) { fill_named(into, job, options); }); },
      [&](std::string error) {
        Record failed = described(job);
        failed.error = fmt::format("{}: {}", job.file, error);
        return failed;
      });
  return {{1, job.expanded, {}}, std::move(record), {}};
}

}  // namespace rondo
