// Runs a point. A schedule is counted, proved, compared with theory, simulated, and compared again. Tasks, programs and
// workloads take those of these steps that apply to them. Each step fills its fields of the record; the first error
// ends the point.

#include "run/points/run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <new>
#include <set>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/version.hpp"
#include "engine/engine.hpp"
#include "run/families/answers.hpp"
#include "run/families/neighbor_setup.hpp"
#include "run/families/plan.hpp"
#include "run/points/compare.hpp"
#include "run/points/lower_bounds.hpp"
#include "run/points/replications.hpp"
#include "run/points/simulate.hpp"
#include "run/points/task_run.hpp"
#include "run/points/traffic.hpp"
#include "run/points/workload_run.hpp"
#include "scenario/enum_names.hpp"
#include "schedule/measure.hpp"

namespace rondo {
namespace {

using scenario::Scenario;

char const* payload_name(bool verified) { return verified ? "verified" : "timing"; }

/// The time of the cost model for the schedule's own counts: the largest messages of all rounds, one after the other.
Seconds accounted_time(Measures const& measures, Platform const& machine) {
  theory::Counts const counts{.rounds = measures.rounds, .critical_bytes = measures.critical_bytes};
  return theory::time_irregular(counts, machine.envelope, linear_cost(machine));
}

/// The times of one run of a plan.
Outcome<Timing> timing_of(ProgramPlan const& plan, Scenario const& scenario, EngineOptions const& wanted) {
  Outcome<Observation> outcome = plan.run(scenario.machine, wanted);
  if (!outcome.result) return {std::nullopt, outcome.failure, std::move(outcome.error)};
  Timing timing;
  timing.makespan = outcome.result->time;
  timing.finish = std::move(outcome.result->finish);
  return {std::move(timing), {}, ""};
}
template <typename EachPlan>
Outcome<Timing> timing_of(EachPlan const& plan, Scenario const& scenario, EngineOptions const& wanted) {
  return simulate_plan(plan, scenario, wanted);
}

/// The field `profile` of a record, as the list of fields in fields.cpp describes it.
nlohmann::ordered_json profile_json(Observation const& observed) {
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

/// Whether the point is a file of tasks alone. Then no collective and no theory is known.
bool is_bare_tasks(Scenario const& scenario) { return !scenario.expanded.contains("collective"); }

/// The fields of a record that are known before the point runs.
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
  record.collective = enum_name(kind(scenario.problem));
  record.algorithm = algorithm(scenario.problem);
  Platform const& machine = scenario.machine;
  if (machine.timing != TimingModel::loggp && link_ids(machine.topology) > 0) {
    record.routing = enum_name(machine.routing.rule);
    // Both directions of a link fail together.
    record.failed_links = std::ssize(machine.routing.failed) / 2;
  }
  bool const one_size = !std::holds_alternative<problem::Workload>(scenario.problem);
  if (one_size && scenario.expanded.contains("block")) record.block_bytes = scenario.block.value;
  record.seed = scenario.seed;
  return record;
}

/// Adds the file's name to the error, because nothing else names the point of a file of tasks.
void name_error(Record& record) {
  if (record.error) record.error = fmt::format("{}: {}", record.scenario, *record.error);
}

/// Runs one point. Its results come together in the record.
class PointRun {
 public:
  PointRun(Scenario const& scenario, std::string const& file, int number, PointOptions const& options)
      : scenario_(scenario), options_(options), record_(described(scenario, file, number)) {}

  /// Completes the record by the plan `made`, or by one that is made here, with the wall time that it took. Input that
  /// is refused on the way, and memory that runs out, are the record's error, behind what was filled in before; other
  /// exceptions pass.
  Record by(Plan const* made) && {
    auto const start = std::chrono::steady_clock::now();
    try {
      std::optional<Plan> own;
      if (made == nullptr) made = &own.emplace(plan_of(scenario_, record_.scenario));
      std::visit(
          [&](auto const& each) {
            add_prediction(each.prediction);
            run(each);
          },
          *made);
    } catch (InputError const& error) {
      record_.error = fmt::format("refused: {}", error.what());
    } catch (std::bad_alloc const&) {
      record_.error = "out of memory before the simulation";
    }
    record_.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::move(record_);
  }

