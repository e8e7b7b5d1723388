// Each kind of plan has its own call of the engine. Errors begin with the kind of the failure: "deadlock: ...",
// "timeout: ...". Points that are too large to look at get no timeline.

#include "run/points/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "generate/transformations.hpp"
#include "run/families/promises.hpp"
#include "run/points/proof.hpp"
#include "run/points/replications.hpp"
#include "run/points/task_run.hpp"
#include "schedule/measure.hpp"

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
  return on_engine(scenario.engine, simulated_tasks(plan.tasks), scenario.machine, wanted);
}

Outcome<Timing> simulate_plan(ProgramPlan const& plan, Scenario const& scenario, EngineOptions const& wanted) {
  Outcome<Observation> const outcome = plan.run(scenario.machine, wanted);
  if (!outcome.result) return {std::nullopt, outcome.failure, outcome.error};
  return {outcome.result->whole, {}, {}};
}

void add_failure(Record& record, Failure failure, std::string const& error) {
  record.error = failure_text(failure, error);
  if (failure == Failure::wrong_data) record.delivered = false;
}

std::string failure_text(Failure failure, std::string const& error) {
  std::string const kind = to_string(failure);
  return error.starts_with(kind) ? error : kind + ": " + error;
}

namespace {

using Pair = std::pair<std::int32_t, std::int32_t>;

/// The rounds of the messages between any two ranks, in posting order.
std::map<Pair, std::vector<int>> rounds_by_pair(Schedule const& schedule) {
  std::map<Pair, std::vector<int>> rounds;
  for (int rank = 0; rank < schedule.ranks; ++rank) {
    Program const& program = schedule.program(Rank(rank));
    for (int round = 1; round <= program.rounds(); ++round) {
      for (Transfer const& send : program.sends(round)) {
        rounds[{rank, schedule.peer(Rank(rank), send).value}].push_back(round);
      }
    }
  }
  return rounds;
}

/// The times shifted by a delay.
MessageTimes later(MessageTimes times, Seconds by) {
  for (Seconds* time : {&times.send_start, &times.send_end, &times.receive_start, &times.receive_end}) {
    *time = *time + by;
  }
  return times;
}

/// The messages of a schedule with their rounds, shifted by the time before its call.
std::vector<TimedMessage> timed(std::vector<MessageTimes> const& message_times, SchedulePlan const& plan) {
  auto const rounds = rounds_by_pair(plan.schedule);
  std::map<Pair, std::size_t> passed;
  std::vector<TimedMessage> messages;
  for (MessageTimes const& times : message_times) {
    Pair const pair(times.source.value, times.target.value);
    messages.push_back({later(times, plan.before_each_call), rounds.at(pair).at(passed[pair]++)});
  }
  return messages;
}
/// Tasks and programs have no rounds.
std::vector<TimedMessage> timed(std::vector<MessageTimes> const& message_times, auto const& /*plan*/) {
  std::vector<TimedMessage> messages;
  for (MessageTimes const& times : message_times) messages.push_back({times, 0});
  return messages;
}

void sort_by_start(std::vector<TimedMessage>& messages) {
  std::stable_sort(messages.begin(), messages.end(), [](TimedMessage const& a, TimedMessage const& b) {
    auto const key = [](MessageTimes const& p) { return std::tuple(p.send_start, p.source, p.target); };
    return key(a.times) < key(b.times);
  });
}

/// Refuses schedules that are known to be too large or broken before they run.
void expect_worth_running(SchedulePlan const& plan, scenario::Scenario const& scenario, std::string const& file,
                          std::int64_t most_messages) {
  expect_at_most(most_messages, measure(plan.schedule).messages, "messages", file);
  expect_valid(plan, scenario, file);
}
void expect_worth_running(TaskPlan const& plan, scenario::Scenario const&, std::string const& file,
                          std::int64_t most_messages) {
  expect_at_most(most_messages, count(plan.tasks.graph.tasks).messages, "messages", file);
  expect_valid(plan, file);
}
/// Throws NoRun for an invalid schedule, whose run would mean nothing.
void expect_worth_running(WorkloadPlan const& plan, scenario::Scenario const& scenario, std::string const& file,
                          std::int64_t /*most_messages*/) {
  std::string const violation = first_violation(plan, scenario, Proof::automatic);
  if (violation.empty()) return;
  throw NoRun(fmt::format("{}: the schedule is invalid and not simulated: {}", file, violation));
}
void expect_worth_running(ProgramPlan const&, scenario::Scenario const&, std::string const&, std::int64_t) {}

Seconds before_each_call(SchedulePlan const& plan) { return plan.before_each_call; }
Seconds before_each_call(auto const& /*plan*/) { return {}; }

template <typename EachPlan>
Timeline timeline_for(EachPlan const& plan, scenario::Scenario const& scenario, std::string const& file,
                      std::int64_t most_messages) {
  expect_worth_running(plan, scenario, file, most_messages);
  EngineOptions options = engine_options(scenario, {});
  options.log = Log::messages;
  Outcome const outcome = simulate_plan(plan, scenario, options);
  if (!outcome.result) {
    throw NoRun(fmt::format("{}: the simulation failed: {}: {}", file, to_string(outcome.failure), outcome.error));
  }
  expect_at_most(most_messages, outcome.result->messages, "messages", file);
  Timeline timeline;
  timeline.makespan = before_each_call(plan) + outcome.result->makespan;
  timeline.ranks = ranks(scenario.problem);
  timeline.ports = scenario.machine.timing == TimingModel::linear ? scenario.machine.ports : 1;
  timeline.messages = timed(outcome.result->message_times, plan);
  (std::is_same_v<EachPlan, WorkloadPlan> ? timeline.steps : timeline.calls) = outcome.result->calls;
  sort_by_start(timeline.messages);
  return timeline;
}

std::int64_t picoseconds(Seconds time) { return std::llround(time.value * 1e12); }

}  // namespace

