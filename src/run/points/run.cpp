#include "run/points/run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <new>
#include <set>

#include "base/error.hpp"
#include "base/inputs.hpp"
#include "base/version.hpp"
#include "engine/engine.hpp"
#include "run/families/answers.hpp"
#include "run/families/neighbor_setup.hpp"
#include "run/families/plan.hpp"
#include "run/points/compare.hpp"
#include "run/points/failures.hpp"
#include "run/points/link_loads.hpp"
#include "run/points/machine_bound.hpp"
#include "run/points/replications.hpp"
#include "run/points/rounds_bound.hpp"
#include "run/points/simulated.hpp"
#include "run/points/task_run.hpp"
#include "run/points/workload_run.hpp"
#include "scenario/words.hpp"
#include "schedule/measure.hpp"

namespace rondo {
namespace {

using scenario::Scenario;

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
  record.delivered = verdict.valid();
  record.violations = verdict.violation_count;
  record.redundant_blocks = verdict.redundant_blocks;
  for (Violation const& violation : verdict.violations) record.violation_list.push_back(violation.text);
  if (verdict.valid()) {
    record.needs_buffered_sends = false;  // the proof has seen to both ways to send
    return;
  }
  std::string const first = verdict.violations.empty() ? "not delivered" : verdict.violations.front().text;
  record.error = fmt::format("invalid schedule, not simulated: {} violation{}, the first: {}", verdict.violation_count,
                             verdict.violation_count == 1 ? "" : "s", first);
}

void name_optimal(Record& record) {
  if (record.violations != 0) return;
  std::string proven;
  auto const name = [&](char const* word, auto const& value, auto const& bound) {
    if (bound && value == bound) proven += (proven.empty() ? "" : " ") + std::string(word);
  };
  name("rounds", record.rounds, record.bound.rounds);
  name("volume", record.volume_blocks, record.bound.volume_blocks);
  name("critical", record.critical_blocks, record.bound.critical_blocks);
  name("total", record.total_blocks, record.bound.total_blocks);
  name("messages", record.messages, record.bound.messages);
  name("volume_in_rounds", record.volume_blocks, record.bound_volume_in_rounds);
  if (!proven.empty()) record.optimal = proven;
}

char const* payload_word(bool verified) { return verified ? "verified" : "timing"; }

/// The time of the cost model for the schedule's own counts: the largest messages of all rounds, one after the other.
Seconds accounted_time(Measures const& measures, Platform const& machine) {
  theory::Counts const counts{.rounds = measures.rounds, .critical_bytes = measures.critical_bytes};
  return theory::time_irregular(counts, machine.envelope, linear_cost(machine));
}

/// The time of a plan's call.
Outcome<Timing> timing_of(ProgramPlan const& plan, Scenario const& scenario, EngineOptions const& wanted) {
  Outcome<Observed> outcome = plan.run(scenario.machine, wanted);
  if (!outcome.result) return {std::nullopt, outcome.failure, std::move(outcome.error)};
  Timing timing;
  timing.makespan = outcome.result->time;
  timing.finish = std::move(outcome.result->finish);
  return {std::move(timing), {}, ""};
}
template <typename EachPlan>
Outcome<Timing> timing_of(EachPlan const& plan, Scenario const& scenario, EngineOptions const& wanted) {
  return simulated(plan, scenario, wanted);
}

/// Completes the record of the first replication by all others.
template <typename EachPlan>
void replicate(Record& record, EachPlan const& plan, Scenario const& scenario, PointOptions const& options,
               std::vector<Seconds> const& finish, Seconds before = {}) {
  Replications replications;
  replications.add(Seconds(*record.time_s), finish, arrivals_at(scenario), before);
  for (int number = 1; number < scenario.replications && !record.error; ++number) {
    EngineOptions const wanted = engine_options(scenario, options, number);
    Outcome<Timing> const outcome = timing_of(plan, scenario, wanted);
    if (!outcome.result) {
      record.time_s.reset();
      return add_failure(record, outcome.failure, fmt::format("replication {}: {}", number + 1, outcome.error));
    }
    replications.add(before + outcome.result->makespan, outcome.result->finish, wanted.arrival, before);
  }
  replications.fill(record, scenario);
}

void simulate(Record& record, SchedulePlan const& plan, Measures const& measures, Scenario const& scenario,
              PointOptions const& options) {
  EngineOptions const wanted = engine_options(scenario, options);
  Outcome const outcome = simulated(plan, scenario, wanted);
  if (!outcome.result) {
    add_failure(record, outcome.failure, outcome.error);
    if (outcome.failure == Failure::deadlock) explain_deadlock(record, lower(plan.schedule), scenario.machine);
    return;
  }
  record.time_s = (plan.before_each_call + outcome.result->makespan).value;
  if (auto const& building = record.combining.build_time_s) {
    record.combining.first_call_time_s = outcome.result->makespan.value + *building;
  }
  record.payload = payload_word(outcome.result->payload_verified);
  std::optional<double> accounted;
  if (plan.prediction.accounted) accounted = accounted_time(measures, scenario.machine).value;
  std::string const difference =
      simulation_disagrees(record, measures, *outcome.result, plan.prediction.exact, accounted);
  if (!difference.empty()) record.error = difference;
  replicate(record, plan, scenario, options, outcome.result->finish, plan.before_each_call);
}

/// With more messages, or more links, messages are not followed along their routes.
bool can_be_routed(std::int64_t messages, Platform const& machine) {
  constexpr std::int64_t most = 20'000'000;
  return messages <= most && link_ids(machine.topology) <= most;
}

/// If all ranks begin `at_once`, no time is below that of the most loaded shared link.
void add_loads(Record& record, LinkLoads const& loads, Scenario const& scenario, bool at_once) {
  record.max_link_bytes = max_link_bytes(loads);
  record.mean_link_bytes = mean_link_bytes(loads);
  record.global_link_bytes = global_link_bytes(loads, scenario.machine);
  Seconds const least = shared_load_time(loads, scenario.machine);
  if (at_once && least > Seconds(0)) record.load_time_s = least.value;
}

void add_setup(Record& record, SimulatedSetup const& found) {
  record.combining.setup_time_s = found.time_s;
  record.combining.setup_note = found.note;
  record.error = found.error;
}

void add_prediction(Record& record, Prediction const& prediction) {
  record.theory = prediction.theory;
  record.theory_accounted = prediction.accounted;
  record.sparse_theory = prediction.sparse;
  record.bound = prediction.bound;
  record.bound_links = prediction.links;
  record.bound_volume_in_rounds = prediction.volume_in_rounds;
  record.bound_message_blocks = prediction.message_blocks;
}

/// Uses the machine's bound if it is the better one. If both are equal, that of theory is kept, because its reason is
/// simpler.
template <typename EachPlan>
void add_machine_bound(Record& record, EachPlan const& plan, Scenario const& scenario) {
  constexpr double same = 1e-12;
  auto const found = machine_bound(plan, scenario);
  if (!found || found->seconds <= record.bound.time_s.value_or(0) * (1 + same)) return;
  record.bound.time_s = found->seconds;
  record.bound.time_by = found->by;
  record.bound_cut = found->cut;
}

/// Uses what a search has proved about rounds, if it is better than what is known.
template <typename EachPlan>
void add_rounds_bound(Record& record, EachPlan const& plan, Scenario const& scenario) {
  constexpr double same = 1e-12;
  auto const found = rounds_bound(plan, scenario);
  if (!found) return;
  if (record.bound.rounds && *record.bound.rounds < found->rounds) record.bound.rounds = found->rounds;
  // Theory bounds times on machines with linear timing alone.
  if (!plan.prediction.bound.time_s || found->time.value <= record.bound.time_s.value_or(0) * (1 + same)) return;
  record.bound.time_s = found->time.value;
  record.bound.time_by = "optimum";
  record.bound_cut.reset();
}

/// See fields.cpp.
nlohmann::ordered_json profile_json(Observed const& observed) {
  auto collectives = nlohmann::ordered_json::array();
  for (CollectiveCalls const& each : observed.profile) {
    double const whole = observed.time.value;
    collectives.push_back({{"call", each.call},
                           {"communicator", each.communicator},
                           {"ranks", each.ranks},
                           {"calls", each.calls},
                           {"bytes", each.bytes.value},
                           {"time_s", each.time.value},
                           {"longest_s", each.longest.value},
                           {"share", whole > 0 ? each.time.value / whole : 0}});
  }
  return {{"collectives", std::move(collectives)}};
}

void add_observed(Record& record, Observed const& observed, PointOptions const& asked) {
  record.time_s = observed.time.value;
  record.messages = observed.messages;
  record.volume_bytes = observed.volume_bytes;
  record.total_blocks = observed.total_blocks;
  if (observed.payload_verified) record.payload = payload_word(*observed.payload_verified);
  record.delivered = observed.delivered;
  record.sparse = observed.sparse;
  record.exchange_program = observed.exchange_program;
  if (observed.accounted) record.theory_accounted = "messages";
  if (asked.profile) record.profile = profile_json(observed);
  if (!observed.faults) return;
  record.violations = std::ssize(*observed.faults);
  record.violation_list = *observed.faults;
  if (!observed.faults->empty()) record.error = fmt::format("wrong data: {}", observed.faults->front());
}

/// Whether the point is a file of tasks alone. Nothing is known about its purpose, and it is run as it is.
bool is_bare_tasks(Scenario const& scenario) { return !scenario.expanded.contains("collective"); }

Record described(Scenario const& scenario, std::string const& file, int number) {
  Record record;
  record.scenario = file;
  record.point = number;
  record.engine = scenario::to_string(scenario.engine);
  record.timing = scenario::to_string(scenario.machine.timing);
  record.p = ranks(scenario.problem);
  record.version = version();
  record.expanded = scenario.expanded;
  if (is_bare_tasks(scenario)) return record;
  record.collective = word_of(kind(scenario.problem));
  record.algorithm = algorithm(scenario.problem);
  Platform const& machine = scenario.machine;
  if (machine.timing != TimingModel::loggp && link_ids(machine.topology) > 0) {
    record.routing = word_of(machine.routing.rule);
    // Both directions of a link fail together.
    record.failed_links = std::ssize(machine.routing.failed) / 2;
  }
  bool const one_size = !std::holds_alternative<problem::Workload>(scenario.problem);
  if (one_size && scenario.expanded.contains("block")) record.block_bytes = scenario.block.value;
  record.seed = scenario.seed;
  return record;
}

std::int64_t moves_of(Program const& program) {
  std::int64_t moves = 0;
  for (int round = 0; round <= program.rounds(); ++round) {
    for (Transfer const& send : program.sends(round)) moves += send.count;
    moves += std::ssize(program.copies(round));
  }
  return moves;
}

void fill(Record& record, ProgramPlan const& plan, Scenario const& scenario, PointOptions const& options) {
  EngineOptions const wanted = engine_options(scenario, options);
  Outcome<Observed> const outcome = plan.run(scenario.machine, wanted);
  if (!outcome.result) return add_failure(record, outcome.failure, outcome.error);
  add_observed(record, *outcome.result, options);
  replicate(record, plan, scenario, options, outcome.result->finish);
  if (record.error) return;
  std::string const difference = program_disagrees(record, plan.prediction, outcome.result->accounted);
  if (!difference.empty()) record.error = difference;
}

void fill(Record& record, SchedulePlan const& plan, Scenario const& scenario, PointOptions const& options) {
  record.combining = plan.combining;
  record.posting = word_of(scenario.posting);
  add_machine_bound(record, plan, scenario);
  add_rounds_bound(record, plan, scenario);
  Measures const measures = measure(plan.schedule);
  add_measures(record, measures);
  bool const proved = proves(options.proof, plan.schedule);
  record.proof = proof_word(options.proof, proved);
  if (proved) {
    add_verdict(record, verify(plan.schedule, plan.collective, allowed_by(scenario.machine, plan.schedule)));
  } else if (auto const fault =
                 first_missing_link(plan.schedule, plan.collective, allowed_by(scenario.machine, plan.schedule))) {
    record.error = fmt::format("not simulated: {}", fault->text);
  }
  if (record.error) return;
  name_optimal(record);
  if (std::string const difference = counting_disagrees(record); !difference.empty()) {
    record.error = difference;
    return;
  }
  if (has_loads(scenario.machine) && can_be_routed(measures.messages, scenario.machine)) {
    add_loads(record, link_loads(plan.schedule, scenario.machine), scenario, !plan.benchmark);
  }
  simulate(record, plan, measures, scenario, options);
  if (!plan.setup || record.error) return;
  EngineOptions at_once = engine_options(scenario, options);
  at_once.arrival.clear();
  add_setup(record, simulate_setup(*plan.setup, without_noise(scenario), at_once));
}

/// Adds volumes in blocks of m bytes, as for schedules.
void add_volumes(Record& record, TaskCounts const& counted, Bytes block) {
  if (block == Bytes(0)) return;
  auto const blocks = [&](Bytes bytes) { return static_cast<double>(bytes.value) / static_cast<double>(block.value); };
  record.volume_blocks = blocks(counted.sent);
  record.total_blocks = blocks(counted.bytes);
  record.received_blocks = blocks(counted.received);
}

/// Adds the file's name to the error, because nothing else names the point of a file of tasks.
void name_error(Record& record) {
  if (record.error) record.error = fmt::format("{}: {}", record.scenario, *record.error);
}

void fill(Record& record, TaskPlan const& plan, Scenario const& scenario, PointOptions const& options) {
  TaskGraph const& graph = plan.tasks.graph.tasks;
  TaskCounts const counted = count(graph);
  if (!plan.says_sizes) add_volumes(record, counted, scenario.block);
  if (!is_bare_tasks(scenario)) {
    add_machine_bound(record, plan, scenario);
    add_rounds_bound(record, plan, scenario);
  }
  std::vector<Seconds> const finish = fill_tasks(record, plan.tasks, counted, scenario, options);
  if (is_bare_tasks(scenario)) return name_error(record);
  if (record.error) return;
  replicate(record, plan, scenario, options, finish);
  if (record.error) return;
  name_optimal(record);
  if (!has_loads(scenario.machine) || !can_be_routed(counted.messages, scenario.machine)) return;
  add_loads(record, link_loads(graph, scenario.machine), scenario, true);
}

/// Completes the record by the plan that `plan` returns, with the wall time that it took. Input that is refused on the
/// way, and memory that runs out, are the record's error, behind what was filled in before; other exceptions pass.
template <typename MakePlan>
void fill_by(Record& record, MakePlan const& plan, Scenario const& scenario, PointOptions const& options) {
  auto const start = std::chrono::steady_clock::now();
  try {
    std::visit(
        [&](auto const& each) {
          if (!is_bare_tasks(scenario)) add_prediction(record, each.prediction);
          fill(record, each, scenario, options);
        },
        plan());
  } catch (InputError const& error) {
    record.error = fmt::format("refused: {}", error.what());
  } catch (std::bad_alloc const&) {
    record.error = "out of memory before the simulation";
  }
  record.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

bool proves(Proof proof, Schedule const& schedule) {
  if (proof != Proof::automatic) return proof == Proof::on;
  std::vector<std::int64_t> moves;
  for (Program const& program : schedule.programs) moves.push_back(moves_of(program));
  if (schedule.isomorphic()) return moves.front() <= most_moves_proved;
  std::int64_t all = 0;
  for (int rank = 0; rank < schedule.ranks && all <= most_moves_proved; ++rank) {
    all += moves[static_cast<std::size_t>(&schedule.program(Rank(rank)) - schedule.programs.data())];
  }
  return all <= most_moves_proved;
}

char const* proof_word(Proof asked, bool proved) {
  if (proved) return "proved";
  return asked == Proof::off ? "off" : "too_large";
}

bool proved_enough(std::string_view word, Proof asked) {
  // An MPI program has no schedule, and nothing about it is proved.
  if (word.empty() || word == "proved") return true;
  return asked == Proof::off || (asked == Proof::automatic && word == "too_large");
}

Record failed_record(Scenario const& scenario, std::string const& file, int number, std::string error) {
  Record record = described(scenario, file, number);
  record.error = std::move(error);
  if (is_bare_tasks(scenario)) name_error(record);
  return record;
}

Allowed allowed_by(Platform const& machine, Schedule const& schedule) {
  Allowed allowed;
  // A schedule that promises no number of ports posts everything at once, and the ports serve it as they become
  // free.
  allowed.ports = schedule.promises.ports == 0 ? 0 : machine.ports;
  if (machine.neighbors_only) {
    allowed.linked = [&machine, routes = std::make_shared<Routes const>(machine)](Rank a, Rank b) {
      return routes->hops(host_of(machine, a), host_of(machine, b)) <= 1;
    };
  }
  return allowed;
}

namespace {

/// Throws unless a file that is read here was noted as an input when the point was parsed. Otherwise records would not
/// change with the file.
void expect_known(InputsRead const& read, Scenario const& scenario) {
  std::set<std::string> known;
  for (auto const& input : scenario.inputs) known.insert(input.begin(), input.end());
  for (auto const& input : read.inputs()) {
    for (std::string const& path : input) {
      if (!known.contains(path)) throw ContractViolation("the record does not know of the file " + path);
    }
  }
}

}  // namespace

Record run_point(Scenario const& scenario, std::string const& file, int number, PointOptions const& options) {
  InputsRead const read;
  Record record = described(scenario, file, number);
  fill_by(
      record, [&] { return plan_of(scenario, file); }, scenario, options);
  expect_known(read, scenario);
  return record;
}

Record run_point(Plan const& plan, Scenario const& scenario, std::string const& file, PointOptions const& options) {
  Record record = described(scenario, file, 1);
  fill_by(
      record, [&]() -> Plan const& { return plan; }, scenario, options);
  return record;
}

}  // namespace rondo