 private:
  /// Runs a program. There is no separate proof, because the ranks check the data that they receive.
  void run(ProgramPlan const& plan) {
    Outcome<Observation> const outcome = plan.run(scenario_.machine, engine_options(scenario_, options_));
    if (!outcome.result) return add_failure(record_, outcome.failure, outcome.error);
    add_observed(*outcome.result);
    replicate(plan, outcome.result->finish);
    if (!record_.error) fail_if(program_disagrees(record_, plan.prediction, outcome.result->accounted));
  }

  /// Counts, proves, compares with theory, simulates, compares again. An error at a step ends the point there.
  void run(SchedulePlan const& plan) {
    record_.combining = plan.combining;
    record_.posting = enum_name(scenario_.posting);
    add_machine_bound(plan);
    add_rounds_bound(plan);
    Measures const measures = measure(plan.schedule);
    add_measures(measures);
    prove(plan);
    if (record_.error) return;
    name_optimal();
    if (fail_if(counting_disagrees(record_))) return;
    add_loads(plan.schedule, measures.messages, !plan.benchmark);
    simulate(plan, measures);
    if (!plan.setup || record_.error) return;
    EngineOptions at_once = engine_options(scenario_, options_);
    at_once.arrival.clear();
    SimulatedSetup const setup = simulate_setup(*plan.setup, without_noise(scenario_), at_once);
    record_.combining.setup_time_s = setup.time_s;
    record_.combining.setup_note = setup.note;
    record_.error = setup.error;
  }

  /// Proves and simulates a graph of tasks.
  void run(TaskPlan const& plan) {
    TaskGraph const& graph = plan.tasks.graph.tasks;
    TaskCounts const counted = count(graph);
    if (!plan.says_sizes) add_volumes(counted);
    add_machine_bound(plan);
    add_rounds_bound(plan);
    std::vector<Seconds> const finish = simulate_tasks(record_, plan.tasks, counted, scenario_, options_);
    if (is_bare_tasks(scenario_)) return name_error(record_);
    if (record_.error) return;
    replicate(plan, finish);
    if (record_.error) return;
    name_optimal();
    add_loads(graph, counted.messages, true);
  }

  void run(WorkloadPlan const& plan) { fill(record_, plan, scenario_, options_); }

  /// Makes the difference between two derivations the record's error, if it is not empty. Returns whether the record
  /// has an error.
  bool fail_if(std::string const& difference) {
    if (!difference.empty()) record_.error = difference;
    return record_.error.has_value();
  }

  void add_prediction(Prediction const& prediction) {
    record_.theory = prediction.theory;
    record_.theory_accounted = prediction.accounted;
    record_.sparse_theory = prediction.sparse;
    record_.bound = prediction.bound;
    record_.bound_links = prediction.links;
    record_.bound_volume_in_rounds = prediction.volume_in_rounds;
    record_.bound_message_blocks = prediction.message_blocks;
  }

  /// Uses the machine's bound if it is the better one. If both are equal, that of theory is kept, because its reason is
  /// simpler.
  template <typename EachPlan>
  void add_machine_bound(EachPlan const& plan) {
    constexpr double same = 1e-12;
    auto const found = machine_bound(plan, scenario_);
    if (!found || found->seconds <= record_.bound.time_s.value_or(0) * (1 + same)) return;
    record_.bound.time_s = found->seconds;
    record_.bound.time_by = found->by;
    record_.bound_cut = found->cut;
  }

  /// Uses the bound on rounds that a search has proved, and the time that follows from it, if they are better than the
  /// known ones. A record without a bound on rounds does not get one.
  template <typename EachPlan>
  void add_rounds_bound(EachPlan const& plan) {
    constexpr double same = 1e-12;
    auto const found = rounds_bound(plan, scenario_);
    if (!found) return;
    if (record_.bound.rounds && *record_.bound.rounds < found->rounds) record_.bound.rounds = found->rounds;
    // Theory bounds times on machines with linear timing alone.
    if (!plan.prediction.bound.time_s || found->time.value <= record_.bound.time_s.value_or(0) * (1 + same)) return;
    record_.bound.time_s = found->time.value;
    record_.bound.time_by = "optimum";
    record_.bound_cut.reset();
  }

