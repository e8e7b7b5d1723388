// The bound of the machine builds the network of the machine and the demand of the promise, and asks optimum/.
// Points of a sweep that differ only in the block size share a network, which is kept from one point to the next.
// The exact search is used for small problems only, because its time grows fast and every point of a sweep pays
// for it.

#include "run/points/lower_bounds.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/ids.hpp"
#include "base/recent_answers.hpp"
#include "optimum/bounds.hpp"
#include "optimum/search.hpp"
#include "platform/network.hpp"
#include "platform/routes.hpp"
#include "run/families/answers.hpp"
#include "run/points/run.hpp"

namespace rondo {
namespace {

/// The most blocks and targets of blocks, and the most links of a machine, for which a bound is computed.
constexpr std::int64_t most_owed = 1 << 20;
constexpr std::int64_t most_links = 1 << 22;

/// Whether the machine adds anything to theory's bounds, which know only ports.
bool has_network_bound(Platform const& machine) {
  if (std::holds_alternative<PlatformFile>(machine.topology) || link_ids(machine.topology) > most_links) return false;
  bool const plain = machine.timing == TimingModel::linear && machine.pieces.empty() && machine.nics == 1;
  return !plain || shares_bandwidth(machine) || machine.neighbors_only;
}

Bytes send_bytes(Schedule const& schedule, int rank, std::uint32_t slot) {
  return schedule.program(Rank(rank)).layout().bytes(send_slot(slot));
}

/// The size of a block. The vector of a reduction or a bcast may be cut into pieces, which are not distinguished here.
optimum::BytesOf sizes_of(Classical const& promise, Schedule const& schedule) {
  using enum ClassicalCollective;
  switch (promise.collective) {
    case gather:
    case allgather:
      return [&](Content const& content) { return send_bytes(schedule, content.origin.value, 0).value; };
    case scatter:
    case alltoall:
    case reduce_scatter:
      return
          [&](Content const& content) { return send_bytes(schedule, content.origin.value, content.block.value).value; };
    case bcast:
    case reduce:
    case scan:
    case exscan:
    case allreduce:
    case barrier:
      return [&, root = promise.root.value](Content const&) {
        return schedule.program(Rank(root)).layout().bytes(Buffer::send).value;
      };
  }
  return {};
}

/// The bytes of each block, as the schedule lays them out.
optimum::BytesOf sizes_of(Collective const& promise, Schedule const& schedule) {
  if (auto const* classical = std::get_if<Classical>(&promise)) return sizes_of(*classical, schedule);
  // Sizes are found by the slot in which a block lies at its first holder.
  auto sizes = std::make_shared<std::map<Content, std::int64_t>>();
  for (int r = 0; r < ranks(promise); ++r) {
    std::uint32_t slot = 0;
    for (Content const& content : held(promise, Rank(r)))
      sizes->emplace(content, send_bytes(schedule, r, slot++).value);
  }
  return [sizes](Content const& content) {
    auto const found = sizes->find(content);
    return found == sizes->end() ? 0 : found->second;
  };
}

/// Whether all blocks of an all-to-all are known to have one size.
bool equal_blocks(Schedule const& schedule) {
  return std::ranges::all_of(schedule.programs, [&](Program const& program) {
    return program.layout()[Buffer::send].sizes.empty() &&
           program.layout().block == schedule.programs.front().layout().block;
  });
}

/// The demand of a schedule in pieces, as a whole: pieces belong to an algorithm, whereas bounds are for all
/// algorithms. Unset if the promise is whole.
std::optional<optimum::Demand> whole_demand(SchedulePlan const& plan, problem::Problem const& problem,
                                            std::optional<Bytes> every) {
  auto const* classical = std::get_if<problem::Classical>(&problem);
  bool const whole = std::holds_alternative<Classical>(plan.collective);
  if (classical == nullptr || whole || !classical->sizes.expression.empty()) return std::nullopt;
  bool const of_target = classical->collective == ClassicalCollective::scatter ||
                         classical->collective == ClassicalCollective::reduce_scatter;
  auto const bytes = [&](Content const& content) -> std::int64_t {
    if (every) return every->value;
    if (works_on_vector(classical->collective)) return classical->sizes.block.value;
    auto const origin = at(content.origin);
    if (classical->collective != ClassicalCollective::alltoall) {
      return classical->sizes.of(of_target ? content.block.value : origin).value;
    }
    return classical->sizes.of(origin * at(classical->ranks) + content.block.value).value;
  };
  Classical const promise{classical->collective, classical->ranks, Rank(classical->root)};
  return optimum::demand_of(promise, bytes, !classical->sizes.differ(), most_owed);
}

/// The machine as a network, and those of its sides that matter for a collective.
struct NetworkSides {
  std::optional<Network> network;
  std::vector<optimum::Side> sides;
  optimum::Lengths lengths = {};

