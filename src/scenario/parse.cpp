// Makes a Scenario of an expanded point: reads the machine and the problem, and checks whether they fit each other and
// the engine. Whatever passes here can be planned; later stages refuse only what needs a graph or a program.

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/file.hpp"
#include "base/text.hpp"
#include "scenario/arrival_and_noise.hpp"
#include "scenario/enum_names.hpp"
#include "scenario/graph_source.hpp"
#include "scenario/load.hpp"
#include "scenario/permitted_input.hpp"
#include "scenario/read.hpp"
#include "scenario/validate.hpp"

namespace rondo::scenario {
namespace {

/// "8 x 6 x 10 = 480"
std::string product(Torus const& torus) { return fmt::format("{} = {}", listed(torus.extents(), " x "), torus.size()); }

/// Where a problem states its number of ranks, and the text for errors that names the number. The ranks of a torus must
/// fill the machine, those of other problems need not.
struct StatedRanks {
  char const* place;
  std::string text;
  bool fill_machine = false;
};

StatedRanks stated_ranks(Torus const& torus) {
  return {"/collective/torus", torus.dimensions() > 1 ? product(torus) : std::to_string(torus.size()), true};
}
StatedRanks stated_ranks(Groups const& groups) {
  return {"/collective",
          fmt::format("{} senders + {} receivers = {}", groups.senders(), groups.receivers(), groups.ranks())};
}
StatedRanks stated_ranks(problem::GraphSource const& graph) {
  return {"/collective/graph", std::to_string(ranks(graph))};
}
StatedRanks stated_ranks(problem::Isomorphic const& problem) { return stated_ranks(problem.torus); }
StatedRanks stated_ranks(problem::Intergroup const& problem) { return stated_ranks(problem.groups); }
StatedRanks stated_ranks(problem::SparseExchange const& problem) {
  return {"/collective/pattern", std::to_string(ranks(problem.pattern))};
}
StatedRanks stated_ranks(problem::Custom const& problem) {
  return {problem.promise ? "/collective/promise" : "/collective/ranks", std::to_string(problem.ranks)};
}
/// A problem without a case of its own states its ranks in its graph or in /collective/ranks.
StatedRanks stated_ranks(auto const& problem) {
  if constexpr (requires { problem.graph; }) {
    return stated_ranks(problem.graph);
  } else {
    return {"/collective/ranks", std::to_string(problem.ranks)};
  }
}

/// The first line of a file that names a rank past `most`, in brackets.
std::string line_past(std::int64_t most, Scenario const& scenario, std::string const& file) {
  Json const& collective = scenario.expanded["collective"];
  for (std::string const part : {"graph", "pattern"}) {
    if (!collective.contains(part) || !collective[part].contains("path") || collective[part].contains("ranks"))
      continue;
    try {
      read_graph(named_file({collective[part]["path"], file, "/collective/" + part + "/path"}), static_cast<int>(most));
    } catch (InputError const& error) {
      return fmt::format(" ({})", error.what());
    }
  }
  return "";
}

/// Throws unless the problem has as many ranks as the machine, or at most as many if its kind may leave hosts idle.
void expect_hosts(Scenario const& scenario, std::string const& file) {
  std::int64_t const ranks_of_machine = ranks(scenario.machine);
  std::int64_t const p = ranks(scenario.problem);
  if (ranks_of_machine == 0 || p == ranks_of_machine) return;
  StatedRanks const stated = std::visit([](auto const& problem) { return stated_ranks(problem); }, scenario.problem);
  if (p < ranks_of_machine && !stated.fill_machine) return;
  int const each = scenario.machine.ranks_per_host;
  std::string const where =
      each == 1 ? "one for each host of /machine/topology"
                : fmt::format("{} on each of the {} hosts of /machine/topology", each, hosts(scenario.machine));
  throw error_at(file, stated.place,
                 fmt::format("expected {}{} ranks, {}, got {}{}", stated.fill_machine ? "" : "at most ",
                             ranks_of_machine, where, stated.text, line_past(ranks_of_machine, scenario, file)));
}

/// Checks a program of library collectives: the machine must let any two ranks talk, and only SMPI runs it.
void expect_library_fits(Scenario const& scenario, std::string const& file) {
  auto const* problem = std::get_if<problem::Intergroup>(&scenario.problem);
  if (problem == nullptr || problem->building_blocks != problem::BuildingBlocks::mpi) return;
  if (!has_building_blocks(problem->algorithm)) {
    throw error_at(file, "/collective/building_blocks",
                   fmt::format("expected \"schedule\" for \"{}\", got \"mpi\"", algorithm(scenario.problem)));
  }
  if (scenario.expanded["collective"].contains("block_sizes")) {
    throw error_at(file, "/collective/block_sizes",
                   "expected no \"block_sizes\" for building blocks of MPI, got " +
                       shown(scenario.expanded["collective"]["block_sizes"]));
  }
  if (scenario.engine != Engine::smpi) {
    throw error_at(file, "/engine",
                   fmt::format("expected \"smpi\" for building blocks of MPI, got \"{}\"", to_string(scenario.engine)));
  }
  if (scenario.machine.neighbors_only) {
    throw error_at(file, "/machine/neighbors_only", "expected false for building blocks of MPI, got true");
  }
  // SMPI's MPI_Bcast of ompi divides by the number of bytes if 2 or 3 ranks broadcast 0 bytes.
  if (problem->selector == "ompi" && scenario.block == Bytes(0)) {
    throw error_at(file, "/block",
                   "expected a size of at least 1B for the collectives of \"ompi\", which in SMPI cannot broadcast "
                   "nothing, got " +
                       shown(scenario.expanded["block"]));
  }
}

/// Refuses keys about going around the ends if a dimension is not closed.
void expect_mesh_fits(Scenario const& scenario, std::string const& file) {
  auto const* problem = std::get_if<problem::Isomorphic>(&scenario.problem);
  if (problem == nullptr || problem->boundary == Boundary::periodic) return;
  bool const stated = scenario.expanded["collective"].contains("periodic");
  auto const algorithms = mesh_algorithms(problem->collective);
  if (std::find(algorithms.begin(), algorithms.end(), problem->algorithm) == algorithms.end()) {
    throw error_at(file, "/algorithm",
                   fmt::format("expected one of \"{}\" {}, got \"{}\"", listed(enum_names_of(algorithms), "\", \""),
                               stated ? "where a dimension does not close (/collective/periodic)" : "on a \"mesh\"",
                               enum_name(problem->algorithm)));
  }
  if (problem->shortest_wrap && std::holds_alternative<MeshMachine>(scenario.machine.topology)) {
    throw error_at(file, "/collective/shortest_wrap", "expected false on a \"mesh\", got true");
  }
}

/// All points of a part may come from one rank in one message, which an int counts.
void expect_parts_fit(problem::Bisection const& problem, Scenario const& scenario, std::string const& file) {
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  constexpr std::int64_t bytes_of_point = sizeof(CloudPoint) + sizeof(std::int64_t);  // a point, and its number
  std::int64_t const of_part = (problem.cloud.points + problem.ranks - 1) / problem.ranks;
  if (of_part == 0 || scenario.block.value <= most / of_part - bytes_of_point) return;
  throw error_at(file, "/block",
                 fmt::format("expected a size with which {} points, a rank's part, fit into a message of {} bytes with "
                             "{} more each: at most {}, got {}",
                             of_part, most, bytes_of_point, std::max<std::int64_t>(most / of_part - bytes_of_point, 0),
                             shown(scenario.expanded["block"])));
}

/// An int counts the bytes of a message of a sparse exchange.
void expect_sparse_sizes(Scenario const& scenario, std::string const& file) {
  if (exchange_ways(scenario.problem) == nullptr) return;
  constexpr Bytes largest{std::int64_t{1} << 30};
  if (scenario.block > largest) {
    throw error_at(file, "/block",
                   "expected a size of at most 1GiB for a message, got " + shown(scenario.expanded["block"]));
  }
  if (auto const* cloud = std::get_if<problem::Bisection>(&scenario.problem)) expect_parts_fit(*cloud, scenario, file);
  auto const* problem = std::get_if<problem::SparseExchange>(&scenario.problem);
  if (problem == nullptr || !problem->largest_block ||
      (*problem->largest_block >= scenario.block && *problem->largest_block <= largest))
    return;
  throw error_at(file, "/collective/largest_block",
                 fmt::format("expected a size from /block, {}, to 1GiB, got {}", print(scenario.block),
                             shown(scenario.expanded["collective"]["largest_block"])));
}

/// The messages of a dynamic program are known only after it has run, which needs SMPI.
void expect_program_engine(Scenario const& scenario, std::string const& file) {
  bool const is_program = std::holds_alternative<problem::UserProgram>(scenario.problem);
  if (!is_program && exchange_ways(scenario.problem) == nullptr) return;
  if (scenario.engine == Engine::native) {
    throw error_at(file, "/engine", "expected \"smpi\", which runs programs, got \"native\"");
  }
  if (scenario.payload == Payload::timing) {
    throw error_at(file, "/payload", "expected \"automatic\" or \"verified\" for a program, got \"timing\"");
  }
  if (is_program && scenario.payload == Payload::verified) {
    throw error_at(file, "/payload", "expected \"automatic\", since a program checks its own data, got \"verified\"");
  }
  if (scenario.machine.neighbors_only) {
    char const* const who = is_program ? "nobody checks whom a program talks to" : "barriers talk past neighbors";
    throw error_at(file, "/machine/neighbors_only", fmt::format("expected false, since {}, got true", who));
  }
}

/// The ranks of a benchmark leave a barrier together, so they have no arrival times.
void expect_arrival_fits(Scenario const& scenario, std::string const& file) {
  auto const* classical = std::get_if<problem::Classical>(&scenario.problem);
  bool const benchmark = classical != nullptr && classical->benchmark;
  if (!benchmark || scenario.arrival.kind == problem::ArrivalKind::none) return;
  throw error_at(
      file, "/arrival/kind",
      fmt::format("expected \"none\" with \"benchmark\": true, got \"{}\"", enum_name(scenario.arrival.kind)));
}

/// Noise needs work that is known before anything runs.
void expect_noise_fits(Scenario const& scenario, std::string const& file) {
  if (!scenario.machine.noise.any()) return;
  auto const* groups = std::get_if<problem::Intergroup>(&scenario.problem);
  bool const library = groups != nullptr && groups->building_blocks == problem::BuildingBlocks::mpi;
  bool const program = std::holds_alternative<problem::UserProgram>(scenario.problem);
  if (!library && !program && exchange_ways(scenario.problem) == nullptr) return;
  throw error_at(file, "/machine/noise",
                 fmt::format("expected nothing, since noise is for schedules and \"{}\" runs a program{}, got {}",
                             enum_name(kind(scenario.problem)), library ? " with \"building_blocks\": \"mpi\"" : "",
                             shown(scenario.expanded["machine"]["noise"])));
}

/// The messages of a barrier are empty.
void expect_barrier_fits(Scenario const& scenario, std::string const& file) {
  problem::Kind const asked = kind(scenario.problem);
  bool const barrier = asked == problem::Kind::sparse_barrier || asked == problem::Kind::barrier;
  if (!barrier || scenario.block == Bytes(0)) return;
  throw error_at(file, "/block", "expected \"0B\" for a barrier, got " + shown(scenario.expanded["block"]));
}

/// Refuses combinations of workloads that no engine has.
void expect_workload_fits(Scenario const& scenario, std::string const& file) {
  if (!std::holds_alternative<problem::Workload>(scenario.problem)) return;
  if (std::holds_alternative<PlatformFile>(scenario.machine.topology) && scenario.engine == Engine::smpi) {
    throw error_at(file, "/engine", R"(expected "native" for a workload on a platform file, got "smpi")");
  }
  if (scenario.payload == Payload::verified) {
    throw error_at(file, "/payload", R"(expected "automatic" or "timing" for a workload, got "verified")");
  }
}

/// Refuses a machine that the engine cannot simulate, and payload on the engine that moves none.
void expect_engine_fits(Scenario const& scenario, std::string const& file) {
  std::string const misfit = engine_misfit(scenario.engine, scenario.machine);
  if (!misfit.empty()) {
    bool const is_named = scenario.expanded.contains("engine");
    throw error_at(file, "/engine", misfit + (is_named ? "" : ", the default where none is named"));
  }
  if (scenario.engine != Engine::native) return;
  if (scenario.payload == Payload::verified) {
    throw error_at(file, "/payload",
                   "expected \"automatic\" or \"timing\" with the engine \"native\", which moves no payload, got "
                   "\"verified\"");
  }
}

/// Reads all keys; their combinations are checked afterwards.
Scenario read_expanded(Json const& expanded, std::string const& file) {
  Place const root{expanded, file, ""};
  Platform const machine = read_machine(root["machine"]);
  Bytes const block = root.has("block") ? root["block"].size() : Bytes(0);
  auto const seed = expanded.value("seed", std::uint64_t{1});
  Scenario scenario{
      .title = expanded.value("title", ""),
      .source = expanded.value("source", ""),
      .machine = machine,
      .problem = read_problem({root, expanded.value("algorithm", ""), block, seed, machine}),
      .block = block,
      .seed = seed,
      .expanded = expanded,
  };
  scenario.engine = word_at(root, "engine", scenario.engine);
  scenario.payload = word_at(root, "payload", scenario.payload);
  scenario.posting = word_at(root, "posting", scenario.posting);
  if (auto const* workload = std::get_if<problem::Workload>(&scenario.problem); workload && workload->has_jobs()) {
    scenario.machine.placement = ListPlacement{workload->host_of};
  }
  if (std::holds_alternative<problem::Workload>(scenario.problem)) {
    scenario.machine.noise.of_steps = read_noise_of_steps(root["collective"]);
  }
  if (root.has("arrival")) scenario.arrival = read_arrival(root["arrival"], ranks(scenario.problem));
  scenario.replications = expanded.value("replications", scenario.replications);
  expect_hosts(scenario, file);
  expect_arrival_fits(scenario, file);
  expect_noise_fits(scenario, file);
  expect_workload_fits(scenario, file);
  expect_library_fits(scenario, file);
  expect_mesh_fits(scenario, file);
  expect_engine_fits(scenario, file);
  expect_program_engine(scenario, file);
  expect_sparse_sizes(scenario, file);
  expect_barrier_fits(scenario, file);
  return scenario;
}

/// Parses a point. Files that are opened meanwhile, or named to be opened later, belong to the point.
Scenario parse_expanded(Json const& expanded, std::string const& file) {
  InputsRead read;
  Scenario scenario = read_expanded(expanded, file);
  scenario.inputs = read.inputs();
  scenario.expanded = with_input_states(with_checksums(expanded, file), scenario.inputs, file);
  return scenario;
}

/// " (point 3: /block = \"1B\")", so that a wrong value is found among many. An error at the first point usually
/// belongs to the scenario itself.
std::string where(Point const& point) {
  if (point.number == 1) return "";
  std::string axes;
  for (auto const& [pointer, value] : point.axes) {
    axes += fmt::format("{}{} = {}", axes.empty() ? "" : ", ", excerpt(pointer), shown(value));
  }
  constexpr std::size_t longest = 200;
  return fmt::format(" (point {}: {})", point.number, excerpt(axes, longest));
}

}  // namespace

std::string to_string(Engine engine) { return enum_name(engine); }
std::string to_string(Payload payload) { return enum_name(payload); }
std::string to_string(TimingModel timing) { return enum_name(timing); }

std::string engine_misfit(Engine engine, Platform const& machine) {
  if (engine == Engine::native || machine.timing != TimingModel::loggp) return "";
  return fmt::format("expected \"native\" on a machine with \"loggp\" timing, got \"{}\"", to_string(engine));
}

Scenario parse(Point const& point, std::string const& file) {
  try {
    validate(point.expanded, file, Extent::whole);
  } catch (PlacedError const& refused) {
    throw PlacedError(refused.what() + where(point), refused.pointer());
  }
  return parse_again(point, file);
}

/// As parse(), without the schema: the point has passed it before.
Scenario parse_again(Point const& point, std::string const& file) {
  try {
    return parse_expanded(point.expanded, file);
  } catch (PlacedError const& refused) {
    throw PlacedError(refused.what() + where(point), refused.pointer());
  } catch (InputError const& refused) {
    throw InputError(refused.what() + where(point));
  }
}

}  // namespace rondo::scenario