  void add_measures(Measures const& measures) {
    record_.rounds = measures.rounds;
    record_.volume_blocks = measures.volume_blocks;
    record_.volume_bytes = measures.volume_bytes.value;
    record_.messages = measures.messages;
    record_.critical_blocks = measures.critical_blocks;
    record_.total_blocks = measures.total_blocks;
    record_.received_blocks = measures.received_blocks;
  }

  /// Adds volumes in blocks of m bytes, as for schedules; none if blocks are empty.
  void add_volumes(TaskCounts const& counted) {
    if (scenario_.block == Bytes(0)) return;
    auto const blocks = [&](Bytes bytes) {
      return static_cast<double>(bytes.value) / static_cast<double>(scenario_.block.value);
    };
    record_.volume_blocks = blocks(counted.sent);
    record_.total_blocks = blocks(counted.bytes);
    record_.received_blocks = blocks(counted.received);
  }

  /// Proves the schedule if it is wanted. Without a proof, a message between hosts without a link would still be
  /// simulated, so links are checked in any case.
  void prove(SchedulePlan const& plan) {
    bool const proved = proves(options_.proof, plan.schedule);
    record_.proof = proof_name(options_.proof, proved);
    MachineLimits const allowed = machine_limits(scenario_.machine, plan.schedule);
    if (proved) return add_verdict(verify(plan.schedule, plan.collective, allowed));
    if (auto const fault = first_missing_link(plan.schedule, plan.collective, allowed)) {
      record_.error = fmt::format("not simulated: {}", fault->text);
    }
  }

  /// Adds the result of the proof. Violations are the record's error.
  void add_verdict(Verdict const& verdict) {
    record_.delivered = verdict.valid();
    record_.violations = verdict.violation_count;
    record_.redundant_blocks = verdict.redundant_blocks;
    for (Violation const& violation : verdict.violations) record_.violation_list.push_back(violation.text);
    if (verdict.valid()) {
      record_.needs_buffered_sends = false;  // the proof has seen to both ways to send
      return;
    }
    std::string const first = verdict.violations.empty() ? "not delivered" : verdict.violations.front().text;
    record_.error = fmt::format("invalid schedule, not simulated: {} violation{}, the first: {}",
                                verdict.violation_count, verdict.violation_count == 1 ? "" : "s", first);
  }

  /// Names the figures that reach their lower bounds, if the schedule was proved. Equality proves that no schedule has
  /// less.
  void name_optimal() {
    if (record_.violations != 0) return;
    std::string proven;
    auto const name = [&](char const* word, auto const& value, auto const& bound) {
      if (bound && value == bound) proven += (proven.empty() ? "" : " ") + std::string(word);
    };
    name("rounds", record_.rounds, record_.bound.rounds);
    name("volume", record_.volume_blocks, record_.bound.volume_blocks);
    name("critical", record_.critical_blocks, record_.bound.critical_blocks);
    name("total", record_.total_blocks, record_.bound.total_blocks);
    name("messages", record_.messages, record_.bound.messages);
    name("volume_in_rounds", record_.volume_blocks, record_.bound_volume_in_rounds);
    if (!proven.empty()) record_.optimal = proven;
  }

  /// Adds the loads of links. If all ranks begin `at_once`, no time is below that of the most loaded shared link. With
  /// more than `most` messages or links, messages are not followed along their routes, and nothing is added.
  template <typename Messages>
  void add_loads(Messages const& of, std::int64_t messages, bool at_once) {
    constexpr std::int64_t most = 20'000'000;
    Platform const& machine = scenario_.machine;
    if (!has_loads(machine) || messages > most || link_ids(machine.topology) > most) return;
    LinkLoads const loads = link_loads(of, machine);
    record_.max_link_bytes = max_link_bytes(loads);
    record_.mean_link_bytes = mean_link_bytes(loads);
    record_.global_link_bytes = global_link_bytes(loads, machine);
    Seconds const least = shared_load_time(loads, machine);
    if (at_once && least > Seconds(0)) record_.load_time_s = least.value;
  }

