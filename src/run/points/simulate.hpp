#pragma once

// Simulates the plans of points on the engine that their scenario names, without proofs and records.

#include "engine/engine.hpp"
#include "run/families/plan.hpp"
#include "run/points/run.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

/// The options of an engine that follow from a scenario and the command line, in a replication counted from 0.
EngineOptions engine_options(scenario::Scenario const& scenario, PointOptions const& options, int replication = 0);

/// The simulation of a plan on the scenario's engine; a program runs as a whole. Throws InputError if the machine
/// cannot carry it.
Outcome<Timing> simulate_plan(SchedulePlan const& plan, scenario::Scenario const& scenario,
                              EngineOptions const& wanted);
Outcome<Timing> simulate_plan(TaskPlan const& plan, scenario::Scenario const& scenario, EngineOptions const& wanted);
Outcome<Timing> simulate_plan(ProgramPlan const& plan, scenario::Scenario const& scenario, EngineOptions const& wanted);
Outcome<Timing> simulate_plan(WorkloadPlan const& plan, scenario::Scenario const& scenario,
                              EngineOptions const& wanted);

/// A schedule that keeps this promise, on the scenario's engine.
Outcome<Timing> simulate_plan(Schedule const& schedule, Collective const& promise, scenario::Scenario const& scenario,
                              EngineOptions const& wanted);

/// Tasks, or parts of ranks, on an engine.
template <typename Work>
Outcome<Timing> on_engine(scenario::Engine engine, Work const& work, Platform const& machine,
                          EngineOptions const& wanted) {
  return engine == scenario::Engine::smpi ? simulate_smpi(work, machine, wanted)
                                          : simulate_native(work, machine, wanted);
}

/// When a rank finishes. A timing may have a single entry for all ranks.
Seconds finish_of(Timing const& timing, std::size_t rank);

}  // namespace rondo
