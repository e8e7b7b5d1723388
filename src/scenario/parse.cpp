#include <fmt/format.h>

#include "scenario/read.hpp"
#include "scenario/validate.hpp"
#include "scenario/words.hpp"

namespace rondo::scenario {
namespace {

/// "8 x 6 x 10 = 480"
std::string product(Torus const& torus) {
  return fmt::format("{} = {}", fmt::join(torus.extents(), " x "), torus.size());
}

void expect_hosts(Scenario const& scenario, std::string const& file) {
  std::int64_t const known = ranks(scenario.machine);
  if (known == 0 || known == ranks(scenario.problem)) return;
  int const each = scenario.machine.ranks_per_host;
  std::string const where =
      each == 1 ? "one for each host of /machine/topology"
                : fmt::format("{} on each of the {} hosts of /machine/topology", each, hosts(scenario.machine));
  auto const& torus = std::get<IsomorphicAlltoallProblem>(scenario.problem).torus;
  throw error_at(file, "/collective/torus",
                 fmt::format("expected {} ranks, {}, got {}", known, where,
                             torus.dimensions() > 1 ? product(torus) : std::to_string(torus.size())));
}

void expect_engine_fits(Scenario const& scenario, std::string const& file) {
  if (scenario.engine != Engine::native) return;
  if (std::holds_alternative<PlatformFile>(scenario.machine.topology)) {
    throw error_at(file, "/engine", "expected \"smpi\" on a machine that is a SimGrid platform file, got \"native\"");
  }
  if (shares_bandwidth(scenario.machine)) {
    throw error_at(file, "/engine",
                   fmt::format("expected \"smpi\" on a machine with {}, got \"native\"",
                               scenario.machine.ranks_per_host > 1 ? "several ranks on a host" : "shared links"));
  }
  if (scenario.payload == Payload::verified) {
    throw error_at(file, "/payload",
                   "expected \"automatic\" or \"timing\" with the engine \"native\", which moves no payload, got "
                   "\"verified\"");
  }
}

/// Larger than any block, and small enough for the bytes of all messages to be counted in 64 bits.
constexpr Bytes largest_block{std::int64_t{1} << 40};

Bytes read_block(Place const& block) {
  Bytes const size = block.unit(parse_bytes);
  if (size > largest_block) throw block.error("expected a size of at most 1TiB, got " + shown(block.value));
  return size;
}

Scenario parse_expanded(Json const& expanded, std::string const& file) {
  validate(expanded, file, Extent::whole);
  Place const root{expanded, file, ""};
  Scenario scenario{
      .title = expanded.value("title", ""),
      .source = expanded.value("source", ""),
      .machine = read_machine(root["machine"]),
      .problem = read_problem(root["collective"], root["algorithm"]),
      .block = read_block(root["block"]),
      .expanded = expanded,
  };
  if (root.has("engine")) scenario.engine = value_of(engines, root["engine"].text());
  if (root.has("payload")) scenario.payload = value_of(payloads, root["payload"].text());
  scenario.seed = expanded.value("seed", scenario.seed);
  expect_hosts(scenario, file);
  expect_engine_fits(scenario, file);
  return scenario;
}

/// " (point 3: /block = \"1B\")", so that a wrong value is found among many. What is wrong at the first point is mostly
/// wrong in the scenario itself.
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

Scenario parse(Point const& point, std::string const& file) {
  try {
    return parse_expanded(point.expanded, file);
  } catch (InputError const& refused) {
    throw InputError(refused.what() + where(point));
  }
}

}  // namespace rondo::scenario
