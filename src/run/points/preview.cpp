// Predicts the size of a run without running it: messages by formulas or by counting, time and memory by rates that
// were measured on one core (run/families/extent.hpp).

#include "run/points/preview.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "run/families/plan.hpp"
#include "run/families/predict_scenario.hpp"
#include "run/points/task_run.hpp"
#include "schedule/measure.hpp"

namespace rondo {
namespace {

/// How many messages an engine carries per second of real time (docs/performance.md).
double rate_of(scenario::Scenario const& point) {
  if (point.engine != scenario::Engine::native) return 3e5;
  return shares_bandwidth(point.machine) ? 5e5 : 5e6;
}

/// The sum of the predictions for all points.
struct Total {
  std::int64_t predicted = 0;  ///< points
  double messages = 0, most = 0;
  Accuracy accuracy = Accuracy::counted;  ///< of the worst of them
  double seconds = 0, bytes = 0;
  int ranks = 0;
  std::map<std::string, std::vector<std::string>> algorithms;  ///< by kind, in their order
  std::vector<std::string> machines;                           ///< in words, in their order
  std::vector<std::string> jobs;                               ///< of workloads, a line each
  std::set<std::string> engines, arrivals, noises;
  int replications = 1;
};

/// "one_late within 50us"; empty if all ranks arrive at 0.
std::string arrival_text(problem::Arrival const& arrival) {
  std::string const kind = enum_name(arrival.kind);
  switch (arrival.kind) {
    case problem::ArrivalKind::none:
      return "";
    case problem::ArrivalKind::list:
    case problem::ArrivalKind::file:
      return fmt::format("{}, the last at {}", kind, print(*std::ranges::max_element(arrival.values)));
    case problem::ArrivalKind::exponential:
      return fmt::format("{}, {} in the mean", kind, print(arrival.spread));
    default:
      return fmt::format("{}, the last at {} or before", kind, print(arrival.spread));
  }
}

/// "cpu, latency"; empty without noise.
std::string noise_text(MachineNoise const& noise) {
  std::vector<std::string> on;
  if (noise.cpu) on.emplace_back("cpu");
  if (noise.compute) on.emplace_back("compute");
  if (noise.latency) on.emplace_back("latency");
  if (!noise.of_steps.empty()) on.emplace_back("single steps");
  return listed(on, ", ");
}

/// The extent by theory's bounds: with several ports, no rank sends more than one message per port and round, nor more
/// messages than blocks.
std::optional<Extent> extent_of_theory(scenario::Scenario const& point) {
  auto const prediction = predict_scenario(point);
  if (!prediction) return std::nullopt;
  Figures const& theory = prediction->theory;
  std::int64_t const p = ranks(point.problem);
  Extent extent;
  if (theory.messages) {
    extent.messages = *theory.messages;
  } else if (theory.rounds && *theory.rounds > 1) {
    extent = {p * *theory.rounds * point.machine.ports, Accuracy::at_most};
  } else if (theory.volume_blocks) {
    extent = {static_cast<std::int64_t>(static_cast<double>(p) * *theory.volume_blocks), Accuracy::at_most};
  } else {
    return std::nullopt;
  }
  bool const one_for_all = std::holds_alternative<problem::Isomorphic>(point.problem);
  if (auto const before = extent_before(point)) extent.moves = before->moves;
  extent.written = one_for_all ? extent.messages / std::max<std::int64_t>(1, p) : extent.messages;
  return timed(extent);
}

/// The extent of the schedules of all steps; each rank has a program of its own in each.
Extent extent_of_steps(WorkloadPlan const& plan) {
  double moves = 0;
  std::int64_t messages = 0;
  for (std::size_t step = 0; step < plan.plans.size(); ++step) {
    if (plan.plans[step].empty()) continue;
    int const repeat = job_of(plan.workload, step).repeat;
    for (problem::WorkloadGroup const& group : plan.workload.steps[step].groups) {
      Measures const counts = measure(plan.plans[step][group.problem].schedule);
      messages += counts.messages * repeat;
      moves += counts.total_blocks * repeat;
    }
  }
  for (TaskFile const& tasks : plan.tasks) {
    messages += count(tasks.graph.tasks).messages;
    moves += static_cast<double>(moves_of(tasks.graph));
  }
  return {messages, Accuracy::counted, messages, moves};
}

/// Makes the schedule and counts it.
std::optional<Extent> extent_of_plan(scenario::Scenario const& point) {
  try {
    Plan const plan = plan_of(point, "");
    if (auto const* const tasks = std::get_if<TaskPlan>(&plan)) {
      auto const messages = count(tasks->tasks.graph.tasks).messages;
      return timed({messages, Accuracy::counted, messages, static_cast<double>(moves_of(tasks->tasks.graph))});
    }
    if (auto const* const workload = std::get_if<WorkloadPlan>(&plan)) return timed(extent_of_steps(*workload));
    auto const* const made = std::get_if<SchedulePlan>(&plan);
    if (made == nullptr) return std::nullopt;
    Measures const counts = measure(made->schedule);
    return timed({counts.messages, Accuracy::counted, counts.messages, counts.total_blocks});
  } catch (InputError const&) {
    return std::nullopt;  // which a run says
  }
}

/// Graphs with more edges than this are not made just to be counted.
constexpr double most_edges_made = 20'000;

/// Whether a graph is small enough to make the schedule for its exact counts.
bool is_small(problem::GraphSource const& graph) {
  auto const edges = expected_edges(graph);
  return edges && *edges <= most_edges_made;
}

bool is_counted_by_its_plan(problem::Problem const& problem) {
  if (auto const* neighbor = std::get_if<problem::Neighbor>(&problem)) return is_small(neighbor->graph);
  if (auto const* sparse = std::get_if<problem::SparseOnGraph>(&problem)) return is_small(sparse->graph);
  return std::holds_alternative<problem::Custom>(problem) || std::holds_alternative<problem::Workload>(problem);
}

/// "0-3, 8": successive numbers are written as a range.
std::string ranges(std::vector<int> numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::string text;
  for (std::size_t i = 0, last = 0; i < numbers.size(); i = last + 1) {
    for (last = i; last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1;) ++last;
    text +=
        fmt::format("{}{}{}", text.empty() ? "" : ", ", numbers[i], last > i ? fmt::format("-{}", numbers[last]) : "");
  }
  return text;
}

/// "job training: 8 ranks on hosts 0-7, 3 steps 10 times, from 5us on"
void add_jobs(std::vector<std::string>& lines, problem::Workload const& workload) {
  if (!workload.has_jobs()) return;
  for (problem::WorkloadJob const& job : workload.jobs) {
    auto const first = workload.host_of.begin() + job.first_rank;
    std::string const what = job.tasks.empty() ? counted(job.steps, "step") : "tasks of " + excerpt(job.tasks);
    std::string line = fmt::format("job {}: {} on hosts {}, {}", job.name, counted(job.ranks, "rank"),
                                   excerpt(ranges({first, first + job.ranks}), 60), what);
    if (job.repeat > 1) line += fmt::format(" {} times", job.repeat);
    if (job.start > Seconds(0)) line += fmt::format(", from {} on", print(job.start));
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
  }
}

/// Adds a point to the totals of the sweep.
void add(Total& total, scenario::Scenario const& point) {
  total.ranks = std::max(total.ranks, ranks(point.problem));
  std::vector<std::string>& algorithms = total.algorithms[enum_name(kind(point.problem))];
  std::string const word = algorithm(point.problem);
  if (std::ranges::find(algorithms, word) == algorithms.end()) algorithms.push_back(word);
  total.engines.insert(scenario::to_string(point.engine));
  std::string machine = describe(point.machine);
  if (std::ranges::find(total.machines, machine) == total.machines.end()) total.machines.push_back(std::move(machine));
  if (auto const late = arrival_text(point.arrival); !late.empty()) total.arrivals.insert(late);
  if (auto const on = noise_text(point.machine.noise); !on.empty()) total.noises.insert(on);
  total.replications = std::max(total.replications, point.replications);
  if (auto const* workload = std::get_if<problem::Workload>(&point.problem)) add_jobs(total.jobs, *workload);
  auto const extent = extent_of(point);
  total.bytes = std::max(total.bytes, bytes_needed(point, extent));
  if (!extent) return;
  auto const messages = static_cast<double>(extent->messages);
  total.predicted += 1;
  total.messages += messages;
  total.most = std::max(total.most, messages);
  total.accuracy = std::max(total.accuracy, extent->accuracy);
  total.seconds += extent->seconds + point.replications * messages / rate_of(point);
}

/// "64B, 128B, ... 200 values ... 1MiB": of many values the first ones and the last one.
std::string in_short(std::vector<std::string> const& values) {
  constexpr std::size_t most = 16;
  if (values.size() <= most) return listed(values, ", ");
  return fmt::format("{}, {}, ... {} values ... {}", values[0], values[1], values.size(), values.back());
}

/// The swept pointers with their values, in their order.
std::string swept(Job const& job) {
  std::vector<std::pair<std::string, std::vector<std::string>>> axes;
  for (std::size_t i = 0; i < job.sweep.size(); ++i) {
    for (auto const& [pointer, value] : job.sweep[i].axes) {
      std::string const text = excerpt(value.is_string() ? value.get<std::string>() : value.dump(), 32);
      auto axis = std::ranges::find(axes, pointer, &decltype(axes)::value_type::first);
      if (axis == axes.end()) axis = axes.insert(axes.end(), {pointer, {}});
      if (std::ranges::find(axis->second, text) == axis->second.end()) axis->second.push_back(text);
    }
  }
  std::string lines;
  for (auto const& [pointer, values] : axes)
    lines += printable(fmt::format("  {}: {}", pointer, in_short(values))) + "\n";
  return lines;
}

/// All lines of each machine; if there are many machines, only the first line of each.
std::string machines_text(std::vector<std::string> const& machines) {
  std::string text;
  for (std::string const& machine : machines) {
    std::string const first = machine.substr(0, machine.find('\n'));
    text += "machine: " + (machines.size() > 3 ? first : machine) + "\n";
  }
  return text;
}

/// A number rounded to two digits, written out.
std::string rounded(double number) {
  double unit = 1;
  while (number / unit >= 100) unit *= 10;
  return fmt::format("{:.0f}", std::round(number / unit) * unit);
}

/// A duration in the unit that fits it.
std::string time_text(double seconds) {
  if (seconds < 1) return "less than a second";
  if (seconds < 120) return fmt::format("about {} s", rounded(seconds));
  if (seconds < 7200) return fmt::format("about {} minutes", rounded(seconds / 60));
  return fmt::format("about {} hours", rounded(seconds / 3600));
}

std::string memory_text(double bytes) {
  if (bytes < 1e9) return fmt::format("about {} MB", rounded(bytes / 1e6));
  return bytes < 1e10 ? fmt::format("about {:.1f} GB", bytes / 1e9) : fmt::format("about {} GB", rounded(bytes / 1e9));
}

std::string count_text(double messages, Accuracy accuracy) {
  if (accuracy == Accuracy::about) return "about " + rounded(messages);
  return fmt::format("{}{:.0f}", accuracy == Accuracy::at_most ? "at most " : "", messages);
}

/// The paragraph on messages, time and memory.
std::string cost(Total const& total, std::size_t points) {
  std::string const memory = fmt::format("{} of memory", memory_text(total.bytes));
  if (total.predicted == 0) {
    return fmt::format(
        "how many messages it sends, and how long that takes, is not known before it runs; it takes {} "
        "beside what programs take themselves\n",
        memory);
  }
  std::string text = fmt::format("{} message{} in all, {} at a point", count_text(total.messages, total.accuracy),
                                 total.messages == 1 ? "" : "s", count_text(total.most, total.accuracy));
  auto const left = static_cast<std::int64_t>(points) - total.predicted;
  if (left > 0) text += fmt::format("; those of {} are not known before they run", counted(left, "point"));
  return text + fmt::format("\nrunning {} takes {} on one core, and {}\n", points == 1 ? "it" : "them",
                            time_text(total.seconds), memory);
}

}  // namespace

std::string messages_text(Extent const& extent) {
  return count_text(static_cast<double>(extent.messages), extent.accuracy);
}

/// The extent of a point by the cheapest way that exists for its family; unset if it is unknown before the run.
std::optional<Extent> extent_of(scenario::Scenario const& point) {
  if (is_counted_by_its_plan(point.problem)) {
    if (auto const counted = extent_of_plan(point)) return counted;
  }
  bool const of_theory = std::holds_alternative<problem::Isomorphic>(point.problem) ||
                         std::holds_alternative<problem::Intergroup>(point.problem);
  return of_theory ? extent_of_theory(point) : extent_before(point);
}

std::string preview(Job const& job) {
  Total total;
  for (std::size_t i = 0; i < job.sweep.size(); ++i) add(total, point_at(job, i)->scenario);
  std::string text;
  for (auto const& [kind, algorithms] : total.algorithms) {
    text += printable(fmt::format("{} by {}", kind, listed(algorithms, ", "))) + "\n";
  }
  text += machines_text(total.machines);
  for (std::string const& late : total.arrivals) text += "ranks come late: " + late + "\n";
  for (std::string const& on : total.noises) text += "noise on " + on + "\n";
  if (total.replications > 1) text += fmt::format("each point is simulated up to {} times\n", total.replications);
  for (std::string const& job : total.jobs) text += job + "\n";
  text += fmt::format("{} of up to {} on engine {}\n", counted(job.sweep.size(), "point"), counted(total.ranks, "rank"),
                      listed(total.engines, " and "));
  text += swept(job) + cost(total, job.sweep.size());
  if (!job.claims.empty()) {
    text += fmt::format("{} judged by rondo check\n", counted(static_cast<std::int64_t>(job.claims.size()), "claim"));
  }
  return text;
}

}  // namespace rondo
