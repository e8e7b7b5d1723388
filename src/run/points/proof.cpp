// The number of block moves measures the time that a proof takes. Groups of a step that have the same schedule
// share its proof.

#include "run/points/proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "platform/routing.hpp"
#include "run/families/promises.hpp"
#include "run/points/task_run.hpp"

namespace rondo {
namespace {

/// So many moves take some seconds to prove. Larger schedules are proved only on request.
constexpr std::int64_t most_moves_proved = 100'000'000;

}  // namespace

std::int64_t moves_of(Program const& program) {
  std::int64_t moves = 0;
  for (int round = 0; round <= program.rounds(); ++round) {
    for (Transfer const& send : program.sends(round)) moves += send.count;
    moves += std::ssize(program.copies(round));
  }
  return moves;
}

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

char const* proof_name(Proof asked, bool proved) {
  if (proved) return "proved";
  return asked == Proof::off ? "off" : "too_large";
}

bool proved_enough(std::string_view name, Proof asked) {
  // An MPI program has no schedule, and nothing about it is proved.
  if (name.empty() || name == "proved") return true;
  return asked == Proof::off || (asked == Proof::automatic && name == "too_large");
}

MachineLimits machine_limits(Platform const& machine, Schedule const& schedule) {
  MachineLimits allowed;
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
