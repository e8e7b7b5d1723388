#include "run/point.hpp"

#include <fmt/format.h>

#include <chrono>
#include <limits>

#include "base/error.hpp"
#include "base/version.hpp"
#include "engine/engine.hpp"
#include "generate/generate.hpp"
#include "run/compare.hpp"
#include "run/prediction.hpp"
#include "schedule/measure.hpp"

namespace rondo {
namespace {

using scenario::IsomorphicAlltoallProblem;
using scenario::Scenario;

Collective collective_for(IsomorphicAlltoallProblem const& problem) {
  return IsomorphicAlltoall{problem.torus, problem.neighborhood};
}

Schedule schedule_for(IsomorphicAlltoallProblem const& problem, Bytes block) {
  switch (problem.algorithm) {
    case IsomorphicAlltoallProblem::Algorithm::straightforward:
      return generate::isomorphic_alltoall_straightforward(problem.torus, problem.neighborhood, block);
    case IsomorphicAlltoallProblem::Algorithm::torus:
      return generate::isomorphic_alltoall_torus(problem.torus, problem.neighborhood, block, problem.dimension_order);
  }
  throw ContractViolation("an algorithm of isomorphic_alltoall");
}

Names names_for(IsomorphicAlltoallProblem const& problem, Scenario const& scenario) {
  auto const combining = theory::alltoall_torus(problem.torus, problem.neighborhood);
  auto const straightforward = theory::alltoall_straightforward(problem.torus, problem.neighborhood);
  auto const cut = theory::cutoff(combining, straightforward, {scenario.machine.latency, scenario.machine.bandwidth});
  using Faster = theory::Cutoff::Faster;
  Names names{{"s", problem.neighborhood.size()},
              {"d", problem.torus.dimensions()},
              {"D", static_cast<double>(combining.rounds)},
              {"V", static_cast<double>(combining.volume_blocks)}};
  // m < m_cut is to say "combining is faster"; where it is so above a size instead, there is no such number.
  std::optional<double>& m_cut = names["m_cut"];
  if (cut.faster == Faster::never) m_cut = 0;
  if (cut.faster == Faster::always) m_cut = std::numeric_limits<double>::infinity();
  if (cut.faster == Faster::below) m_cut = cut.bytes;
  return names;
}

void add_prediction(Record& record, Prediction const& prediction) {
  record.theory_rounds = prediction.counts.rounds;
  record.theory_volume_blocks = static_cast<double>(prediction.counts.volume_blocks);
  if (prediction.time) record.theory_time_s = prediction.time->value;
  record.bound_rounds = prediction.bounds.rounds;
  record.bound_volume_blocks = static_cast<double>(prediction.bounds.volume_blocks);
  record.bound_time_s = prediction.time_bound.value;
  record.bound_links = prediction.links;
}

void add_measures(Record& record, Measures const& measures) {
  record.rounds = measures.rounds;
  record.volume_blocks = measures.volume_blocks;
  record.volume_bytes = measures.volume_bytes.value;
  record.messages = measures.messages;
  record.critical_blocks = measures.critical_blocks;
  record.total_blocks = measures.total_blocks;
  record.received_blocks = measures.received_blocks;
}

void add_verdict(Record& record, Verdict const& verdict) {
  record.delivered = verdict.delivered;
  record.violations = verdict.violation_count;
  record.redundant_blocks = verdict.redundant_blocks;
  for (Violation const& violation : verdict.violations) record.violation_list.push_back(violation.text);
  if (verdict.valid()) return;
  std::string const first = verdict.violations.empty() ? "not delivered" : verdict.violations.front().text;
  record.error = fmt::format("invalid schedule, not simulated: {} violation{}, the first: {}", verdict.violation_count,
                             verdict.violation_count == 1 ? "" : "s", first);
}

void name_optimal(Record& record) {
  if (record.violations != 0) return;
  std::string proven;
  if (record.rounds == record.bound_rounds) proven = "rounds";
  if (record.volume_blocks == record.bound_volume_blocks) proven += proven.empty() ? "volume" : " volume";
  if (!proven.empty()) record.optimal = proven;
}

EngineOptions engine_options(Scenario const& scenario, PointOptions const& options) {
  EngineOptions result;
  result.timeout = options.timeout;
  switch (scenario.payload) {
    case scenario::Payload::automatic:
      result.payload = Payload::automatic;
      break;
    case scenario::Payload::verified:
      result.payload = Payload::verified;
      break;
    case scenario::Payload::timing:
      result.payload = Payload::timing;
      break;
  }
  return result;
}

void simulate(Record& record, Schedule const& schedule, Measures const& measures, Scenario const& scenario,
              PointOptions const& options, bool exact) {
  Outcome const outcome =
      simulate_smpi(schedule, collective_of(scenario.problem), scenario.machine, engine_options(scenario, options));
  if (!outcome.timing) {
    record.error = fmt::format("{}: {}", to_string(outcome.failure), outcome.error);
    return;
  }
  record.time_s = outcome.timing->makespan.value;
  record.payload = outcome.timing->payload_verified ? "verified" : "timing";
  std::string const difference = simulation_disagrees(record, measures, *outcome.timing, exact);
  if (!difference.empty()) record.error = difference;
}

Record described(Scenario const& scenario, std::string const& file, int number) {
  Record record;
  record.scenario = file;
  record.point = number;
  record.collective = scenario::kind(scenario.problem);
  record.algorithm = scenario::algorithm(scenario.problem);
  record.engine = scenario::to_string(scenario.engine);
  record.timing = scenario::to_string(scenario.machine.timing);
  record.p = scenario::ranks(scenario.problem);
  record.block_bytes = scenario.block.value;
  record.seed = scenario.seed;
  record.version = version();
  record.expanded = scenario.expanded;
  return record;
}

/// Everything but the wall time.
void fill(Record& record, Scenario const& scenario, PointOptions const& options) {
  Prediction const prediction = predict(scenario);
  add_prediction(record, prediction);
  Schedule const schedule = schedule_of(scenario);
  Measures const measures = measure(schedule);
  add_measures(record, measures);
  if (options.proof == Proof::on) {
    add_verdict(record, verify(schedule, collective_of(scenario.problem), allowed_by(scenario.machine)));
    if (record.error) return;
  }
  name_optimal(record);
  if (std::string const difference = counting_disagrees(record); !difference.empty()) {
    record.error = difference;
    return;
  }
  simulate(record, schedule, measures, scenario, options, prediction.exact);
}

}  // namespace

Collective collective_of(scenario::Problem const& problem) {
  return std::visit([](auto const& p) { return collective_for(p); }, problem);
}

Schedule schedule_of(Scenario const& scenario) {
  return std::visit([&](auto const& p) { return schedule_for(p, scenario.block); }, scenario.problem);
}

Allowed allowed_by(Platform const& machine) {
  Allowed allowed;
  allowed.ports = machine.ports;
  if (machine.neighbors_only) {
    allowed.linked = [&machine](Rank a, Rank b) { return adjacent(machine, host_of(machine, a), host_of(machine, b)); };
  }
  return allowed;
}

Record run_point(Scenario const& scenario, std::string const& file, int number, PointOptions const& options) {
  auto const start = std::chrono::steady_clock::now();
  Record record = described(scenario, file, number);
  fill(record, scenario, options);
  record.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return record;
}

Names problem_names(Scenario const& scenario) {
  Names names = std::visit([&](auto const& problem) { return names_for(problem, scenario); }, scenario.problem);
  names["p"] = scenario::ranks(scenario.problem);
  names["m"] = static_cast<double>(scenario.block.value);
  names["alpha"] = scenario.machine.latency.value;
  names["beta"] = 1 / scenario.machine.bandwidth.value;
  return names;
}

}  // namespace rondo
