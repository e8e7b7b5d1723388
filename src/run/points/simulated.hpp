#pragma once

// The plans of points on the engine that their scenario names, without proofs and records.

#include "engine/engine.hpp"
#include "run/families/plan.hpp"
#include "run/points/run.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

/// What a scenario and the command line ask of an engine, in a replication from 0.
EngineOptions engine_options(scenario::Scenario const& scenario, PointOptions const& options, int replication = 0);

/// The plan, simulated on the scenario's engine; a program as a whole. Throws InputError when the machine cannot carry
/// it.
Outcome<Timing> simulated(SchedulePlan const& plan, scenario::Scenario const& scenario, EngineOptions const& wanted);
Outcome<Timing> simulated(TaskPlan const& plan, scenario::Scenario const& scenario, EngineOptions const& wanted);
Outcome<Timing> simulated(ProgramPlan const& plan, scenario::Scenario const& scenario, EngineOptions const& wanted);
Outcome<Timing> simulated(WorkloadPlan const& plan, scenario::Scenario const& scenario, EngineOptions const& wanted);

/// Tasks, or parts of ranks, on an engine.
template <typename Work>
Outcome<Timing> on_engine(scenario::Engine engine, Work const& work, Platform const& machine,
                          EngineOptions const& wanted) {
  return engine == scenario::Engine::smpi ? simulate_smpi(work, machine, wanted)
                                          : simulate_native(work, machine, wanted);
}

/// When a rank finishes. One entry of the timing may stand for all ranks.
Seconds finish_of(Timing const& timing, std::size_t rank);

}  // namespace rondo
