// Calls the engine of a scenario for each kind of plan.

#include "run/points/simulate.hpp"

#include <algorithm>

#include "generate/after_barrier.hpp"
#include "run/points/replications.hpp"
#include "run/points/task_run.hpp"

namespace rondo {

using scenario::Scenario;

EngineOptions engine_options(Scenario const& scenario, PointOptions const& options, int replication) {
  EngineOptions result;
  result.timeout = options.timeout;
  result.calls = options.profile;
  result.arrival = arrivals_at(scenario, replication);
  result.seed = scenario.seed;
  result.replication = static_cast<std::uint64_t>(replication);
  result.payload = scenario.payload;
  return result;
}

Seconds finish_of(Timing const& timing, std::size_t rank) {
  return timing.finish.size() == 1 ? timing.finish.front() : timing.finish[rank];
}

Outcome<Timing> simulate_plan(Schedule const& schedule, Collective const& promise, Scenario const& scenario,
                              EngineOptions const& wanted) {
  return scenario.engine == scenario::Engine::smpi ? simulate_smpi(schedule, promise, scenario.machine, wanted)
                                                   : simulate_native(schedule, scenario.machine, wanted);
}

namespace {

/// The clock of each rank runs from the moment when it would leave a barrier alone to the moment when it has done its
/// part after the barrier. The longest time is the makespan. The messages of the barrier are not counted.
Outcome<Timing> benchmarked(SchedulePlan const& plan, Scenario const& scenario, EngineOptions const& wanted) {
  EngineOptions without_payload = wanted;
  without_payload.payload = Payload::timing;
  Outcome<Timing> const barrier =
      simulate_plan(generate::empty_barrier(plan.schedule.ranks), plan.collective, scenario, without_payload);
  if (!barrier.result) return barrier;
  Outcome<Timing> whole = simulate_plan(generate::after_barrier(plan.schedule), plan.collective, scenario, wanted);
  if (!whole.result) return whole;
  Seconds longest(0);
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(plan.schedule.ranks); ++rank) {
    longest = std::max(longest, finish_of(*whole.result, rank) - finish_of(*barrier.result, rank));
  }
  whole.result->makespan = longest;
  whole.result->messages -= barrier.result->messages;
  return whole;
}

}  // namespace

/// If messages are followed, no barrier stands before them.
Outcome<Timing> simulate_plan(SchedulePlan const& plan, Scenario const& scenario, EngineOptions const& wanted) {
  if (plan.benchmark && wanted.log == Log::none) return benchmarked(plan, scenario, wanted);
  return simulate_plan(plan.schedule, plan.collective, scenario, wanted);
}

Outcome<Timing> simulate_plan(TaskPlan const& plan, Scenario const& scenario, EngineOptions const& wanted) {
  return on_engine(scenario.engine, timed(plan.tasks), scenario.machine, wanted);
}

Outcome<Timing> simulate_plan(ProgramPlan const& plan, Scenario const& scenario, EngineOptions const& wanted) {
  Outcome<Observation> const outcome = plan.run(scenario.machine, wanted);
  if (!outcome.result) return {std::nullopt, outcome.failure, outcome.error};
  return {outcome.result->whole, {}, {}};
}

}  // namespace rondo
