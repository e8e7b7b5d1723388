// Describes a machine in sentences for `rondo machine`: its shape, its links and its hosts, with the bandwidth over
// cuts in proportion to that of the hosts.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "platform/platform.hpp"
#include "platform/regular.hpp"

namespace rondo {
namespace {

/// How much a host can send at a time, in bytes per second: the sum of its NICs, as far as its ranks use them.
double sent_by_host(Platform const& platform) {
  int const used = platform.nic_of == NicRule::striped ? platform.nics
                                                       : std::min(platform.nics, std::max(1, platform.ranks_per_host));
  return used * platform.ports * platform.bandwidth.value;
}

/// How much a cable carries in one direction, in bytes per second: the sum over the copies of the network if each NIC
/// has its own (rails).
double carried_by_cable(Platform const& platform) {
  return platform.link_bandwidth.value_or(platform.bandwidth).value * (platform.rails ? platform.nics : 1);
}

/// A line "
/// CABLES carry 50 % of what HOSTS can send". It is empty if links are not shared, and under LogGP, whose model has no
/// links.
std::string share(Platform const& platform, std::string const& what, double cables, double hosts_behind,
                  std::string const& whose) {
  if (platform.links != LinkSharing::shared || platform.timing == TimingModel::loggp) return "";
  double const part = cables * carried_by_cable(platform) / (hosts_behind * sent_by_host(platform));
  char const* const verb = what.starts_with("the only ") ? "carries" : "carry";
  return fmt::format("\n  {} {} {:.3g} % of what {} can send", what, verb, 100 * part, whose);
}

/// Describes the shape of a machine, and which share of its hosts' bandwidth its narrowest cuts carry. In a ring, torus
/// or mesh that cut goes through the middle of the longest dimension.
struct Shape {
  Platform const& platform;