  /// Simulates the schedule and compares the time with theory's.
  void simulate(SchedulePlan const& plan, Measures const& measures) {
    Outcome const outcome = simulate_plan(plan, scenario_, engine_options(scenario_, options_));
    if (!outcome.result) {
      add_failure(record_, outcome.failure, outcome.error);
      if (outcome.failure == Failure::deadlock) explain_deadlock(record_, lower(plan.schedule), scenario_.machine);
      return;
    }
    record_.time_s = (plan.before_each_call + outcome.result->makespan).value;
    if (auto const& building = record_.combining.build_time_s) {
      record_.combining.first_call_time_s = outcome.result->makespan.value + *building;
    }
    record_.payload = payload_name(outcome.result->payload_verified);
    std::optional<double> accounted;
    if (plan.prediction.accounted) accounted = accounted_time(measures, scenario_.machine).value;
    fail_if(simulation_disagrees(record_, measures, *outcome.result, plan.prediction.exact, accounted));
    replicate(plan, outcome.result->finish, plan.before_each_call);
  }

  /// Copies the results of a program, and the counts that its ranks made. Wrong data are the record's error.
  void add_observed(Observation const& observed) {
    record_.time_s = observed.time.value;
    record_.messages = observed.messages;
    record_.volume_bytes = observed.volume_bytes;
    record_.total_blocks = observed.total_blocks;
    if (observed.payload_verified) record_.payload = payload_name(*observed.payload_verified);
    record_.delivered = observed.delivered;
    record_.sparse = observed.sparse;
    record_.exchange_program = observed.exchange_program;
    if (observed.accounted) record_.theory_accounted = "messages";
    if (options_.profile) record_.profile = profile_json(observed);
    if (!observed.faults) return;
    record_.violations = std::ssize(*observed.faults);
    record_.violation_list = *observed.faults;
    if (!observed.faults->empty()) record_.error = fmt::format("wrong data: {}", observed.faults->front());
  }

  /// Runs all replications but the first, whose finish times are `finish`, and completes the record by all of them. A
  /// call takes the time `before` in addition. If a replication fails, the record has its error and no time.
  template <typename EachPlan>
  void replicate(EachPlan const& plan, std::vector<Seconds> const& finish, Seconds before = {}) {
    Replications replications;
    replications.add(Seconds(*record_.time_s), finish, arrivals_at(scenario_), before);
    for (int number = 1; number < scenario_.replications && !record_.error; ++number) {
      EngineOptions const wanted = engine_options(scenario_, options_, number);
      Outcome<Timing> const outcome = timing_of(plan, scenario_, wanted);
      if (!outcome.result) {
        record_.time_s.reset();
        return add_failure(record_, outcome.failure, fmt::format("replication {}: {}", number + 1, outcome.error));
      }
      replications.add(before + outcome.result->makespan, outcome.result->finish, wanted.arrival, before);
    }
    replications.fill(record_, scenario_);
  }

  Scenario const& scenario_;
  PointOptions const& options_;
  Record record_;
};

}  // namespace

Record failed_record(Scenario const& scenario, std::string const& file, int number, std::string error) {
  Record record = described(scenario, file, number);
  record.error = std::move(error);
  if (is_bare_tasks(scenario)) name_error(record);
  return record;
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

/// Files that are read during the run, but are not noted as inputs of the point, are a bug: a record could go stale.
Record run_point(Scenario const& scenario, std::string const& file, int number, PointOptions const& options,
                 Plan const* made) {
  InputsRead const read;
  Record record = PointRun(scenario, file, number, options).by(made);
  expect_known(read, scenario);
  return record;
}

}  // namespace rondo
