// Inter-group all-to-all broadcast.

#include "theory/intergroup.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "engine/programs/library.hpp"
#include "generate/generate.hpp"
#include "run/families/answers.hpp"
#include "run/families/expression.hpp"
#include "run/families/neighbor.hpp"

namespace rondo {
namespace {

using scenario::Scenario;
using Problem = scenario::IntergroupAllgatherProblem;
using Algorithm = Problem::Algorithm;

bool on_ring(Problem const& problem) {
  return problem.algorithm != Algorithm::group_allgather && problem.algorithm != Algorithm::root_gathering;
}

/// The blocks of the senders: one size, or a list or expression of them in i, senders, receivers and m.
generate::BlockSizes sizes_of(Problem const& problem, Bytes block) {
  if (problem.sizes.expression.empty()) return {block, problem.sizes.list};
  std::vector<Bytes> each;
  Names names{{"m", block.value}, {"senders", problem.groups.senders()}, {"receivers", problem.groups.receivers()}};
  try {
    for (int i = 0; i < problem.groups.senders(); ++i) {
      names["i"] = i;
      each.push_back(size_from(evaluate(problem.sizes.expression, names).number, fmt::format("sender {}", i)));
    }
  } catch (InputError const& refused) {
    throw InputError(fmt::format("/collective/block_sizes: {}", refused.what()));
  }
  return {block, std::move(each)};
}

/// How many pieces each block is cut in, which the promise must know; empty: none is cut.
std::vector<int> pieces_of(Problem const& problem, generate::BlockSizes const& sizes) {
  switch (problem.algorithm) {
    case Algorithm::group_allgather:
      return generate::intergroup_group_allgather_pieces(problem.groups, sizes, problem.broadcast);
    case Algorithm::root_gathering:
      return generate::intergroup_root_gathering_pieces(problem.groups, sizes, problem.broadcast);
    case Algorithm::ring_sequences:
    case Algorithm::ring_allgather:
    case Algorithm::ring_optimal:
      return {};
  }
  throw ContractViolation("an algorithm of intergroup_allgather");
}

Schedule schedule_for(Problem const& problem, generate::BlockSizes const& sizes) {
  Groups const& groups = problem.groups;
  switch (problem.algorithm) {
    case Algorithm::group_allgather:
      return generate::intergroup_group_allgather(groups, sizes, problem.allgather, problem.broadcast);
    case Algorithm::root_gathering:
      return generate::intergroup_root_gathering(groups, sizes, problem.broadcast);
    case Algorithm::ring_sequences:
      return generate::intergroup_ring_sequences(
          groups, sizes, problem.printed ? generate::Reading::printed : generate::Reading::repaired);
    case Algorithm::ring_allgather:
      return generate::intergroup_ring_allgather(groups, sizes);
    case Algorithm::ring_optimal:
      return generate::intergroup_ring_optimal(groups, sizes);
  }
  throw ContractViolation("an algorithm of intergroup_allgather");
}

theory::IntergroupCounts counts_of(Problem const& problem, Bytes block) {
  switch (problem.algorithm) {
    case Algorithm::group_allgather:
      return theory::group_allgather(problem.groups, block, problem.allgather, problem.broadcast);
    case Algorithm::root_gathering:
      return theory::root_gathering(problem.groups, block, problem.broadcast);
    case Algorithm::ring_sequences:
      return theory::ring_sequences(problem.groups, block);
    case Algorithm::ring_allgather:
      return theory::ring_allgather(problem.groups, block);
    case Algorithm::ring_optimal:
      return theory::ring_optimal(problem.groups, block);
  }
  throw ContractViolation("an algorithm of intergroup_allgather");
}

/// Whether each message of the algorithm takes alpha + beta*m on this machine: along a ring, if the ranks that are
/// beside each other are on neighboring hosts.
bool cost_is_known(Problem const& problem, Platform const& machine) {
  if (!links_unshared(machine)) return false;
  if (distance_is_free(machine)) return true;
  if (!on_ring(problem)) return false;
  int const ranks = problem.groups.ranks();
  for (int r = 0; r < ranks; ++r) {
    if (!adjacent(machine, host_of(machine, Rank(r)), host_of(machine, Rank((r + 1) % ranks)))) return false;
  }
  return true;
}

/// The algorithms take the same rounds whatever the sizes of blocks; of what they carry there is no closed form.
Figures rounds_alone(Problem const& problem, Bytes block) {
  Figures figures;
  figures.rounds = counts_of(problem, block).rounds;
  return figures;
}

Figures closed_form(Problem const& problem, Scenario const& scenario) {
  // Nothing is predicted of Algorithm 3 as printed but that it fails.
  bool const fails = problem.algorithm == Algorithm::ring_sequences && problem.printed &&
                     problem.groups.senders() < problem.groups.receivers();
  if (fails) return {};
  if (!problem.sizes.empty()) return rounds_alone(problem, scenario.block);
  Platform const& machine = scenario.machine;
  theory::IntergroupCounts const counts = counts_of(problem, scenario.block);
  Figures figures;
  figures.rounds = counts.rounds;
  figures.critical_blocks = counts.critical_blocks;
  figures.total_blocks = counts.total_blocks;
  figures.received_blocks = counts.received_blocks;
  // Where ranks wait for each other in ways that the chains do not follow, theory has an upper bound only, which is no
  // prediction.
  if (counts.exact_time && cost_is_known(problem, machine)) {
    figures.time_s = theory::time(counts, machine.envelope, linear_cost(machine)).value;
  }
  return figures;
}

Figures bound_of(Problem const& problem, Scenario const& scenario) {
  int const ports = scenario.machine.ports;
  // The algorithms for the ring never combine blocks in a message.
  theory::IntergroupBounds const bounds =
      on_ring(problem) ? theory::intergroup_bounds_ring(problem.groups, ports, theory::RingMessages::of_one_block)
                       : theory::intergroup_bounds_any(problem.groups, ports);
  Figures figures;
  figures.rounds = bounds.rounds;
  if (!problem.sizes.empty()) return figures;
  figures.critical_blocks = bounds.critical_blocks;
  figures.total_blocks = static_cast<double>(bounds.total_blocks);
  figures.received_blocks = static_cast<double>(bounds.received_blocks);
  figures.time_s = theory::time_bound(bounds, scenario.block, ports, cheapest_cost(scenario.machine)).value;
  return figures;
}

/// Nothing is counted but what the simulation carried, and nothing is proved but what arrived.
Observed observed(Timing const& timing, Bytes block) {
  Observed all{.whole = timing, .time = timing.makespan, .messages = timing.messages};
  all.payload_verified = timing.payload_verified;
  if (timing.payload_verified) all.delivered = true;
  if (block > Bytes(0)) all.total_blocks = static_cast<double>(timing.bytes.value) / static_cast<double>(block.value);
  return all;
}

/// What the MPI library's collectives do is not foretold, but no schedule is below the bounds.
Plan library_plan(Problem const& problem, Scenario const& scenario) {
  LibraryIntergroup library{problem.groups, scenario.block};
  if (problem.algorithm == Algorithm::root_gathering) library.algorithm = LibraryIntergroup::Algorithm::root_gathering;
  library.selector = problem.selector;
  auto const run = [library](Platform const& machine, EngineOptions const& options) -> Outcome<Observed> {
    Outcome const outcome = simulate_library(library, machine, options);
    if (!outcome.result) return {std::nullopt, outcome.failure, outcome.error};
    return {observed(*outcome.result, library.block), {}, {}};
  };
  Prediction const prediction{{}, bound_of(problem, scenario), "any", false};
  return ProgramPlan{prediction, run};
}

}  // namespace

Plan plan_for(Problem const& problem, Scenario const& scenario) {
  if (problem.building_blocks == Problem::BuildingBlocks::mpi) return library_plan(problem, scenario);
  Prediction prediction{closed_form(problem, scenario), bound_of(problem, scenario), on_ring(problem) ? "unit" : "any",
                        links_unshared(scenario.machine)};
  if (on_ring(problem)) prediction.message_blocks = 1;
  generate::BlockSizes const sizes = sizes_of(problem, scenario.block);
  return SchedulePlan{IntergroupAllgather{problem.groups, pieces_of(problem, sizes)}, schedule_for(problem, sizes),
                      prediction};
}

template <>
void validate(Problem const& problem, Scenario const& scenario) {
  sizes_of(problem, scenario.block);
}

Names names_for(Problem const& problem, Scenario const& /*scenario*/) {
  return {{"senders", problem.groups.senders()}, {"receivers", problem.groups.receivers()}};
}

}  // namespace rondo
