#include "run/points/workload_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "base/index.hpp"
#include "run/points/filled.hpp"
#include "run/points/replications.hpp"
#include "schedule/measure.hpp"
#include "schedule/parts.hpp"

namespace rondo {
namespace {

using problem::WorkloadGroup;
using problem::WorkloadStep;
using scenario::Scenario;

/// The steps of a workload as they are carried out, with the promises of what is a single schedule.
struct Steps {
  std::vector<PlacedStep> placed;
  std::vector<Collective const*> promise;  ///< by step, of its first group; null if it calculates
};

void add(Steps& steps, WorkloadPlan const& plan, std::size_t number, std::vector<std::size_t> after) {
  WorkloadStep const& step = plan.workload.steps[number];
  PlacedStep placed{{}, step.computing, std::move(after)};
  for (WorkloadGroup const& group : step.groups) {
    Schedule const* const schedule = step.problems.empty() ? nullptr : &plan.plans[number][group.problem].schedule;
    placed.groups.push_back({schedule, group.ranks});
  }
  steps.placed.push_back(std::move(placed));
  steps.promise.push_back(step.problems.empty() ? nullptr : &plan.plans[number][step.groups[0].problem].collective);
}

Steps all_steps(WorkloadPlan const& plan) {
  Steps steps;
  for (problem::CarriedOut const& each : carried_out(plan.workload)) add(steps, plan, each.step, each.after);
  return steps;
}

Steps one_step(WorkloadPlan const& plan, std::size_t step) {
  Steps steps;
  add(steps, plan, step, {});
  return steps;
}

/// When a step began and ended, over all ranks.
struct Span {
  Seconds begin, end;
};

struct Carried {
  Timing timing;            ///< of ranks
  std::vector<Span> spans;  ///< by step
};

/// Whether it is one collective on ranks 0, 1, ...: an engine may run its schedule as it is.
bool is_plain(Steps const& steps, int ranks, EngineOptions const& wanted) {
  if (steps.placed.size() != 1 || steps.placed[0].groups.size() != 1) return false;
  GroupStep const& group = steps.placed[0].groups[0];
  if (group.schedule == nullptr || (!wanted.arrival.empty() && std::ssize(group.ranks) != ranks)) return false;
  for (std::size_t i = 0; i < group.ranks.size(); ++i) {
    if (at(group.ranks[i]) != i) return false;
  }
  return true;
}

Outcome<Timing> on_engine(Parts const& parts, Scenario const& scenario, EngineOptions const& wanted) {
  if (scenario.engine == scenario::Engine::smpi) return simulate_smpi(parts, scenario.machine, wanted);
  return simulate_native(parts, scenario.machine, wanted);
}

Outcome<Carried> plain(Steps const& steps, int ranks, Scenario const& scenario, EngineOptions const& wanted) {
  Schedule const& schedule = *steps.placed[0].groups[0].schedule;
  Outcome<Timing> outcome = scenario.engine == scenario::Engine::smpi
                                ? simulate_smpi(schedule, *steps.promise[0], scenario.machine, wanted)
                                : simulate_native(schedule, scenario.machine, wanted);
  if (!outcome.result) return {std::nullopt, outcome.failure, std::move(outcome.error)};
  Carried carried{std::move(*outcome.result), {}};
  auto& finish = carried.timing.finish;
  if (finish.size() == 1) finish.resize(at(schedule.ranks), finish.front());
  finish.resize(at(ranks), Seconds(0));
  Seconds const begin = wanted.arrival.empty() ? Seconds(0) : *std::ranges::min_element(wanted.arrival);
  carried.spans.push_back({begin, carried.timing.makespan});
  return {std::move(carried), {}, ""};
}

/// What the engine says of parts, as it is of ranks.
void of_ranks(Timing& timing, Parts const& parts, std::vector<Seconds> const& arrival, TimingModel timing_model) {
  std::vector<Seconds> finish = arrival;
  finish.resize(at(parts.ranks), Seconds(0));
  for (std::size_t part = 0; part < parts.count(); ++part) {
    Seconds& last = finish[at(parts.rank_of[part])];
    last = std::max(last, timing.finish[part]);
  }
  timing.finish = std::move(finish);
  timing.makespan = *std::ranges::max_element(timing.finish);
  if (timing_model == TimingModel::loggp) return;  // they are of ranks already
  for (Passage& passage : timing.passages) {
    passage.source = Rank(parts.rank_of[at(passage.source)]);
    passage.target = Rank(parts.rank_of[at(passage.target)]);
  }
}

/// `known`: the parts of the steps, from the first time on.
Outcome<Carried> carried(Steps const& steps, int ranks, Scenario const& scenario, EngineOptions const& wanted,
                         std::optional<Parts>& known) {
  if (is_plain(steps, ranks, wanted)) return plain(steps, ranks, scenario, wanted);
  if (!known) known = together(ranks, steps.placed);
  Parts const& parts = *known;
  Outcome<Timing> outcome = on_engine(parts, scenario, wanted);
  if (!outcome.result) return {std::nullopt, outcome.failure, std::move(outcome.error)};
  Timing& timing = *outcome.result;
  std::vector<Seconds> const begin = begins(parts, timing.finish, wanted.arrival);
  Carried result;
  result.spans.assign(steps.placed.size(), {Seconds(-1), Seconds(0)});
  for (std::size_t part = 0; part < parts.count(); ++part) {
    Span& span = result.spans[parts.step_of[part]];
    span.begin = span.begin < Seconds(0) ? begin[part] : std::min(span.begin, begin[part]);
    span.end = std::max(span.end, timing.finish[part]);
  }
  of_ranks(timing, parts, wanted.arrival, scenario.machine.timing);
  result.timing = std::move(timing);
  return {std::move(result), {}, ""};
}

/// "step sum, ranks 4, 5, ...: "
std::string whose(WorkloadStep const& step, WorkloadGroup const& group) {
  std::string ranks;
  constexpr std::size_t most = 4;
  for (std::size_t i = 0; i < std::min(group.ranks.size(), most); ++i) {
    ranks += fmt::format("{}{}", i == 0 ? "" : ", ", group.ranks[i]);
  }
  return fmt::format("step {}, rank{} {}{}: ", step.name, group.ranks.size() == 1 ? "" : "s", ranks,
                     group.ranks.size() > most ? ", ..." : "");
}

/// What a proof of each step's schedules finds.
struct Proved {
  bool all = true;  ///< whether each was proved
  std::int64_t violations = 0;
  double redundant = 0;
  std::vector<std::string> lines;
};

Proved proved(WorkloadPlan const& plan, Scenario const& scenario, Proof proof) {
  Proved found;
  for (std::size_t number = 0; number < plan.plans.size(); ++number) {
    WorkloadStep const& step = plan.workload.steps[number];
    std::map<std::size_t, Verdict> known;  // by problem, where the machine allows all groups the same
    for (WorkloadGroup const& group : step.groups) {
      if (step.problems.empty()) break;
      SchedulePlan const& own = plan.plans[number][group.problem];
      if (!proves(proof, own.schedule)) {
        found.all = false;
        continue;
      }
      Platform machine = scenario.machine;
      machine.rank_of_part = group.ranks;
      bool const once = !machine.neighbors_only && known.contains(group.problem);
      if (!once) known[group.problem] = verify(own.schedule, own.collective, allowed_by(machine, own.schedule));
      Verdict const& verdict = known.at(group.problem);
      found.violations += verdict.violation_count;
      found.redundant += verdict.redundant_blocks;
      for (Violation const& violation : verdict.violations) found.lines.push_back(whose(step, group) + violation.text);
    }
  }
  constexpr std::size_t most = 1000;
  if (found.lines.size() > most) found.lines.resize(most);
  return found;
}

void add_counts(Record& record, WorkloadPlan const& plan) {
  std::vector<std::int64_t> sent(at(plan.workload.ranks), 0);
  std::int64_t messages = 0;
  for (std::size_t number = 0; number < plan.plans.size(); ++number) {
    WorkloadStep const& step = plan.workload.steps[number];
    for (WorkloadGroup const& group : step.groups) {
      if (step.problems.empty()) break;
      Schedule const& schedule = plan.plans[number][group.problem].schedule;
      for (std::size_t member = 0; member < group.ranks.size(); ++member) {
        Program const& program = schedule.program(Rank(static_cast<std::int32_t>(member)));
        for (int round = 1; round <= program.rounds(); ++round) {
          messages += std::ssize(program.sends(round));
          for (Transfer const& send : program.sends(round)) sent[at(group.ranks[member])] += program.bytes(send).value;
        }
      }
    }
  }
  record.messages = messages * plan.workload.repeat;
  record.volume_bytes = *std::ranges::max_element(sent) * plan.workload.repeat;
}

/// By step how long all repetitions took, in each replication.
using StepTimes = std::vector<std::vector<double>>;

void add(StepTimes& times, std::vector<Span> const& spans) {
  for (std::size_t step = 0; step < times.size(); ++step) {
    Seconds time(0);
    for (std::size_t i = step; i < spans.size(); i += times.size()) time = time + (spans[i].end - spans[i].begin);
    times[step].push_back(time.value);
  }
}

/// The steps by name: how long they took, and how long they would have taken alone.
bool add_steps(Record& record, WorkloadPlan const& plan, StepTimes const& times, Scenario const& scenario,
               EngineOptions wanted) {
  wanted.arrival.clear();
  wanted.log = Log::none;
  Scenario const quiet = without_noise(scenario);
  nlohmann::ordered_json by_name = nlohmann::ordered_json::object();
  for (std::size_t step = 0; step < times.size(); ++step) {
    std::optional<Parts> parts;
    Outcome<Carried> const one = carried(one_step(plan, step), plan.workload.ranks, quiet, wanted, parts);
    if (!one.result) {
      add_failure(record, one.failure, fmt::format("step {} alone: {}", plan.workload.steps[step].name, one.error));
      return false;
    }
    double const alone = plan.workload.repeat * (one.result->spans[0].end - one.result->spans[0].begin).value;
    Spread const spread = spread_of(times[step]);
    auto& entry = by_name[plan.workload.steps[step].name];
    entry = {{"time_s", spread.mean}, {"alone_s", alone}, {"slowdown", nullptr}};
    if (alone > 0) entry["slowdown"] = spread.mean / alone;
    if (!has_spread(scenario)) continue;
    entry.update({{"time_mean_s", spread.mean},
                  {"time_p50_s", spread.p50},
                  {"time_p95_s", spread.p95},
                  {"time_max_s", spread.max}});
  }
  record.steps = std::move(by_name);
  return true;
}

}  // namespace

void fill(Record& record, WorkloadPlan const& plan, Scenario const& scenario, PointOptions const& options) {
  record.posting = word_of(scenario.posting);
  add_counts(record, plan);
  Proved const found = proved(plan, scenario, options.proof);
  record.proof = proof_word(options.proof, found.all);
  if (found.all) {
    record.delivered = found.violations == 0;
    record.redundant_blocks = found.redundant;
    record.needs_buffered_sends = found.violations == 0 ? std::optional(false) : std::nullopt;
  }
  if (found.all || found.violations > 0) record.violations = found.violations;
  record.violation_list = found.lines;
  if (found.violations > 0) {
    record.error = fmt::format("invalid schedule, not simulated: {} violation{}, the first: {}", found.violations,
                               found.violations == 1 ? "" : "s", found.lines.front());
    return;
  }
  Steps const steps = all_steps(plan);
  std::optional<Parts> parts;
  Replications replications;
  StepTimes times(plan.workload.steps.size());
  for (int number = 0; number < scenario.replications; ++number) {
    EngineOptions const wanted = engine_options(scenario, options, number);
    Outcome<Carried> const whole = carried(steps, plan.workload.ranks, scenario, wanted, parts);
    if (!whole.result) {
      return add_failure(record, whole.failure,
                         number == 0 ? whole.error : fmt::format("replication {}: {}", number + 1, whole.error));
    }
    Timing const& timing = whole.result->timing;
    record.payload = timing.payload_verified ? "verified" : "timing";
    if (timing.messages != record.messages) {
      record.error =
          fmt::format("the engine carried {} messages, the schedules have {}", timing.messages, *record.messages);
      return;
    }
    replications.add(timing.makespan, timing.finish, wanted.arrival);
    add(times, whole.result->spans);
  }
  if (add_steps(record, plan, times, scenario, engine_options(scenario, options))) replications.fill(record, scenario);
}

std::string first_violation(WorkloadPlan const& plan, Scenario const& scenario, Proof proof) {
  Proved const found = proved(plan, scenario, proof);
  return found.lines.empty() ? "" : found.lines.front();
}

Outcome<Timing> simulated(WorkloadPlan const& plan, Scenario const& scenario, EngineOptions const& wanted) {
  std::optional<Parts> parts;
  Outcome<Carried> whole = carried(all_steps(plan), plan.workload.ranks, scenario, wanted, parts);
  if (!whole.result) return {std::nullopt, whole.failure, std::move(whole.error)};
  return {std::move(whole.result->timing), {}, ""};
}

}  // namespace rondo
