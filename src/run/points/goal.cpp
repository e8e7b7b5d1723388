#include "run/points/goal.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/checksum.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/version.hpp"
#include "engine/engine.hpp"
#include "platform/simgrid_file.hpp"
#include "run/families/plan.hpp"
#include "run/points/filled.hpp"
#include "run/points/timeline.hpp"
#include "run/points/within.hpp"

namespace rondo {
namespace {

constexpr std::uint64_t largest_text = std::uint64_t{32} << 30;

scenario::Engine engine_named(std::optional<std::string> const& name) {
  if (!name) return scenario::Engine::native;
  for (scenario::Engine const engine : {scenario::Engine::native, scenario::Engine::smpi}) {
    if (to_string(engine) == *name) return engine;
  }
  throw InputError(fmt::format("--engine: expected one of \"native\", \"smpi\", got \"{}\"", excerpt(*name)));
}

/// Refuses what only a run would find out otherwise.
void expect_engine_knows(GoalJob const& job) {
  std::string const misfit = scenario::engine_misfit(job.engine, job.machine);
  if (!misfit.empty()) throw InputError("--engine: " + misfit);
}

/// The machine as its file has it, and what a platform file that it names held.
scenario::Json stated_machine(Platform const& machine, std::string const& file) {
  scenario::Json stated = scenario::load_json(file);
  auto const* platform = std::get_if<PlatformFile>(&machine.topology);
  if (platform != nullptr) stated["topology"]["checksum"] = file_checksum(platform->path);
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

void add_faults(Record& record, TaskGraph const& graph) {
  TaskFaults faults = check(graph);
  record.violations = faults.count;
  record.violation_list = std::move(faults.first);
  if (faults.count == 0) return;
  std::int64_t const more = faults.count - 1;
  record.error = fmt::format("{}: {}{}", record.scenario, record.violation_list.front(),
                             more == 0 ? "" : fmt::format(" (and {} more)", more));
}

Outcome<Timing> simulated(GoalJob const& job, PointOptions const& options) {
  EngineOptions wanted;
  wanted.timeout = options.timeout;
  if (job.engine == scenario::Engine::smpi) return simulate_smpi(job.graph, job.machine, wanted);
  return simulate_native(job.graph, job.machine, wanted);
}

/// On a machine of neighbors only, the first message past one.
std::optional<std::string> first_missing_link(GoalJob const& job) {
  Allowed const allowed = allowed_by(job.machine, {});
  if (!allowed.linked) return std::nullopt;
  for (std::uint32_t t = 0; t < job.graph.tasks.size(); ++t) {
    Task const& task = job.graph.tasks[t];
    if (task.kind != TaskKind::send) continue;
    Rank const from = job.graph.rank_of(t), to(task.peer);
    if (to.value < 0 || to.value >= job.graph.ranks() || allowed.linked(from, to)) continue;
    return fmt::format("rank {}: the send of {}b to {} takes a link that the machine does not have", from.value,
                       task.amount, to.value);
  }
  return std::nullopt;
}

void fill(Record& record, GoalJob const& job, PointOptions const& options) {
  Totals const counted = totals(job.graph);
  record.messages = counted.messages;
  record.volume_bytes = counted.most_of_a_rank.value;
  record.proof = proof_word(options.proof, options.proof != Proof::off);
  if (options.proof != Proof::off) {
    add_faults(record, job.graph);
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
      fmt::format("the text has {} messages of {} bytes in all, the simulation carried {} of {}", counted.messages,
                  counted.bytes.value, outcome.result->messages, outcome.result->bytes.value);
}

Record described(GoalJob const& job) {
  Record record;
  record.scenario = job.file;
  record.point = 1;
  record.points = 1;
  record.engine = scenario::to_string(job.engine);
  record.timing = scenario::to_string(job.machine.timing);
  record.p = job.graph.ranks();
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

bool is_goal(std::string const& file) { return file.ends_with(".goal"); }

GoalJob load_goal(std::string const& file, std::string const& machine, std::optional<std::string> const& engine) {
  GoalJob job;
  job.file = file;
  job.engine = engine_named(engine);
  job.machine = scenario::load_machine(machine);
  std::string text = read_file(file, largest_text);
  std::string const checksum = fmt::format("fnv1a:{:016x}", fnv1a(text));
  std::int64_t const carried = ranks(job.machine);
  job.graph = read_goal(text, file, carried == 0 ? most_file_hosts : carried);
  job.expanded = {{"goal", file},
                  {"checksum", checksum},
                  {"machine", stated_machine(job.machine, machine)},
                  {"engine", to_string(job.engine)}};
  expect_engine_knows(job);
  return job;
}

PointResult run_goal(GoalJob const& job, PointOptions const& options) {
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
