// Makes the plan of a point: resolves the problem, calls generators and theory of its family, and orders messages.

#include "run/families/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "generate/transformations.hpp"
#include "platform/routing.hpp"
#include "run/families/answers.hpp"
#include "run/families/extent.hpp"
#include "run/families/predict_scenario.hpp"
#include "run/families/resolve.hpp"

namespace rondo {

using scenario::Scenario;

namespace {

bool stripes(Platform const& machine) { return machine.nics > 1 && machine.nic_of == NicRule::striped; }

/// Whether a flow costs alpha + beta * n for all sizes n.
bool has_one_piece(Platform const& machine) {
  return machine.timing == TimingModel::linear && machine.pieces.empty() && !has_file_numbers(machine);
}

/// Whether a message costs alpha + beta * n for all sizes n.
bool has_linear_timing(Platform const& machine) { return has_one_piece(machine) && !stripes(machine); }

}  // namespace

theory::LinearCost linear_cost(Platform const& machine) {
  if (!has_linear_timing(machine)) return {Seconds(0), BytesPerSecond(1)};
  return {machine.latency, machine.bandwidth};
}

/// The cheapest message on the machine, for lower bounds: one within a host.
theory::LinearCost cheapest_cost(Platform const& machine) {
  theory::LinearCost const cost = linear_cost(machine);
  if (machine.ranks_per_host == 1) return cost;
  return {std::min(cost.alpha, machine.intra_latency.value_or(cost.alpha)),
          std::max(cost.bandwidth, machine.intra_bandwidth.value_or(cost.bandwidth))};
}

namespace {

/// Calls `act`, and adds the file's name to its InputErrors.
template <typename Act>
auto in_file(std::string const& file, Act act) {
  try {
    return act();
  } catch (InputError const& refused) {
    throw InputError(file + ": " + refused.what());
  }
}

/// Removes closed forms and bounds of times from a prediction, because they hold for the linear model only.
void forget_times(Prediction& prediction) {
  prediction.theory.time_s.reset();
  prediction.bound.forget_time();
  prediction.exact = false;
}

/// Removes closed forms of times, which hold only if all ranks begin at 0 and there is no noise. Bounds remain valid:
/// no rank begins earlier, and noise only adds time.
void forget_common_start(Prediction& prediction) {
  prediction.theory.time_s.reset();
  prediction.exact = false;
}

/// Whether a rank posts more messages in a round than its ports serve at once.
bool posts_beyond(Schedule const& schedule, int ports) {
  auto const too_many = [&](Program const& program) {
    for (int round = 1; round <= program.rounds(); ++round) {
      if (std::ssize(program.sends(round)) > ports || std::ssize(program.receives(round)) > ports) return true;
    }
    return false;
  };
  return schedule.promises.ports == 0 && std::any_of(schedule.programs.begin(), schedule.programs.end(), too_many);
}

/// Whether ranks that are neighbors on a torus run on neighboring hosts or on the same host.
bool neighbors_beside(Platform const& machine, Torus const& torus) {
  Routes const routes(machine);
  for (int r = 0; r < torus.size(); ++r) {
    for (int j = 0; j < torus.dimensions(); ++j) {
      Rank const next = torus.shift(Rank(r), j, 1);
      if (next != Rank(r) && routes.hops(host_of(machine, Rank(r)), host_of(machine, next)) != 1) return false;
    }
  }
  return true;
}

/// The facts about a machine that formulas and bounds need. `linear` says whether formulas of the linear model are
/// exact.
theory::MachineCost cost_on(Scenario const& scenario) {
  Platform const& machine = scenario.machine;
  theory::MachineCost cost{linear_cost(machine), cheapest_cost(machine), machine.ports, machine.envelope};
  cost.linear = has_linear_timing(machine);
  cost.links_unshared = !shares_bandwidth(machine);
  cost.distance_is_free = machine.hop_latency == Seconds(0) || std::holds_alternative<FullyConnected>(machine.topology);
  auto const* torus = std::get_if<TorusMachine>(&machine.topology);
  if (torus != nullptr && machine.routing.failed.empty()) cost.torus = torus->torus;
  auto const* groups = std::get_if<problem::Intergroup>(&scenario.problem);
  if (groups != nullptr && !cost.distance_is_free) cost.neighbors_beside = neighbors_beside(machine, torus_of(*groups));
  return cost;
}

/// The graph whose neighbor lists determine the order in which ranks post messages; null if a problem has none.
ProcessGraph const* posting_graph(problem::Problem const& problem) {
  if (auto const* neighbor = std::get_if<problem::Neighbor>(&problem)) return &graph_of(neighbor->graph);
  if (auto const* sparse = std::get_if<problem::SparseOnGraph>(&problem)) return &graph_of(sparse->graph);
  return nullptr;
}

/// Puts the messages of every step into the scenario's order.
void order_posts(WorkloadPlan& plan, Scenario const& scenario) {
  for (std::size_t step = 0; step < plan.plans.size(); ++step) {
    for (std::size_t i = 0; i < plan.plans[step].size(); ++i) {
      problem::Problem const& of = plan.workload.steps[step].problems[i];
      generate::order_posts(plan.plans[step][i].schedule, scenario.posting, scenario.seed, posting_graph(of));
    }
  }
}

/// Makes the plan of the resolved problem on this machine, and completes it.
template <typename Make>
Plan plan_by(Scenario const& scenario, std::string const& file, Make make) {
  Plan plan = in_file(file, [&] {
    expect_memory(scenario);
    problem::Problem const problem = resolved(scenario.problem);
    Plan made = make(problem, cost_on(scenario));
    if (auto* const schedule = std::get_if<SchedulePlan>(&made)) {
      generate::order_posts(schedule->schedule, scenario.posting, scenario.seed, posting_graph(problem));
    }
    if (auto* const workload = std::get_if<WorkloadPlan>(&made)) order_posts(*workload, scenario);
    return made;
  });
  if (!has_linear_timing(scenario.machine)) {
    std::visit([](auto& each) { forget_times(each.prediction); }, plan);
  }
  if (!arrivals_at(scenario).empty() || scenario.machine.noise.any()) {
    std::visit([](auto& each) { forget_common_start(each.prediction); }, plan);
  }
  // Bounds on rounds, and on the largest message of each round, assume that the ports serve a round at once; they do
  // not hold for rounds with more messages.
  if (auto* const schedule = std::get_if<SchedulePlan>(&plan)) {
    if (posts_beyond(schedule->schedule, scenario.machine.ports)) {
      schedule->prediction.bound.rounds.reset();
      schedule->prediction.bound.critical_blocks.reset();
    }
  }
  return plan;
}

}  // namespace

/// The arrival of each rank in one replication. Ranks of a job come when the job starts, or later.
std::vector<Seconds> arrivals_at(Scenario const& point, int replication) {
  std::vector<Seconds> arrivals =
      problem::arrivals(point.arrival, ranks(point.problem), point.seed, static_cast<std::uint64_t>(replication));
  auto const* const workload = std::get_if<problem::Workload>(&point.problem);
  if (workload == nullptr) return arrivals;
  for (problem::WorkloadJob const& job : workload->jobs) {
    if (job.start == Seconds(0)) continue;
    arrivals.resize(static_cast<std::size_t>(workload->ranks), Seconds(0));
    for (int rank = job.first_rank; rank < job.first_rank + job.ranks; ++rank) {
      Seconds& arrival = arrivals[static_cast<std::size_t>(rank)];
      arrival = arrival + job.start;
    }
  }
  return arrivals;
}

Plan plan_of(Scenario const& scenario, std::string const& file) {
  return plan_by(scenario, file, [](problem::Problem const& problem, theory::MachineCost const& cost) {
    return std::visit([&](auto const& each) { return plan_for(each, cost); }, problem);
  });
}

Plan plan_of(Scenario const& scenario, std::string const& file, ScheduleFile schedule) {
  return plan_by(scenario, file, [&](problem::Problem const& problem, theory::MachineCost const& cost) {
    return plan_for(std::get<problem::Custom>(problem), std::move(schedule), cost);
  });
}

/// Unset if theory would take long.
std::optional<Prediction> predict_scenario(Scenario const& scenario) {
  // Theory follows every message of a classical collective, and there may be p^2 of them.
  constexpr int followed_quickly = 512;
  bool const is_quick =
      std::holds_alternative<problem::Isomorphic>(scenario.problem) ||
      std::holds_alternative<problem::Intergroup>(scenario.problem) ||
      (std::holds_alternative<problem::Classical>(scenario.problem) && ranks(scenario.problem) <= followed_quickly);
  if (!is_quick) return std::nullopt;
  return std::visit([&](auto const& each) { return theory::predict(each, cost_on(scenario)); },
                    resolved(scenario.problem));
}

/// Throws InputError if the point has no schedule in rounds.
SchedulePlan const& schedule_plan(Plan const& plan, std::string const& file) {
  if (auto const* schedule = std::get_if<SchedulePlan>(&plan)) return *schedule;
  char const* what = ", this one is an MPI program";
  if (std::holds_alternative<TaskPlan>(plan)) what = " in rounds, this one has tasks";
  if (std::holds_alternative<WorkloadPlan>(plan)) what = ", this one is a workload";
  bool const has_tasks = std::holds_alternative<TaskPlan>(plan);  // which text shows
  throw InputError(fmt::format("{}: expected a point with a schedule{}{}", file, what,
                               has_tasks ? "" : "; show --format html and export --format trace show its run"));
}

/// Checks sizes and programs without making a schedule.
void validate(Scenario const& scenario, std::string const& file) {
  in_file(file, [&] {
    expect_sizes(scenario.problem);
    if (auto const* program = std::get_if<problem::UserProgram>(&scenario.problem)) expect_program(*program);
    return true;
  });
}

namespace {

/// 0 if all ranks arrive at 0; for a list or a file, the latest time.
Seconds spread_of(problem::Arrival const& arrival) {
  if (arrival.kind == problem::ArrivalKind::none) return Seconds(0);
  return arrival.values.empty() ? arrival.spread : *std::ranges::max_element(arrival.values);
}

}  // namespace

/// The names that every problem has, beside those of its family: p, m, ports, and alpha and beta of the linear model.
Names problem_names(Scenario const& scenario, std::string const& file) {
  Names names =
      in_file(file, [&] { return names_for(resolved(scenario.problem), cost_on(scenario), scenario.machine.poll); });
  names["p"] = ranks(scenario.problem);
  names["m"] = static_cast<double>(scenario.block.value);
  names["ports"] = scenario.machine.ports;
  if (scenario.expanded.contains("arrival")) names["spread"] = spread_of(scenario.arrival).value;
  if (has_one_piece(scenario.machine)) {
    names["alpha"] = scenario.machine.latency.value;
    names["beta"] = 1 / scenario.machine.bandwidth.value;
  }
  if (!has_linear_timing(scenario.machine)) names.erase("m_cut");
  return names;
}

}  // namespace rondo
