// Properties that every kind of problem has: overloads tell the kinds apart; generic ones use members that most kinds
// have. For workloads, unrolls repetitions and finds out whether ranks would wait for each other for ever.

#include "problem/problem.hpp"

#include <algorithm>

namespace rondo::problem {

std::vector<StepInstance> step_instances(Workload const& workload) {
  std::vector<StepInstance> all;
  for (WorkloadJob const& job : workload.jobs) {
    std::optional<std::size_t> before;  // the last one that does not overlap
    for (int repetition = 0; repetition < job.repeat; ++repetition) {
      std::size_t const first = all.size();
      for (std::size_t step = job.first_step; step < job.first_step + job.steps; ++step) {
        WorkloadStep const& workload_step = workload.steps[step];
        StepInstance next{step};
        if (workload_step.after) {
          for (std::size_t const named : *workload_step.after) next.after.push_back(first + named - job.first_step);
        } else if (before) {
          next.after.push_back(*before);
        }
        if (!workload_step.overlap) before = all.size();
        all.push_back(std::move(next));
      }
    }
  }
  return all;
}

/// Only steps of the same repetition name each other, so one repetition of each job is enough to find a cycle.
std::vector<std::size_t> circular_wait(Workload const& workload) {
  Workload once = workload;
  for (WorkloadJob& job : once.jobs) job.repeat = 1;
  std::vector<StepInstance> const steps = step_instances(once);
  std::vector<std::size_t> open(steps.size(), 0), free;
  std::vector<std::vector<std::size_t>> followers(steps.size());
  for (std::size_t step = 0; step < steps.size(); ++step) {
    open[step] = steps[step].after.size();
    for (std::size_t const before : steps[step].after) followers[before].push_back(step);
    if (open[step] == 0) free.push_back(step);
  }
  for (std::size_t i = 0; i < free.size(); ++i) {
    for (std::size_t const next : followers[free[i]]) {
      if (--open[next] == 0) free.push_back(next);
    }
  }
  auto const waits = [&](std::size_t step) { return open[step] > 0; };
  auto const first = std::ranges::find_if(open, [](std::size_t count) { return count > 0; });
  if (first == open.end()) return {};
  // A step that waits forever comes after another one that does. Following these must lead back to a step seen
  // before.
  std::vector<std::size_t> way{static_cast<std::size_t>(first - open.begin())};
  while (true) {
    std::size_t const next = *std::ranges::find_if(steps[way.back()].after, waits);
    auto const seen = std::ranges::find(way, next);
    if (seen != way.end()) return {seen, way.end()};
    way.push_back(next);
  }
}

namespace {

/// The name of the algorithm.
std::string algorithm_of(UserProgram const& p) { return p.selector; }
std::string algorithm_of(Custom const& p) { return p.name; }
std::string algorithm_of(Workload const& /*p*/) { return enum_name(Kind::workload); }
std::string algorithm_of(auto const& p) {
  if constexpr (requires { p.ways; }) {
    return enum_name(p.ways.algorithm);
  } else {
    return enum_name(p.algorithm);
  }
}

/// The number of ranks.
int ranks_of(auto const& p) {
  if constexpr (requires { p.graph; }) {
    return ranks(p.graph);
  } else {
    return p.ranks;
  }
}

}  // namespace

Kind kind(Problem const& problem) {
  return std::visit([](auto const& p) { return kind_of(p); }, problem);
}

std::string algorithm(Problem const& problem) {
  return std::visit([](auto const& p) { return algorithm_of(p); }, problem);
}

int ranks(Problem const& problem) {
  return std::visit([](auto const& p) { return ranks_of(p); }, problem);
}

/// How the problem exchanges data; null if it does no sparse exchange.
ExchangeWays const* exchange_ways(Problem const& problem) {
  return std::visit(
      [](auto const& p) -> ExchangeWays const* {
        if constexpr (requires { p.ways; }) {
          return &p.ways;
        } else {
          return nullptr;
        }
      },
      problem);
}

}  // namespace rondo::problem