  void look(optimum::Demand const& demand) {
    if (!network) return;
    sides = optimum::better_sides(*network, demand);
    lengths = optimum::find_lengths(*network, demand);
  }
};

std::optional<optimum::Demand> demand_of(SchedulePlan const& plan, optimum::BytesOf const& bytes) {
  return optimum::demand_of(plan.collective, bytes, equal_blocks(plan.schedule), most_owed);
}

/// Computed for blocks of one size, whatever it is, so that an answer does not depend on earlier ones.
NetworkSides looked_at(SchedulePlan const& plan, scenario::Scenario const& scenario) {
  constexpr std::int64_t some_bytes = 1 << 20;
  NetworkSides looked{network_of(scenario.machine, ranks(plan.collective)), {}};
  auto demand = whole_demand(plan, scenario.problem, Bytes(some_bytes));
  if (!demand) demand = demand_of(plan, [](Content const&) { return some_bytes; });
  if (demand) looked.look(*demand);
  return looked;
}

NetworkSides looked_at(Platform const& machine, optimum::Demand const& demand) {
  NetworkSides looked{network_of(machine, demand.ranks), {}};
  looked.look(demand);
  return looked;
}

/// The text of everything on which a network and its sides depend; points of a sweep often have the same. Unset if
/// there are files, because they may change.
std::string question_of(scenario::Scenario const& scenario) {
  std::string key = std::to_string(scenario.seed);
  for (char const* part : {"machine", "collective"}) {
    if (scenario.expanded.contains(part)) key += scenario.expanded[part].dump();
  }
  return key;
}

/// The network and sides of a schedule whose machine and collective have no files; remembered by each thread.
NetworkSides const& remembered(SchedulePlan const& plan, scenario::Scenario const& scenario) {
  static thread_local RecentAnswers<std::string, NetworkSides> recent;
  return recent.get(question_of(scenario), [&](auto const&) { return looked_at(plan, scenario); });
}

}  // namespace

/// Unset for benchmarks, which measure something else, and for machines and promises that are too large.
std::optional<optimum::NetworkBound> machine_bound(SchedulePlan const& plan, scenario::Scenario const& scenario) {
  Platform const& machine = scenario.machine;
  if (plan.benchmark || !has_network_bound(machine)) return std::nullopt;
  auto demand = whole_demand(plan, scenario.problem, std::nullopt);
  if (!demand) demand = demand_of(plan, sizes_of(plan.collective, plan.schedule));
  if (!demand) return std::nullopt;
  bool const one_size = !scenario.expanded["collective"].contains("block_sizes") && scenario.inputs.empty();
  NetworkSides const own = one_size ? NetworkSides() : looked_at(machine, *demand);
  NetworkSides const& looked = one_size ? remembered(plan, scenario) : own;
  if (!looked.network) return std::nullopt;
  return optimum::network_bound(*looked.network, *demand, looked.sides, looked.lengths);
}

std::optional<optimum::NetworkBound> machine_bound(TaskPlan const& plan, scenario::Scenario const& scenario) {
  if (plan.says_sizes || !plan.tasks.promise || !has_network_bound(scenario.machine)) return std::nullopt;
  auto const bytes = [&](Content const&) { return plan.block.value; };
  auto const demand = optimum::demand_of(*plan.tasks.promise, bytes, true, most_owed);
  if (!demand) return std::nullopt;
  NetworkSides const looked = looked_at(scenario.machine, *demand);
  return optimum::network_bound(*looked.network, *demand, looked.sides, looked.lengths);
}

namespace {

/// Larger problems are not searched for every point: ranks, slots of all receive buffers, and the product with which a
/// round of a formula grows.
constexpr int most_searched_ranks = 32;
constexpr std::int64_t most_slots = 20'000, most_searched_moves = 2'000;
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
  if (pairs * std::ssize(question.blocks) > most_searched_moves) return std::nullopt;
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
  if (schedule.ranks > most_searched_ranks) return std::nullopt;
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
  if (plan.says_sizes || !plan.tasks.promise || ranks > most_searched_ranks) return std::nullopt;
  std::int64_t slots = 0;
  for (auto const& buffers : plan.tasks.graph.buffers)
    slots += buffers[static_cast<std::size_t>(Buffer::receive)].slots;
  if (slots > most_slots) return std::nullopt;
  auto links = links_of(scenario.machine, ranks, nullptr, Boundary::periodic);
  return bound_of(*plan.tasks.promise, std::move(links), std::nullopt, Bytes(0), scenario.machine);
}

}  // namespace rondo