  /// A cut across the longest dimension has the fewest cables; a closed dimension is cut twice.
  std::string grid(Torus const& torus, bool closed, char const* name) const {
    auto const longest = *std::ranges::max_element(torus.extents());
    double const across = static_cast<double>(torus.size()) / longest;
    std::string const text =
        torus.dimensions() == 1 ? std::string(name) : fmt::format("a {} {}", listed(torus.extents(), " x "), name + 2);
    if (longest < 2) return text;
    double const cables = across * (closed && longest > 2 ? 2 : 1);
    return text +
           share(platform,
                 (cables == 1 ? "the only link" : fmt::format("the {:.0f} links", cables)) + " between two halves",
                 cables, across * (longest / 2), "the hosts of the smaller half");
  }
  std::string operator()(FullyConnected const& /*machine*/) const {
    return "fully connected, each pair by a link of its own";
  }
  std::string operator()(Ring const& ring) const { return grid(Torus(std::vector<int>{ring.hosts}), true, "a ring"); }
  std::string operator()(TorusMachine const& machine) const { return grid(machine.torus, true, "a torus"); }
  std::string operator()(MeshMachine const& machine) const { return grid(machine.grid, false, "a mesh"); }
  std::string operator()(Dragonfly const& machine) const {
    int const routers = machine.chassis * machine.routers;
    std::string const text =
        fmt::format("a dragonfly of {} with {} of {} each, {} a router", counted(machine.groups, "group"),
                    counted(machine.chassis, "chassis", "chassis"), counted(machine.routers, "router"),
                    counted(machine.hosts_per_router, "host"));
    return text + between_groups(machine.groups, 1, machine.cables[0], routers * machine.hosts_per_router);
  }
  std::string operator()(DragonflyPlus const& machine) const {
    std::string const text = fmt::format("a Dragonfly+ of {} with {} and {} each, {} a leaf",
                                         counted(machine.groups, "group"), counted(machine.leaves, "leaf", "leaves"),
                                         counted(machine.spines, "spine"), counted(machine.hosts_per_leaf, "host"));
    return text +
           share(platform, "the links from a leaf to its spines", double(machine.spines) * machine.cables[1],
                 machine.hosts_per_leaf, "its hosts") +
           between_groups(machine.groups, machine.spines, machine.cables[0], machine.leaves * machine.hosts_per_leaf);
  }
  std::string between_groups(int groups, int links, int cables, int hosts) const {
    if (groups < 2) return "";
    return share(platform, "the links out of a group", double(groups - 1) * links * cables, hosts, "its hosts");
  }
  std::string operator()(FatTree const& machine) const {
    auto const switches = regular::switches_by_level(machine);
    std::size_t const levels = switches.size();
    if (levels == 1) return "one switch";
    std::string text = fmt::format("a fat tree of {} leaf", switches.front());
    for (std::size_t level = 1; level + 1 < levels; ++level) text += fmt::format(", {} middle", switches[level]);
    text += fmt::format(" and {}", counted(switches.back(), "top switch", "top switches"));
    double below = 1, above = 1;
    for (std::size_t level = 0; level + 1 < levels; ++level) {
      below *= machine.down[level];
      above *= machine.up[level];
      text += share(platform,
                    level == 0 ? "the uplinks of a leaf switch" : fmt::format("the uplinks of level {}", level + 1),
                    above * machine.up[level + 1] * machine.parallel[level + 1], below, "the hosts below them");
    }
    return text;
  }
  std::string operator()(HyperX const& machine) const {
    std::string text = fmt::format("a HyperX of {} routers, {} a router", listed(machine.dims, " x "),
                                   counted(machine.hosts_per_router, "host"));
    for (std::size_t i = 0; i < machine.dims.size(); ++i) {
      if (machine.dims[i] < 2) continue;
      // Each router of the smaller half has a link to every router of the larger one.
      double const cables = double((machine.dims[i] + 1) / 2) * machine.cables[i];
      text += share(platform, fmt::format("the links between two halves of dimension {}", i), cables,
                    machine.hosts_per_router, "the hosts of the smaller half");
    }
    return text;
  }
  std::string operator()(SlimFly const& machine) const {
    std::string const text = fmt::format("a Slim Fly of {} routers, {} a router", 2 * machine.q * machine.q,
                                         counted(machine.hosts_per_router, "host"));
    return text + share(platform, "the links of a router", double(machine.q) + double(machine.steps[0].size()),
                        machine.hosts_per_router, "its hosts");
  }
  std::string operator()(GraphMachine const& machine) const {
    std::string const switches = machine.switches == 0 ? "" : " of " + counted(machine.switches, "switch", "switches");
    return fmt::format("a graph{} with {} {}{}", switches, machine.links.size(), machine.directed ? "directed " : "",
                       machine.links.size() == 1 ? "link" : "links");
  }
  std::string operator()(PlatformFile const& file) const {
    return fmt::format("the platform file {}{}", printable(file.path.substr(file.path.rfind('/') + 1)),
                       file.own_numbers ? ", with its own latencies and bandwidths" : "");
  }
};

/// Whether messages share links.
std::string of_links(Platform const& platform) {
  if (std::holds_alternative<FullyConnected>(platform.topology) || platform.timing == TimingModel::loggp) return "";
  std::string text;
  if (auto const* file = std::get_if<PlatformFile>(&platform.topology); file == nullptr) {
    text += platform.links == LinkSharing::shared
                ? fmt::format("\n  messages on the same link share its {} a cable",
                              print(platform.link_bandwidth.value_or(platform.bandwidth)))
                : "\n  links are not shared: each message has its full bandwidth there";
  }
  constexpr std::array<char const*, 4> rules = {"minimal", "valiant", "ecmp", "ugal"};
  if (platform.routing.rule != RoutingRule::minimal)
    text += fmt::format("\n  routing {}", rules[static_cast<std::size_t>(platform.routing.rule)]);
  if (auto const failed = std::int64_t(platform.routing.failed.size()); failed > 0) {
    auto const* graph = std::get_if<GraphMachine>(&platform.topology);
    bool const one_way = graph != nullptr && graph->directed;
    text += fmt::format("\n  {} failed", counted(one_way ? failed : failed / 2, "link has", "links have"));
  }
  if (platform.neighbors_only) text += "\n  only neighbors may talk";
  return text;
}

/// Hosts, NICs and the placement of ranks.
std::string of_hosts(Platform const& platform) {
  int const host_count = hosts(platform);
  if (host_count == 0) return "";
  std::string text = fmt::format("{} on {}", counted(ranks(platform), "rank"), counted(host_count, "host"));
  if (platform.nics > 1) text += fmt::format(", {} NICs{}", platform.nics, platform.rails ? " on rails" : "");
  if (std::holds_alternative<CyclicPlacement>(platform.placement)) text += ", placement cyclic";
  if (std::holds_alternative<ListPlacement>(platform.placement)) text += ", placement by a list";
  return text + ", ";
}

/// The parameters of the timing model.
std::string of_messages(Platform const& platform) {
  if (platform.timing == TimingModel::loggp) {
    LogGp const& model = platform.loggp;
    return fmt::format("\n  LogGP: L {}, o {}, g {}, G {}/B, O {}/B, S {}", print(model.L), print(model.o),
                       print(model.g), print(model.G), print(model.O), print(model.S));
  }
  std::string const timing = platform.timing == TimingModel::flow ? "flow timing" : "linear timing";
  if (has_file_numbers(platform)) return "\n  " + timing;
  std::string text = fmt::format("\n  latency {}, bandwidth {}", print(platform.latency), print(platform.bandwidth));
  if (!platform.pieces.empty()) text += fmt::format(" above {}", print(platform.pieces.back().up_to));
  if (platform.hop_latency > Seconds(0)) text += fmt::format(", {} more a hop", print(platform.hop_latency));
  if (platform.ports > 1 || platform.timing == TimingModel::linear)
    text += fmt::format(", {} a rank", counted(platform.ports, "port"));
  return text + ", " + timing;
}

std::string of_disks(Platform const& platform) {
  if (!platform.disk) return "";
  return fmt::format("\n  each host has a disk, which reads {} and writes {}", print(platform.disk->read),
                     print(platform.disk->write));
}

}  // namespace

std::string describe(Platform const& platform) {
  return of_hosts(platform) + std::visit(Shape{platform}, platform.topology) + of_links(platform) +
         of_messages(platform) + of_disks(platform);
}

}  // namespace rondo
