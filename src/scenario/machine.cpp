// Reads machines: the table of keys (machine_keys.cpp) and what it cannot express, such as links that must exist,
// placements that must fit the hosts, and keys that another timing model does not use.

#include <fmt/format.h>

#include <algorithm>

#include "platform/routing.hpp"
#include "scenario/machine.hpp"

namespace rondo::scenario {

namespace {

std::string const kinds_with_ways = R"("dragonfly", "fat_tree", "hyperx", "dragonfly_plus", "slim_fly" or "graph")";

/// The links without which the machine runs: pairs of routers, or a fraction that is drawn by a seed. Throws InputError
/// if hosts can no longer reach each other.
std::vector<LinkId> read_failed_links(MachineTopology const& topology, Place const& failed) {
  return failed.checked([&] {
    if (link_ids(topology) == 0) {
      throw InputError("expected nothing on a topology without links that Rondo knows, got " + shown(failed.value));
    }
    std::vector<LinkId> const links = failed.value.is_array()
                                          ? links_between(topology, failed.value.get<std::vector<std::vector<int>>>())
                                          : some_links(topology, failed["fraction"].value.get<double>(),
                                                       failed.value.value("seed", std::uint64_t{0}));
    check_joined(topology, links);
    return links;
  });
}

/// Checks that the topology has the routing rule.
void check_routing(Platform const& platform, Place const& machine) {
  RoutingRule const rule = platform.routing.rule;
  if (rule == RoutingRule::minimal) return;
  bool const one_way = std::visit(
      [](auto const& topology) {
        using Kind = std::decay_t<decltype(topology)>;
        return std::is_same_v<Kind, FullyConnected> || std::is_same_v<Kind, Ring> ||
               std::is_same_v<Kind, TorusMachine> || std::is_same_v<Kind, MeshMachine> ||
               std::is_same_v<Kind, PlatformFile>;
      },
      platform.topology);
  if (one_way) {
    throw machine["routing"].error("expected \"minimal\" on a topology that is no " + kinds_with_ways + ", got " +
                                   shown(machine["routing"].value));
  }
  if (std::holds_alternative<GraphMachine>(platform.topology) && rule != RoutingRule::ecmp) {
    throw machine["routing"].error("expected \"minimal\" or \"ecmp\" on a topology that is a \"graph\", got " +
                                   shown(machine["routing"].value));
  }
}

/// Checks the number of NICs and of links of islands, because each of them is stored.
void check_sizes(Platform const& platform, Place const& machine) {
  constexpr std::int64_t most = 16777216;
  std::int64_t const n = platform.ranks_per_host;
  auto const check = [&](char const* key, char const* what, std::int64_t each) {
    if (each <= most / std::max(1, hosts(platform))) return;
    throw machine[key].error(
        fmt::format("expected at most {} {} on all hosts, got {}", most, what, shown(machine[key].value)));
  };
  if (machine.has("nics")) check("nics", "NICs", platform.nics);
  if (platform.island && platform.island->kind == IslandKind::links) check("island", "links", n * n);
}

/// Checks that latency and bandwidth are both the machine's, or both the file's.
void check_file_numbers(Platform const& platform, Place const& machine) {
  if (!has_file_numbers(platform)) {
    if (machine.has("latency") && machine.has("bandwidth")) return;
    throw machine.error(fmt::format(
        "expected \"latency\" and \"bandwidth\", or neither, which are then the platform file's, got \"{}\" alone",
        machine.has("latency") ? "latency" : "bandwidth"));
  }
  for (char const* key : {"pieces", "intra_latency", "intra_bandwidth"}) {
    if (!machine.has(key)) continue;
    throw machine[key].error(
        "expected nothing on a platform file without \"latency\" and \"bandwidth\", whose numbers are its own, got " +
        shown(machine[key].value));
  }
}

/// Refuses keys that do not fit the topology of the machine.
void check_topology(Platform const& platform, Place const& machine) {
  if (std::holds_alternative<PlatformFile>(platform.topology)) {
    auto const refuse = [&](char const* key, char const* accepted) {
      throw machine[key].error(
          fmt::format("expected {} with a platform file, got {}", accepted, shown(machine[key].value)));
    };
    if (platform.hop_latency > Seconds(0)) refuse("hop_latency", "\"0s\" or nothing, since hops are not known,");
    if (platform.ranks_per_host > 1) refuse("ranks_per_host", "1, a rank on each host,");
    if (platform.nics > 1) refuse("nics", "1, the first link of each host's routes,");
    if (machine.has("links") && platform.links == LinkSharing::unshared) refuse("links", "\"shared\" or nothing");
    if (!std::holds_alternative<BlockPlacement>(platform.placement)) refuse("placement", "\"block\" or nothing");
    check_file_numbers(platform, machine);
  } else if (machine.has("placement")) {
    machine["placement"].checked([&] { check_placement(platform); });
  }
  bool const has_neighbors = std::holds_alternative<Ring>(platform.topology) ||
                             std::holds_alternative<TorusMachine>(platform.topology) ||
                             std::holds_alternative<MeshMachine>(platform.topology);
  if (platform.neighbors_only && !has_neighbors) {
    throw machine["neighbors_only"].error(
        "expected false on a topology that is no \"ring\", \"torus\" or \"mesh\", got true");
  }
}

/// Reads failed links and routes, which depend on the topology.
void finish_routing(Platform& platform, Place const& machine) {
  if (machine.has("failed_links")) {
    platform.routing.failed = read_failed_links(platform.topology, machine["failed_links"]);
  }
  check_routing(platform, machine);
  if (platform.routing.rule == RoutingRule::ugal && platform.links == LinkSharing::unshared) {
    throw machine["routing"].error(
        "expected \"minimal\", \"valiant\" or \"ecmp\" where links are not shared and carry no load, got \"ugal\"");
  }
}

/// Makes the checks that apply under every timing model, whether the key has an effect there or not.
void finish_wires(Platform& platform, Place const& machine) {
  auto* file = std::get_if<PlatformFile>(&platform.topology);
  if (file != nullptr) file->own_numbers = !machine.has("latency") && !machine.has("bandwidth");
  if (machine.has("pieces") && platform.timing != TimingModel::loggp) {
    machine["pieces"].checked([&] { check_pieces(platform); });
  }
  if (platform.poll <= Seconds(0)) {
    throw machine["poll"].error("expected more than 0s, since polling would end no wait, got " +
                                shown(machine["poll"].value));
  }
  if (platform.rails && !machine.has("nics")) {
    throw machine["rails"].error(R"(expected false without "nics", of which each would have a network, got true)");
  }
  finish_routing(platform, machine);
}

/// The machine without the parameters of other timing models than its own, which have no effect (effects.cpp).
Platform under_its_timing(Platform stated) {
  if (stated.timing == TimingModel::loggp) {
    Platform platform;
    platform.topology = std::move(stated.topology);
    platform.neighbors_only = stated.neighbors_only;
    platform.timing = stated.timing;
    platform.source = std::move(stated.source);
    platform.loggp = stated.loggp;
    platform.noise = std::move(stated.noise);
    return platform;
  }
  stated.loggp = {};
  if (stated.timing == TimingModel::flow) return stated;
  stated.flow = {};
  stated.reduce = Seconds(0);
  return stated;
}

}  // namespace

/// Reads a machine. Keys of other timing models are dropped, so that two machines that behave alike are equal.
Platform read_machine(Place const& machine) {
  Platform stated;
  read_keys(machine_keys(), machine, stated);
  if (stated.timing == TimingModel::loggp && std::holds_alternative<PlatformFile>(stated.topology)) {
    throw machine["timing"].error("expected \"linear\" on a SimGrid platform file, got \"loggp\"");
  }
  finish_wires(stated, machine);
  Platform platform = under_its_timing(std::move(stated));
  check_topology(platform, machine);
  check_sizes(platform, machine);
  return platform;
}

}  // namespace rondo::scenario