void expect_at_most(std::int64_t most, std::int64_t count, std::string const& of_what, std::string const& file) {
  if (count <= most) return;
  throw InputError(
      fmt::format("{}: expected at most {} {} to look at, got {}; --point and --set choose a smaller problem", file,
                  most, of_what, count));
}

void expect_valid(SchedulePlan const& plan, scenario::Scenario const& scenario, std::string const& file) {
  if (!proves(Proof::automatic, plan.schedule)) return;
  Verdict const verdict = verify(plan.schedule, plan.collective, machine_limits(scenario.machine, plan.schedule));
  if (verdict.valid()) return;
  throw NoRun(fmt::format("{}: the schedule is invalid and not simulated: {}", file,
                          verdict.violations.empty() ? "not delivered" : verdict.violations.front().text));
}

void expect_valid(TaskPlan const& plan, std::string const& file) {
  TaskVerdict const verdict = judge(plan.tasks);
  if (verdict.violations > 0) throw NoRun(fmt::format("{}: {}", file, verdict.first.front().text));
}

Timeline timeline_of(Plan const& plan, scenario::Scenario const& scenario, std::string const& file,
                     std::int64_t most_messages) {
  return std::visit([&](auto const& each) { return timeline_for(each, scenario, file, most_messages); }, plan);
}

PortUse::Slice PortUse::take(Seconds start, Seconds end) {
  // The port that has been free for the shortest time is taken, so that a row of messages stays on one port.
  std::int64_t const from = picoseconds(start);
  auto best = free_.begin();
  for (auto each = free_.begin(); each != free_.end(); ++each) {
    bool const fits = *each <= from;
    bool const best_fits = *best <= from;
    if (fits != best_fits ? fits : (fits ? *each > *best : *each < *best)) best = each;
  }
  // If no port fits, times differ only in their last bits.
  std::int64_t const begin = std::max(from, *best);
  *best = std::max(begin, picoseconds(end));
  return {static_cast<int>(best - free_.begin()), begin, *best};
}

}  // namespace rondo
