// Writes schedules for other programs. All formats get the same plan; those that lose information (MSCCL has no gaps
// between chunks, GOAL no promise) say so in their own sources.

#include "run/points/export.hpp"

#include "base/error.hpp"
#include "foreign/goal_binary.hpp"
#include "foreign/msccl.hpp"
#include "run/formats/promise_json.hpp"
#include "run/points/run_tasks.hpp"
#include "run/points/simulate.hpp"
#include "run/points/task_run.hpp"
#include "schedule/task_graph.hpp"

namespace rondo {
namespace {

using scenario::Json;

/// For each dimension of the promised torus, whether it is closed; null if all are, or if the promise has no torus.
Json periodic_of(Collective const& collective) {
  auto const of = [](auto const& promised) -> Json {
    if constexpr (requires { promised.boundary; }) {
      if (promised.boundary == Boundary::periodic) return nullptr;
      Json closed = Json::array();
      for (std::size_t j = 0; j < promised.torus.extents().size(); ++j) closed.push_back(promised.boundary.closes(j));
      return closed;
    } else {
      return nullptr;
    }
  };
  return std::visit(of, collective);
}

/// Into how many pieces blocks are cut; null if they are whole.
Json pieces_of(Collective const& collective) {
  if (auto const* classical = std::get_if<Classical>(&collective); classical && classical->pieces > 1) {
    return classical->pieces;
  }
  if (auto const* groups = std::get_if<IntergroupPromise>(&collective); groups && !groups->pieces.empty()) {
    return groups->pieces;
  }
  return nullptr;
}

/// Whether the graph of the collective is in a file.
bool names_a_file(Json const& collective) {
  return collective.contains("graph") && collective["graph"].contains("path");
}

/// The promise in the file. The scenario's own words are completed by the seed of a random graph, the closed dimensions
/// and the pieces. If they do not stand by themselves, it is a list of all blocks.
Json promise_of(SchedulePlan const& plan, scenario::Scenario const& scenario) {
  Json promise = scenario.expanded["collective"];
  if (promise["kind"] == "custom") promise = promise.value("promise", Json());
  if (!promise.is_object() || names_a_file(promise)) return written_out(plan.collective);
  if (promise.contains("graph") && scenario.expanded.contains("seed")) promise["seed"] = scenario.seed;
  if (Json const periodic = periodic_of(plan.collective); !periodic.is_null()) promise["periodic"] = periodic;
  if (Json const pieces = pieces_of(plan.collective); !pieces.is_null()) promise["pieces"] = pieces;
  return promise;
}

/// Calls one of the two functions: with the rounds of a valid plan, or with its tasks as engines time them. The tasks
/// of a program are those of its run. Throws NoRun if the plan is invalid, and InputError if it has neither.
template <typename OfRounds, typename OfTasks>
void write_plan(scenario::Scenario const& scenario, std::string const& file, OfRounds of_rounds, OfTasks of_tasks) {
  Plan const plan = plan_of(scenario, file);
  if (std::holds_alternative<ProgramPlan>(plan)) return of_tasks(run_of(plan, scenario, file));
  if (auto const* const tasks = std::get_if<TaskPlan>(&plan)) {
    expect_valid(*tasks, file);
    return of_tasks(simulated_tasks(tasks->tasks));
  }
  SchedulePlan const& chosen = schedule_plan(plan, file);
  expect_valid(chosen, scenario, file);
  of_rounds(chosen.schedule);
}

}  // namespace

ScheduleFile export_schedule(SchedulePlan const& plan, scenario::Scenario const& scenario) {
  return {plan.schedule, scenario.block, enum_name(kind(scenario.problem)), algorithm(scenario.problem),
          promise_of(plan, scenario)};
}

void write_goal(scenario::Scenario const& scenario, std::string const& file, TextSink const& sink) {
  auto const write = [&](auto const& either) { rondo::write_goal(either, sink); };
  write_plan(scenario, file, write, write);
}

void write_goal_binary(scenario::Scenario const& scenario, std::string const& file, TextSink const& sink) {
  auto const write = [&](TaskGraph const& tasks) { goal_binary::write(tasks, sink); };
  write_plan(
      scenario, file, [&](Schedule const& schedule) { write(lower(schedule)); }, write);
}

void write_msccl(scenario::Scenario const& scenario, std::string const& file, TextSink const& sink) {
  Plan const plan = plan_of(scenario, file);
  SchedulePlan const& chosen = schedule_plan(plan, file);
  expect_valid(chosen, scenario, file);
  std::string const name = scenario.title.empty() ? file : scenario.title;
  at_place(file, [&] { msccl::write(msccl::of_schedule(chosen.schedule, chosen.collective, name), sink); });
}

}  // namespace rondo
