// Plans for inter-group all-to-all broadcast, which is a schedule of Rondo's or made from the MPI library's
// collectives.

#include "engine/programs/library.hpp"
#include "generate/generate.hpp"
#include "run/families/answers.hpp"

namespace rondo {
namespace {

/// With the library's collectives, only the messages of the simulation are counted, and only the arrived data are
/// checked.
Observation observation(Timing const& timing, Bytes block) {
  Observation all{.whole = timing, .time = timing.makespan, .messages = timing.messages};
  all.finish = timing.finish;
  all.payload_verified = timing.payload_verified;
  if (timing.payload_verified) all.delivered = true;
  if (block > Bytes(0)) all.total_blocks = static_cast<double>(timing.bytes.value) / static_cast<double>(block.value);
  return all;
}

}  // namespace

/// A schedule of Rondo's, or a program that calls SMPI's own collectives [Kang19, Section V].
Plan plan_for(problem::Intergroup const& problem, theory::MachineCost const& cost) {
  Prediction const prediction = theory::predict(problem, cost);
  if (problem.building_blocks == problem::BuildingBlocks::schedule) {
    return SchedulePlan{generate::promise(problem), generate::generate(problem), prediction};
  }
  auto const run = [problem](Platform const& machine, EngineOptions const& options) -> Outcome<Observation> {
    Outcome const outcome = simulate_library(problem, machine, options);
    if (!outcome.result) return {std::nullopt, outcome.failure, outcome.error};
    return {observation(*outcome.result, problem.sizes.block), {}, {}};
  };
  return ProgramPlan{prediction, run};
}

}  // namespace rondo
