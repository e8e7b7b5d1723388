#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/file.hpp"
#include "base/time_per_byte.hpp"
#include "platform/routing.hpp"
#include "scenario/named_file.hpp"
#include "scenario/noise.hpp"
#include "scenario/read.hpp"
#include "scenario/words.hpp"

namespace rondo::scenario {
namespace {

std::string const kinds_with_ways = R"("dragonfly", "fat_tree", "hyperx", "dragonfly_plus", "slim_fly" or "graph")";

PlatformFile read_file(Place const& path) {
  std::string const file = named_file(path);
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) {
    throw path.error("expected the name of a SimGrid platform file, got " + shown(path.value) + ": no such file" +
                     nearest_file(file));
  }
  return PlatformFile{file};
}

Dragonfly read_dragonfly(Place const& topology) {
  Dragonfly machine;
  machine.groups = topology.value.value("groups", machine.groups);
  machine.chassis = topology.value.value("chassis", machine.chassis);
  machine.routers = topology.value.value("routers", machine.routers);
  machine.hosts_per_router = topology.value.value("hosts_per_router", machine.hosts_per_router);
  machine.cables = topology.value.value("cables", machine.cables);
  topology.checked([&] { check(machine); });
  return machine;
}

FatTree read_fat_tree(Place const& topology) {
  FatTree machine{topology["down"].integers(), topology["up"].integers(), {}};
  machine.parallel = topology.value.value("parallel", std::vector<int>(machine.down.size(), 1));
  int const levels = static_cast<int>(machine.down.size());
  if (topology.value.value("levels", levels) != levels) {
    throw topology["levels"].error(
        fmt::format("expected {}, the length of \"down\", got {}", levels, shown(topology["levels"].value)));
  }
  topology.checked([&] { check(machine); });
  return machine;
}

HyperX read_hyperx(Place const& topology) {
  HyperX machine{topology["dims"].integers(), topology.value.value("hosts_per_router", 1), {}};
  machine.cables = topology.value.value("cables", std::vector<int>(machine.dims.size(), 1));
  topology.checked([&] { check(machine); });
  return machine;
}

DragonflyPlus read_dragonfly_plus(Place const& topology) {
  DragonflyPlus machine;
  machine.groups = topology.value.value("groups", machine.groups);
  machine.leaves = topology.value.value("leaves", machine.leaves);
  machine.spines = topology.value.value("spines", machine.spines);
  machine.hosts_per_leaf = topology.value.value("hosts_per_leaf", machine.hosts_per_leaf);
  machine.cables = topology.value.value("cables", machine.cables);
  topology.checked([&] { check(machine); });
  return machine;
}

GraphMachine read_graph_machine(Place const& topology) {
  GraphMachine machine;
  machine.hosts = topology["hosts"].integer();
  machine.switches = topology.value.value("switches", 0);
  machine.directed = topology.value.value("directed", false);
  for (Json const& link : topology["links"].value) {
    machine.links.push_back({link[0].get<int>(), link[1].get<int>(), link.size() > 2 ? link[2].get<int>() : 1});
  }
  topology["links"].checked([&] { check(machine); });
  return machine;
}

MachineTopology read_topology(Place const& topology) {
  std::string const kind = topology["kind"].text();
  if (kind == "fully_connected") return FullyConnected{topology["hosts"].integer()};
  if (kind == "ring") return Ring{topology["hosts"].integer()};
  if (kind == "torus") return TorusMachine{read_torus(topology["dims"])};
  if (kind == "mesh") return MeshMachine{read_torus(topology["dims"])};
  if (kind == "dragonfly") return read_dragonfly(topology);
  if (kind == "fat_tree") return read_fat_tree(topology);
  if (kind == "hyperx") return read_hyperx(topology);
  if (kind == "dragonfly_plus") return read_dragonfly_plus(topology);
  if (kind == "slim_fly") {
    return topology.checked(
        [&] { return slim_fly(topology["q"].integer(), topology.value.value("hosts_per_router", 1)); });
  }
  if (kind == "graph") return read_graph_machine(topology);
  expects(kind == "file", "a reader for each kind of topology");
  return read_file(topology["path"]);
}

std::vector<std::string> read_lines(Place const& lines) {
  if (lines.value.is_string()) return {lines.text()};
  return lines.value.get<std::vector<std::string>>();
}

Placement read_placement(Place const& placement) {
  if (placement.value.is_array()) return ListPlacement{placement.integers()};
  if (placement.text() == "cyclic") return CyclicPlacement{};
  return BlockPlacement{};
}

std::vector<SizePiece> read_pieces(Place const& pieces) {
  std::vector<SizePiece> result;
  for (std::size_t i = 0; i < pieces.value.size(); ++i) {
    Place const piece{pieces.value[i], pieces.file, fmt::format("{}/{}", pieces.pointer, i)};
    result.push_back({piece["up_to"].unit(parse_bytes), piece["latency"].unit(parse_seconds),
                      piece["bandwidth"].unit(parse_bandwidth)});
  }
  return result;
}

void read_sharing(Platform& platform, Place const& machine) {
  platform.ranks_per_host = machine.value.value("ranks_per_host", platform.ranks_per_host);
  if (machine.has("placement")) platform.placement = read_placement(machine["placement"]);
  if (machine.has("intra_latency")) platform.intra_latency = machine["intra_latency"].unit(parse_seconds);
  if (machine.has("intra_bandwidth")) platform.intra_bandwidth = machine["intra_bandwidth"].unit(parse_bandwidth);
  if (machine.has("links") && machine["links"].text() == "shared") platform.links = LinkSharing::shared;
  if (machine.has("link_bandwidth")) platform.link_bandwidth = machine["link_bandwidth"].unit(parse_bandwidth);
}

Island read_island(Place const& island) {
  return {known_value<IslandKind>(island["kind"].text()), island["bandwidth"].unit(parse_bandwidth)};
}

/// The inside of hosts.
void read_hosts(Platform& platform, Place const& machine) {
  platform.nics = machine.value.value("nics", platform.nics);
  platform.nic_of = word_at(machine, "nic_of", platform.nic_of);
  if (machine.has("stripe_from")) platform.stripe_from = machine["stripe_from"].size();
  platform.rails = machine.value.value("rails", platform.rails);
  if (platform.rails && !machine.has("nics")) {
    throw machine["rails"].error(R"(expected false without "nics", of which each would have a network, got true)");
  }
  platform.nic_gap = machine.unit("nic_gap", parse_seconds, platform.nic_gap);
  if (machine.has("island")) platform.island = read_island(machine["island"]);
}

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

/// Which rules a topology has.
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

void read_routing(Platform& platform, Place const& machine) {
  platform.routing.rule = word_at(machine, "routing", platform.routing.rule);
  platform.routing.seed = machine.value.value("routing_seed", platform.routing.seed);
  if (machine.has("failed_links")) {
    platform.routing.failed = read_failed_links(platform.topology, machine["failed_links"]);
  }
  check_routing(platform, machine);
  if (platform.routing.rule == RoutingRule::ugal && platform.links == LinkSharing::unshared) {
    throw machine["routing"].error(
        "expected \"minimal\", \"valiant\" or \"ecmp\" where links are not shared and carry no load, got \"ugal\"");
  }
}

/// Every NIC, and every link of an island, is stored.
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

/// Latency and bandwidth are those of the machine, or both are the file's.
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

/// What does not go with the topology of the machine.
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

LogGp read_loggp(Place const& loggp) {
  return {.L = loggp["L"].unit(parse_seconds),
          .o = loggp["o"].unit(parse_seconds),
          .g = loggp["g"].unit(parse_seconds),
          .G = loggp["G"].unit(parse_seconds_per_byte),
          .O = loggp.unit("O", parse_seconds_per_byte, Seconds(0)),
          .S = loggp.unit("S", parse_bytes, Bytes(65535))};
}

FlowCosts read_flow(Place const& flow) {
  FlowCosts costs{.o_send = flow.unit("o_send", parse_seconds, Seconds(0)),
                  .o_recv = flow.unit("o_recv", parse_seconds, Seconds(0)),
                  .match = flow.unit("match", parse_seconds, Seconds(0)),
                  .eager = flow.unit("eager", parse_bytes, Bytes(0)),
                  .ack = flow.value.value("ack", true),
                  .handshake = flow.unit("handshake", parse_seconds, Seconds(0))};
  if (costs.eager > Bytes(std::int64_t{1} << 30)) {
    throw flow["eager"].error("expected a size of at most 1GiB, got " + shown(flow["eager"].value));
  }
  return costs;
}

/// What linear and flow timing know.
void read_wired_machine(Platform& platform, Place const& machine) {
  auto* file = std::get_if<PlatformFile>(&platform.topology);
  if (file != nullptr) file->own_numbers = !machine.has("latency") && !machine.has("bandwidth");
  platform.latency = machine.unit("latency", parse_seconds, platform.latency);
  platform.hop_latency = machine.unit("hop_latency", parse_seconds, platform.hop_latency);
  platform.bandwidth = machine.unit("bandwidth", parse_bandwidth, platform.bandwidth);
  platform.ports = machine.value.value("ports", platform.ports);
  if (machine.has("pieces")) {
    platform.pieces = read_pieces(machine["pieces"]);
    if (platform.timing != TimingModel::loggp) machine["pieces"].checked([&] { check_pieces(platform); });
  }
  if (machine.has("envelope")) platform.envelope = machine["envelope"].size();
  platform.poll = machine.unit("poll", parse_seconds, platform.poll);
  if (platform.poll <= Seconds(0)) {
    throw machine["poll"].error("expected more than 0s, since polling would end no wait, got " +
                                shown(machine["poll"].value));
  }
  read_sharing(platform, machine);
  read_hosts(platform, machine);
  read_routing(platform, machine);
}

/// What flow timing alone knows.
void read_costs(Platform& platform, Place const& machine) {
  if (machine.has("flow")) platform.flow = read_flow(machine["flow"]);
  platform.reduce = machine.unit("reduce", parse_seconds_per_byte, platform.reduce);
}

/// Reads the parameters of the machine's timing, and checks those of the others, which have no effect (effects.cpp).
void read_timing(Platform& platform, Place const& machine) {
  bool const loggp = platform.timing == TimingModel::loggp;
  if (loggp && std::holds_alternative<PlatformFile>(platform.topology)) {
    throw machine["timing"].error("expected \"linear\" on a SimGrid platform file, got \"loggp\"");
  }
  Platform idle = platform;
  if (machine.has("loggp")) (loggp ? platform : idle).loggp = read_loggp(machine["loggp"]);
  read_wired_machine(loggp ? idle : platform, machine);
  read_costs(platform.timing == TimingModel::flow ? platform : idle, machine);
}

}  // namespace

Platform read_machine(Place const& machine) {
  Platform platform;
  platform.topology = read_topology(machine["topology"]);
  platform.neighbors_only = machine.value.value("neighbors_only", platform.neighbors_only);
  if (machine.has("timing")) platform.timing = known_value<TimingModel>(machine["timing"].text());
  if (machine.has("source")) platform.source = read_lines(machine["source"]);
  read_timing(platform, machine);
  if (machine.has("noise")) platform.noise = read_noise(machine["noise"]);
  check_topology(platform, machine);
  check_sizes(platform, machine);
  return platform;
}

}  // namespace rondo::scenario
