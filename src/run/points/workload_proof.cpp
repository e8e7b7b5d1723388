// Groups of a step that have the same schedule share its proof.

#include "run/points/workload_proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "run/families/promised_tasks.hpp"
#include "run/points/task_run.hpp"

namespace rondo {
namespace {

using problem::WorkloadGroup;
using problem::WorkloadStep;
using scenario::Scenario;

/// Names the group of a violation: "step sum, ranks 4, 5, ...: ", with at most four ranks.
std::string whose(WorkloadStep const& step, WorkloadGroup const& group) {
  std::string ranks;
  constexpr std::size_t most = 4;
  for (std::size_t i = 0; i < std::min(group.ranks.size(), most); ++i) {
    ranks += fmt::format("{}{}", i == 0 ? "" : ", ", group.ranks[i]);
  }
  return fmt::format("step {}, rank{} {}{}: ", step.name, group.ranks.size() == 1 ? "" : "s", ranks,
                     group.ranks.size() > most ? ", ..." : "");
}

}  // namespace

ProvedSteps proved(WorkloadPlan const& plan, Scenario const& scenario, Proof proof) {
  ProvedSteps found;
  for (std::size_t number = 0; number < plan.plans.size(); ++number) {
    WorkloadStep const& step = plan.workload.steps[number];
    std::map<std::size_t, Verdict> known;  // by problem
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
      if (!once) known[group.problem] = verify(own.schedule, own.collective, machine_limits(machine, own.schedule));
      Verdict const& verdict = known.at(group.problem);
      found.violations += verdict.violation_count;
      found.redundant += verdict.redundant_blocks;
      for (Violation const& violation : verdict.violations) found.lines.push_back(whose(step, group) + violation.text);
    }
  }
  for (std::size_t job = 0; job < plan.tasks.size(); ++job) {
    TaskVerdict const verdict = judge(plan.tasks[job]);
    found.violations += verdict.violations;
    found.needs_buffers |= verdict.needs_buffered_sends.value_or(false);
    for (TaskFinding const& each : verdict.first) {
      found.lines.push_back(fmt::format("job {}: {}", plan.workload.jobs[job].name, each.text));
    }
  }
  constexpr std::size_t most = 1000;
  if (found.lines.size() > most) found.lines.resize(most);
  return found;
}

std::string first_violation(WorkloadPlan const& plan, Scenario const& scenario, Proof proof) {
  ProvedSteps const found = proved(plan, scenario, proof);
  return found.lines.empty() ? "" : found.lines.front();
}

}  // namespace rondo
