// Uses the exact search for small problems only: its time grows fast, and every point of a sweep pays for it.

#include "run/points/rounds_bound.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/recent_answers.hpp"
#include "optimum/bounds.hpp"
#include "optimum/search.hpp"
#include "run/families/answers.hpp"
#include "run/points/run.hpp"

namespace rondo {
namespace {

/// Larger problems are not searched for every point: ranks, slots of all receive buffers, and the product with which a
/// round of a formula grows.
constexpr int most_ranks = 32;
constexpr std::int64_t most_slots = 20'000, most_block_moves = 2'000;
/// Of the solver, for each number of rounds. They take less than a tenth of a second.
constexpr int most_conflicts = 1'000;

Boundary boundary_of(Collective const& promise) {
  if (auto const* alltoall = std::get_if<IsomorphicAlltoall>(&promise)) return alltoall->boundary;
  if (auto const* allgather = std::get_if<IsomorphicAllgather>(&promise)) return allgather->boundary;
  return Boundary::periodic;
}

/// Whether two ranks are neighbors on the torus.
bool are_neighbors(Torus const& torus, Boundary const& boundary, Rank from, Rank to) {
  std::vector<int> offset(static_cast<std::size_t>(torus.dimensions()));
  for (int j = 0; j < torus.dimensions(); ++j) {
    for (int const step : {1, -1}) {
      offset[static_cast<std::size_t>(j)] = step;
      if (add(torus, boundary, from, offset) == to) return true;
    }
    offset[static_cast<std::size_t>(j)] = 0;
  }
  return false;
}

/// The pairs that may talk on the machine and, with a torus, are neighbors on it.
optimum::Links links_of(Platform const& machine, int ranks, Torus const* torus, Boundary const& boundary) {
  MachineLimits const allowed = machine_limits(machine, {});
  if (torus == nullptr && !allowed.linked) return std::nullopt;
  std::vector<optimum::Link> links;
  for (int from = 0; from < ranks; ++from) {
    for (int to = 0; to < ranks; ++to) {
      if (to == from) continue;
      if (torus != nullptr && !are_neighbors(*torus, boundary, Rank(from), Rank(to))) continue;
      if (allowed.linked && !allowed.linked(Rank(from), Rank(to))) continue;
      links.push_back({from, to, machine.ports});
    }
  }
  return links;
}

/// The size of the smallest block, if blocks pass as a whole; else nothing.
Bytes least_bytes(SchedulePlan const& plan) {
  bool const whole = std::holds_alternative<IsomorphicAlltoall>(plan.collective) ||
                     std::holds_alternative<IsomorphicAllgather>(plan.collective) ||
                     std::holds_alternative<NeighborAlltoall>(plan.collective) ||
                     std::holds_alternative<NeighborAllgather>(plan.collective);
  if (!whole) return Bytes(0);
  std::optional<Bytes> least;
  for (Program const& program : plan.schedule.programs) {
    for (std::uint32_t slot = 0; slot < program.layout()[Buffer::send].slots; ++slot) {
      Bytes const size = program.layout().bytes(send_slot(slot));
      least = std::min(size, least.value_or(size));
    }
  }
  return least.value_or(Bytes(0));
}

/// A lower bound of the rounds by a search; remembered by each thread.
int searched(optimum::Question question) {
  static thread_local RecentAnswers<optimum::Question, int> recent;
  return recent.get(std::move(question),
                    [](auto const& asked) { return optimum::least_rounds(asked, most_conflicts); });
}

/// The bound for a promise. `known` is the number of rounds of a schedule of it, if it has rounds, and no message has
/// less than `bytes`.
std::optional<RoundsBound> bound_of(Collective const& promise, optimum::Links links, std::optional<int> known,
                                    Bytes bytes, Platform const& machine) {
  optimum::Question question = optimum::hearing_question(promise, machine.ports, std::move(links));
  auto const p = static_cast<std::int64_t>(question.ranks);
  std::int64_t const pairs = question.links ? std::ssize(*question.links) : p * (p - 1);
  if (pairs * std::ssize(question.blocks) > most_block_moves) return std::nullopt;
  int rounds = optimum::rounds_bound(question, std::nullopt).at_least;
  if (rounds >= optimum::unreachable) return std::nullopt;  // which verify reports
  // If a schedule takes no more, a search would find no other number.
  if (!known || *known > rounds) rounds = searched(std::move(question));
  theory::LinearCost const cost = cheapest_cost(machine);
  return RoundsBound{rounds, rounds * (cost.alpha + (machine.envelope + bytes) / cost.bandwidth)};
}

}  // namespace

/// Unset for problems with too many ranks or slots.
std::optional<RoundsBound> rounds_bound(SchedulePlan const& plan, scenario::Scenario const& scenario) {
  Schedule const& schedule = plan.schedule;
  Platform const& machine = scenario.machine;
  if (schedule.ranks > most_ranks) return std::nullopt;
  std::int64_t slots = 0;
  for (int r = 0; r < schedule.ranks; ++r) slots += schedule.program(Rank(r)).layout()[Buffer::receive].slots;
  if (slots > most_slots) return std::nullopt;
  bool const unit = plan.prediction.links == "unit" && schedule.torus;
  auto links = links_of(machine, schedule.ranks, unit ? &*schedule.torus : nullptr, boundary_of(plan.collective));
  bool const fits = schedule.promises.ports > 0 && schedule.promises.ports <= machine.ports;
  std::optional<int> const known = fits ? std::optional(schedule.rounds()) : std::nullopt;
  return bound_of(plan.collective, std::move(links), known, least_bytes(plan), machine);
}

std::optional<RoundsBound> rounds_bound(TaskPlan const& plan, scenario::Scenario const& scenario) {
  int const ranks = plan.tasks.graph.tasks.ranks();
  if (plan.says_sizes || !plan.tasks.promise || ranks > most_ranks) return std::nullopt;
  std::int64_t slots = 0;
  for (auto const& buffers : plan.tasks.graph.buffers)
    slots += buffers[static_cast<std::size_t>(Buffer::receive)].slots;
  if (slots > most_slots) return std::nullopt;
  auto links = links_of(scenario.machine, ranks, nullptr, Boundary::periodic);
  return bound_of(*plan.tasks.promise, std::move(links), std::nullopt, Bytes(0), scenario.machine);
}

}  // namespace rondo
