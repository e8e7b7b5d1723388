// The table of keys that do not always have an effect (effects.hpp). Each row has a condition in code and the same
// condition as text for the user. The two must agree; tests sweep over keys and compare records.

#include "scenario/effects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "base/text.hpp"
#include "json/pointer.hpp"
#include "platform/routing.hpp"
#include "scenario/enum_names.hpp"
#include "scenario/kinds.hpp"
#include "scenario/task_files.hpp"

namespace rondo::scenario {
namespace {

using HasEffect = bool (*)(Scenario const&);
using Only = std::string (*)(Scenario const&);

/// A constant text in the form of an Only.
template <std::size_t n>
struct Text {
  char text[n];
  constexpr Text(char const (&given)[n]) { std::copy_n(given, n, text); }  // NOLINT: it is given as a literal
};
template <Text text>
std::string condition_text(Scenario const& /*scenario*/) {
  return text.text;
}

template <typename Family>
Family const* of(Scenario const& scenario) {
  return std::get_if<Family>(&scenario.problem);
}

/// `with the algorithms "chain", "knomial"`
std::string with_algorithms(std::vector<std::string> const& words) {
  return fmt::format("with the algorithm{} {}", words.size() == 1 ? "" : "s", quoted(words));
}
template <typename Algorithm>
std::string with_algorithms(std::initializer_list<Algorithm> algorithms) {
  return with_algorithms(enum_names_of(std::vector<Algorithm>(algorithms)));
}

// The machine.

bool is_timing(Scenario const& scenario, TimingModel timing) { return scenario.machine.timing == timing; }
bool is_loggp(Scenario const& scenario) { return is_timing(scenario, TimingModel::loggp); }
bool is_flow(Scenario const& scenario) { return is_timing(scenario, TimingModel::flow); }
bool is_wired(Scenario const& scenario) { return !is_loggp(scenario); }

bool has_hops(Scenario const& scenario) {
  return is_wired(scenario) && !std::holds_alternative<FullyConnected>(scenario.machine.topology);
}
bool has_links(Scenario const& scenario) { return is_wired(scenario) && link_ids(scenario.machine.topology) > 0; }
bool shares_links(Scenario const& scenario) {
  return has_links(scenario) && scenario.machine.links == LinkSharing::shared;
}
bool shares_hosts(Scenario const& scenario) { return is_wired(scenario) && scenario.machine.ranks_per_host > 1; }
bool places_matter(Scenario const& scenario) { return shares_hosts(scenario) || has_links(scenario); }
bool stripes(Scenario const& scenario) {
  return is_wired(scenario) && scenario.machine.nics > 1 && scenario.machine.nic_of == NicRule::striped;
}
bool uses_nics(Scenario const& scenario) {
  return is_wired(scenario) && (shares_hosts(scenario) || scenario.machine.nic_of == NicRule::striped);
}
bool has_nics(Scenario const& scenario) { return uses_nics(scenario) && scenario.machine.nics > 1; }
/// A network for each NIC matters only if its links are shared, or if ranks have different networks.
bool has_rails(Scenario const& scenario) {
  return has_nics(scenario) && (shares_links(scenario) || (shares_hosts(scenario) && !stripes(scenario)));
}
/// Under linear timing a rank never waits for a memory that is as fast as each message.
bool has_island(Scenario const& scenario) {
  if (!shares_hosts(scenario) || !scenario.machine.island) return false;
  Platform const& machine = scenario.machine;
  return machine.island->kind != IslandKind::memory || is_flow(scenario) ||
         machine.island->bandwidth < machine.intra_bandwidth.value_or(machine.bandwidth);
}
bool draws_routes(Scenario const& scenario) {
  return has_links(scenario) && scenario.machine.routing.rule != RoutingRule::minimal;
}
bool has_failed_links(Scenario const& scenario) {
  return has_links(scenario) && !scenario.machine.routing.failed.empty();
}

bool runs_program(Scenario const& scenario) { return of<problem::UserProgram>(scenario) != nullptr; }

/// Probes and tests take time only in programs that make them; sparse exchanges that wait make none.
bool polls(Scenario const& scenario) {
  if (is_loggp(scenario)) return false;
  problem::ExchangeWays const* const ways = exchange_ways(scenario.problem);
  return runs_program(scenario) || (ways != nullptr && ways->completion == problem::Completion::poll);
}

bool is_nbx(problem::ExchangeWays const& ways) {
  return ways.algorithm == problem::ExchangeAlgorithm::nbx || ways.algorithm == problem::ExchangeAlgorithm::nbx_tagged;
}
bool has_barriers(Scenario const& scenario) {
  problem::ExchangeWays const* const ways = exchange_ways(scenario.problem);
  return ways != nullptr && is_nbx(*ways);
}
bool sends_synchronously(Scenario const& scenario) {
  return is_flow(scenario) && (runs_program(scenario) || has_barriers(scenario));
}

/// Whether ranks may join blocks, for which flow timing charges the CPU.
bool joins(Scenario const& scenario) {
  if (!is_flow(scenario)) return false;
  if (auto const* classical = of<problem::Classical>(scenario)) {
    return rondo::reduces(classical->collective) && classical->collective != ClassicalCollective::barrier;
  }
  if (auto const* sparse = of<problem::SparseOnGraph>(scenario)) {
    return sparse->collective == SparseCollective::allreduce || sparse->collective == SparseCollective::reduce;
  }
  return of<problem::Custom>(scenario) != nullptr || of<problem::Workload>(scenario) != nullptr ||
         runs_program(scenario);
}

/// Whether there are calculations: in tasks, and in steps of workloads without noise of their own.
bool calculates(Scenario const& scenario) {
  if (auto const* custom = of<problem::Custom>(scenario)) return task_format(custom->schedule).has_value();
  auto const* workload = of<problem::Workload>(scenario);
  if (workload == nullptr || workload->has_tasks()) return workload != nullptr;
  auto const& noise_of_steps = scenario.machine.noise.of_steps;
  for (std::size_t step = 0; step < workload->steps.size(); ++step) {
    if (workload->steps[step].problems.empty() && (noise_of_steps.empty() || !noise_of_steps[step])) return true;
  }
  return false;
}

bool has_cpu_costs(Scenario const& scenario) { return is_flow(scenario) || is_loggp(scenario); }

/// Whether each replication draws new numbers.
bool draws_anew(Scenario const& scenario) {
  problem::ArrivalKind const kind = scenario.arrival.kind;
  bool const comes_at_random = kind == problem::ArrivalKind::uniform || kind == problem::ArrivalKind::normal ||
                               kind == problem::ArrivalKind::exponential;
  return scenario.replications == 1 || comes_at_random || scenario.machine.noise.any();
}

bool has_spread(Scenario const& scenario) { return scenario.arrival.kind != problem::ArrivalKind::none; }

/// A workload uses /block for steps that state no block.
bool reads_block(Scenario const& scenario) {
  if (of<problem::Workload>(scenario) == nullptr) return true;
  auto const any_reads = [](Json const& workload) {
    return std::ranges::any_of(workload["steps"],
                               [](Json const& step) { return step.contains("collective") && !step.contains("block"); });
  };
  Json const& whole = scenario.expanded["collective"];
  if (!whole.contains("jobs")) return any_reads(whole);
  return std::ranges::any_of(whole["jobs"],
                             [&](Json const& job) { return job.contains("workload") && any_reads(job["workload"]); });
}

/// Whether it is a schedule in rounds. Programs and tasks post messages in an order of their own.
bool has_rounds(Scenario const& scenario) {
  if (runs_program(scenario) || exchange_ways(scenario.problem) != nullptr) return false;
  if (auto const* custom = of<problem::Custom>(scenario)) return !task_format(custom->schedule);
  auto const* groups = of<problem::Intergroup>(scenario);
  return groups == nullptr || groups->building_blocks == problem::BuildingBlocks::schedule;
}

// Collectives on all ranks.

using Option = problem::ClassicalOption;

template <Option option>
bool is_read(Scenario const& scenario) {
  auto const* classical = of<problem::Classical>(scenario);
  return classical != nullptr && problem::reads(*classical, option);
}

bool is_hierarchical(Scenario const& scenario) {
  auto const* classical = of<problem::Classical>(scenario);
  return classical != nullptr && classical->algorithm == "hierarchical";
}

/// The text of the condition of an option: the algorithms that read it, from the catalogue.
template <Option option>
std::string by_readers(Scenario const& scenario) {
  problem::Kind const kind = problem::kind(scenario.problem);
  auto const collective = problem::classical_collective(kind);
  if (!collective) return "with an algorithm of Rondo's own";
  std::vector<std::string> words;
  for (problem::ClassicalAlgorithm const algorithm : problem::classical_algorithms(*collective)) {
    if (problem::reads(*collective, algorithm, option)) words.emplace_back(enum_name(algorithm));
  }
  return with_algorithms(words) +
         (option == Option::children ? R"( and without a "segment" that is smaller than the vector)" : "");
}

// Isomorphic collectives.

using IsoAlgorithm = problem::IsomorphicAlgorithm;

bool goes_by(Scenario const& scenario, std::initializer_list<IsoAlgorithm> algorithms) {
  auto const* problem = of<problem::Isomorphic>(scenario);
  return problem != nullptr && std::ranges::find(algorithms, problem->algorithm) != algorithms.end();
}

constexpr auto in_order = {IsoAlgorithm::dimension_wise, IsoAlgorithm::direct, IsoAlgorithm::parity,
                           IsoAlgorithm::steiner};
constexpr auto step_by_step = {IsoAlgorithm::dimension_wise, IsoAlgorithm::basis, IsoAlgorithm::parity,
                               IsoAlgorithm::steiner};

// Two groups.

using GroupAlgorithm = problem::IntergroupAlgorithm;

bool goes_by(Scenario const& scenario, std::initializer_list<GroupAlgorithm> algorithms) {
  auto const* problem = of<problem::Intergroup>(scenario);
  return problem != nullptr && problem->building_blocks == problem::BuildingBlocks::schedule &&
         std::ranges::find(algorithms, problem->algorithm) != algorithms.end();
}
bool lies_on_torus(Scenario const& scenario) {
  return of<problem::Intergroup>(scenario) == nullptr || goes_by(scenario, {GroupAlgorithm::torus_rings});
}
bool has_library(Scenario const& scenario) {
  auto const* problem = of<problem::Intergroup>(scenario);
  return problem != nullptr && problem->building_blocks == problem::BuildingBlocks::mpi;
}

constexpr auto gathering = {GroupAlgorithm::group_allgather, GroupAlgorithm::receiver_allgather};
constexpr auto broadcasting = {GroupAlgorithm::group_allgather, GroupAlgorithm::root_gathering};

// Process graphs and point clouds.

/// Whether the algorithm combines messages of common neighbors, and so reads their options.
bool combines(Scenario const& scenario) {
  if (auto const* neighbor = of<problem::Neighbor>(scenario)) {
    return neighbor->algorithm == problem::NeighborAlgorithm::common_neighbors;
  }
  auto const* sparse = of<problem::SparseOnGraph>(scenario);
  return sparse != nullptr && sparse->algorithm == problem::NeighborAlgorithm::common_neighbors;
}

bool has_box(Scenario const& scenario) {
  auto const* problem = of<problem::Bisection>(scenario);
  return problem != nullptr && problem->cloud.shape != CloudShape::coincident;
}

// The table.

constexpr Only without_loggp = condition_text<R"(with "timing": "linear" or "flow")">;
constexpr Only with_loggp = condition_text<R"(with "timing": "loggp")">;
constexpr Only with_flow = condition_text<R"(with "timing": "flow")">;
constexpr Only with_sharing = condition_text<R"(with "links": "shared" on a topology with links)">;
constexpr Only with_sharers = condition_text<R"(with more than 1 in "ranks_per_host")">;
constexpr Only with_combining = condition_text<R"(with the algorithm "common_neighbors")">;

struct Row {
  char const* pointer;
  HasEffect has_effect;
  Only only;
  bool by_timing = false;
};
constexpr bool by_timing = true;

constexpr Row rows[] = {
    {"/machine/latency", is_wired, without_loggp, by_timing},
    {"/machine/bandwidth", is_wired, without_loggp, by_timing},
    {"/machine/pieces", is_wired, without_loggp, by_timing},
    {"/machine/ports", is_wired, without_loggp, by_timing},
    {"/machine/envelope", is_wired, without_loggp, by_timing},
    {"/machine/ranks_per_host", is_wired, without_loggp, by_timing},
    {"/machine/links", is_wired, without_loggp, by_timing},
    {"/machine/routing", is_wired, without_loggp, by_timing},
    {"/machine/failed_links", is_wired, without_loggp, by_timing},
    {"/machine/failed_links/seed", has_failed_links, condition_text<R"(with a "fraction" by which links fail)">},
    {"/machine/hop_latency", has_hops, condition_text<"with such timing on a topology with links">},
    {"/machine/topology/cables", shares_links, with_sharing},
    {"/machine/topology/parallel", shares_links, with_sharing},
    {"/machine/link_bandwidth", shares_links, with_sharing},
    {"/machine/placement", places_matter,
     condition_text<R"(with several "ranks_per_host" or on a topology with links)">},
    {"/machine/intra_latency", shares_hosts, with_sharers},
    {"/machine/intra_bandwidth", shares_hosts, with_sharers},
    {"/machine/nics", uses_nics, condition_text<R"(with more than 1 in "ranks_per_host" or with "nic_of": "striped")">},
    {"/machine/nic_of", has_nics,
     condition_text<R"(with more than 1 in "nics", and in "ranks_per_host" or with "striped")">},
    {"/machine/stripe_from", stripes, condition_text<R"(with "nic_of": "striped" and more than 1 in "nics")">},
    {"/machine/rails", has_rails,
     condition_text<
         R"(with more than 1 in "nics", and with several "ranks_per_host" with different ones or with shared links)">},
    {"/machine/nic_gap", is_flow, with_flow, by_timing},
    {"/machine/island", has_island,
     condition_text<
         R"(with more than 1 in "ranks_per_host", and a "memory" with "timing": "flow" or below "intra_bandwidth")">},
    {"/machine/routing_seed", draws_routes,
     condition_text<R"(with "routing": "valiant", "ecmp" or "ugal", which draw routes)">},
    {"/machine/loggp", is_loggp, with_loggp, by_timing},
    {"/machine/flow", is_flow, with_flow, by_timing},
    {"/machine/flow/ack", sends_synchronously,
     condition_text<R"(with "timing": "flow" and synchronous sends, those of programs, "nbx" and "nbx_tagged")">},
    {"/machine/reduce", joins, condition_text<R"(with "timing": "flow" and a reduction)">},
    {"/machine/poll", polls, condition_text<R"(with a program, or sparse exchanges with "completion": "poll")">},
    {"/machine/disk", runs_program, condition_text<"with a program">},
    {"/block", reads_block, condition_text<R"(with a step that has a "collective" and no "block")">},
    {"/posting", has_rounds, condition_text<"with a schedule in rounds">},
    {"/machine/noise/cpu", has_cpu_costs, condition_text<R"(with "timing": "flow" or "loggp")">, by_timing},
    {"/machine/noise/compute", calculates, condition_text<R"(with a workload or a task file that has calculations)">},
    {"/replications", draws_anew, condition_text<R"(with "noise" or an "arrival" that is drawn)">},
    {"/arrival/spread", has_spread, condition_text<R"(with another "kind" than "none")">},
    {"/collective/hierarchy", is_hierarchical, condition_text<R"(with the algorithm "hierarchical")">},
    {"/collective/dimension_order", [](auto const& scenario) { return goes_by(scenario, in_order); },
     [](auto const&) { return with_algorithms(in_order); }},
    {"/collective/shortest_wrap", [](auto const& scenario) { return goes_by(scenario, step_by_step); },
     [](auto const&) { return with_algorithms(step_by_step); }},
    {"/collective/basis", [](auto const& scenario) { return goes_by(scenario, {IsoAlgorithm::basis}); },
     [](auto const&) { return with_algorithms({IsoAlgorithm::basis}); }},
    {"/collective/allgather", [](auto const& scenario) { return goes_by(scenario, gathering); },
     [](auto const&) { return with_algorithms(gathering) + R"( and "building_blocks": "schedule")"; }},
    {"/collective/broadcast", [](auto const& scenario) { return goes_by(scenario, broadcasting); },
     [](auto const&) { return with_algorithms(broadcasting) + R"( and "building_blocks": "schedule")"; }},
    {"/collective/torus", lies_on_torus, [](auto const&) { return with_algorithms({GroupAlgorithm::torus_rings}); }},
    {"/collective/selector", has_library, condition_text<R"(with "building_blocks": "mpi")">},
    {"/collective/theta", combines, with_combining},
    {"/collective/tie", combines, with_combining},
    {"/collective/suitors", combines, with_combining},
    {"/collective/half", combines, with_combining},
    {"/collective/cumulative", combines, with_combining},
    {"/collective/persistent", combines, with_combining},
    {"/collective/build_cost", combines, with_combining},
    {"/collective/setup", combines, with_combining},
    {"/collective/barrier", has_barriers, condition_text<R"(with the algorithms "nbx", "nbx_tagged")">},
    {"/collective/box", has_box, condition_text<R"(with "cloud": "uniform" or "clustered")">},
};

constexpr std::string_view of_promise = "/collective/promise";

/// The pointer in a promise, which may have the keys of its collective; empty for other keys.
std::string in_promise(std::string_view pointer) {
  constexpr std::string_view collective = "/collective/";
  if (!pointer.starts_with(collective)) return "";
  return fmt::format("{}/{}", of_promise, pointer.substr(collective.size()));
}

/// The options of collectives on all ranks, which have an effect where the catalogue of algorithms says so.
template <std::size_t... n>
std::vector<ConditionalKey> option_keys(std::index_sequence<n...> /*options*/) {
  return {{"/collective/" + enum_name(Option{n}), is_read<Option{n}>, by_readers<Option{n}>}...};
}

}  // namespace

/// The rows, the options of the catalogue, and again those keys that a promise has too, below "/collective/promise".
std::vector<ConditionalKey> const& conditional_keys() {
  static std::vector<ConditionalKey> const keys = [] {
    std::vector<ConditionalKey> all;
    for (Row const& row : rows) all.push_back({row.pointer, row.has_effect, row.only, row.by_timing});
    for (ConditionalKey& key : option_keys(std::make_index_sequence<enum_names<Option>.size()>())) {
      all.push_back(std::move(key));
    }
    for (std::size_t i = 0, n = all.size(); i < n; ++i) {
      std::string pointer = in_promise(all[i].pointer);
      if (!pointer.empty()) all.push_back({std::move(pointer), all[i].has_effect, all[i].only});
    }
    for (ConditionalKey& key : all) key.tokens = split(key.pointer);
    return all;
  }();
  return keys;
}

}  // namespace rondo::scenario
