// A machine as SimGrid XML (DTD 4.1). Host hN hangs on a router by the split-duplex link nicN, whose two halves carry
// the bytes of all its ports; routers are joined by the links of the topology, and a route is the NIC up, the links of
// a shortest path, the NIC down. A fully connected machine is a cluster around one backbone, the one link of each
// route.
//
// smpirun gives its ranks to hosts in the order of their names, h10 before h2. So all numbers have the same length: in
// zones by zeros in front of them (h02), in clusters, which print numbers themselves, by a power of ten that is added
// to them (h102).
//
// Latency: that of a one-hop route is the machine's. Each topology link has hop_latency and the NICs the rest, half on
// each side, so flows that meet on a topology link have equal weights when hop_latency is 0. Hosts of one router
// are hop_latency nearer to each other than Rondo has them. In a FAT_TREE cluster all links have one latency, and only
// the longest routes have ours.
//
// Topology links are FATPIPE (each flow is bounded by the bandwidth, as by its port, but no link is shared) or, with
// links: shared, SPLITDUPLEX with link_bandwidth for each cable. SimGrid chooses the routes; where several are
// shortest, its choice need not be ours. It would lead all flows of a fat tree over one top switch: with shared links
// that is a FAT_TREE cluster, which routes as we do, where a link of one bandwidth and latency at all levels can stand
// for it.

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "platform/platform.hpp"
#include "platform/regular.hpp"
#include "platform/routing.hpp"

namespace rondo {
namespace {

constexpr char const* frame = R"(<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<!-- {title}:
     latency {latency}, {hop_latency} more for each hop after the first, bandwidth {bandwidth}, ports {ports}.
     NICs are split-duplex links of all ports together; {links}.{more}{source} -->
<platform version="4.1">
{body}</platform>
)";

/// Bandwidths and latencies of the parts of a machine, as attributes of the XML.
struct Parts {
  std::string nic_bandwidth, nic_latency, hop_latency, port_bandwidth, cores, memory_bandwidth, memory_latency;
};

/// The texts that all kinds of machines use. Throws InputError if the latency of links cannot be written.
Parts parts(Platform const& platform) {
  if (platform.hop_latency > platform.latency) {
    throw InputError(
        fmt::format("SimGrid XML gives each link a latency: hop_latency may be at most the latency {}, got {}",
                    print(platform.latency), print(platform.hop_latency)));
  }
  RouteCost const memory = Routes(platform).cost_within();
  return {.nic_bandwidth = print(BytesPerSecond(platform.ports * platform.bandwidth.value)),
          .nic_latency = print(0.5 * (platform.latency - platform.hop_latency)),
          .hop_latency = print(platform.hop_latency),
          .port_bandwidth = print(platform.bandwidth),
          .cores = platform.ranks_per_host > 1 ? fmt::format(" core=\"{}\"", platform.ranks_per_host) : "",
          .memory_bandwidth = print(memory.bandwidth),
          .memory_latency = print(memory.startup)};
}

/// How many digits the largest number of a host has.
int digits(int hosts) { return static_cast<int>(std::to_string(hosts - 1).size()); }

/// The range of numbers of a cluster's hosts, as SimGrid's `radical` has it.
std::string radical(int hosts) {
  int first = 1;
  for (int i = 0; i < digits(hosts); ++i) first *= 10;
  return fmt::format("{}-{}", first, first + hosts - 1);
}

bool is_shared(Platform const& platform) { return platform.links == LinkSharing::shared; }

BytesPerSecond bandwidth_of(Platform const& platform, RouterLink const& link) {
  if (!is_shared(platform)) return platform.bandwidth;
  return BytesPerSecond(link.cables * platform.link_bandwidth.value_or(platform.bandwidth).value);
}

std::string loopback(Platform const& platform, Parts const& part) {
  if (platform.ranks_per_host == 1) return "";
  return fmt::format("\n           loopback_bw=\"{}\" loopback_lat=\"{}\"", part.memory_bandwidth, part.memory_latency);
}

/// A cluster whose backbone is the one link of each route.
std::string fully_connected(Platform const& platform, Parts const& part) {
  return fmt::format(
      "  <cluster id=\"machine\" prefix=\"h\" suffix=\"\" radical=\"{}\" speed=\"1Gf\"{}\n"
      "           bw=\"{}\" lat=\"{}\" sharing_policy=\"SPLITDUPLEX\"{}\n"
      "           bb_bw=\"{}\" bb_lat=\"{}\" bb_sharing_policy=\"FATPIPE\"/>\n",
      radical(hosts(platform)), part.cores, part.nic_bandwidth, part.nic_latency, loopback(platform, part),
      part.port_bandwidth, part.hop_latency);
}

/// Whether SimGrid's FAT_TREE can represent the machine. It can if NICs and all links have the same bandwidth and no
/// link has failed.
bool is_uniform(FatTree const& tree, Platform const& platform) {
  double const link = platform.link_bandwidth.value_or(platform.bandwidth).value;
  return platform.routing.failed.empty() && platform.ports == 1 && link == platform.bandwidth.value &&
         std::all_of(tree.parallel.begin(), tree.parallel.end(), [](int cables) { return cables == 1; });
}

/// The longest routes have the latency that Rondo gives them; shorter routes have a part of it, in proportion to their
/// number of links.
std::string uniform_fat_tree(FatTree const& tree, Platform const& platform, Parts const& part) {
  auto const levels = static_cast<double>(tree.down.size());
  double const longest = platform.latency.value + std::max(0.0, 2 * levels - 3) * platform.hop_latency.value;
  return fmt::format(
      "  <cluster id=\"machine\" prefix=\"h\" suffix=\"\" radical=\"{}\" speed=\"1Gf\"{}\n"
      "           bw=\"{}\" lat=\"{}\" sharing_policy=\"SPLITDUPLEX\"{}\n"
      "           topology=\"FAT_TREE\" topo_parameters=\"{};{};{};{}\"/>\n",
      radical(hosts(platform)), part.cores, part.port_bandwidth, print(Seconds(longest / (2 * levels))),
      loopback(platform, part), tree.down.size(), listed(tree.down, ","), listed(tree.up, ","),
      listed(tree.parallel, ","));
}

/// Whether nothing on some route limits a flow to the bandwidth of one port: if NICs carry several ports, and hosts of
/// one router have no link between them or one that is wider than a port.
bool needs_port_links(Platform const& platform) {
  bool const grid = std::holds_alternative<Ring>(platform.topology) ||
                    std::holds_alternative<TorusMachine>(platform.topology) ||
                    std::holds_alternative<MeshMachine>(platform.topology);
  return platform.ports > 1 && (!grid || bandwidth_of(platform, RouterLink{}) > platform.bandwidth);
}

/// Appends the links of each host: its NIC, the link that limits a flow to one port if the NIC carries several, and the
/// link to itself.
void append_hosts(std::string& zone, Platform const& platform, Parts const& part) {
  int const length = digits(hosts(platform));
  for (int host = 0; host < hosts(platform); ++host) {
    append(zone, "    <host id=\"h{:0{}}\" speed=\"1Gf\"{}/>\n", host, length, part.cores);
    append(zone, "    <link id=\"nic{:0{}}\" bandwidth=\"{}\" latency=\"{}\" sharing_policy=\"SPLITDUPLEX\"/>\n", host,
           length, part.nic_bandwidth, part.nic_latency);
  }
  if (needs_port_links(platform)) {
    append(zone, "    <link id=\"port\" bandwidth=\"{}\" latency=\"0s\" sharing_policy=\"FATPIPE\"/>\n",
           part.port_bandwidth);
  }
  if (platform.ranks_per_host > 1) {
    append(zone, "    <link id=\"memory\" bandwidth=\"{}\" latency=\"{}\" sharing_policy=\"FATPIPE\"/>\n",
           part.memory_bandwidth, part.memory_latency);
  }
}

/// The route from each host to its router.
void append_host_routes(std::string& zone, Platform const& platform) {
  char const* const port = needs_port_links(platform) ? "<link_ctn id=\"port\"/>" : "";
  int const length = digits(hosts(platform));
  for (int host = 0; host < hosts(platform); ++host) {
    std::string const number = fmt::format("{:0{}}", host, length);
    // SimGrid adds the links of an edge to a route in the opposite order, so the NIC, written last, comes first
    // on the route.
    append(zone, "    <route src=\"h{0}\" dst=\"r{1}\">{2}<link_ctn id=\"nic{0}\" direction=\"UP\"/></route>\n", number,
           router_of(platform.topology, host), port);
    if (platform.ranks_per_host == 1) continue;
    // SimGrid crashes if it adds the way back of such a route itself.
    append(zone, "    <route src=\"h{0}\" dst=\"h{0}\" symmetrical=\"NO\"><link_ctn id=\"memory\"/></route>\n", number);
  }
}

bool is_directed(Platform const& platform) {
  auto const* listed = std::get_if<GraphMachine>(&platform.topology);
  return listed != nullptr && listed->directed;
}

/// Each pair of routers once, by its link from the lower number to the higher one, unless that link has failed. If
/// links are directed, every link.
std::vector<RouterLink> upward_links(Platform const& platform) {
  std::vector<RouterLink> result;
  for (LinkId id = 0; id < link_ids(platform.topology); ++id) {
    auto const found = link(platform.topology, id);
    bool const failed = std::binary_search(platform.routing.failed.begin(), platform.routing.failed.end(), id);
    if (found && (is_directed(platform) || found->from < found->to) && !failed) result.push_back(*found);
  }
  return result;
}

/// Hosts, routers and links; SimGrid finds the routes.
std::string router_zone(Platform const& platform, Parts const& part) {
  std::string zone = "  <zone id=\"machine\" routing=\"DijkstraCache\">\n";
  append_hosts(zone, platform, part);
  for (int router = 0; router < routers(platform.topology); ++router) {
    append(zone, "    <router id=\"r{}\"/>\n", router);
  }
  auto const links = upward_links(platform);
  for (RouterLink const& link : links) {
    append(zone, "    <link id=\"r{}-r{}\" bandwidth=\"{}\" latency=\"{}\" sharing_policy=\"{}\"/>\n", link.from,
           link.to, print(bandwidth_of(platform, link)), part.hop_latency,
           !is_shared(platform)    ? "FATPIPE"
           : is_directed(platform) ? "SHARED"
                                   : "SPLITDUPLEX");
  }
  append_host_routes(zone, platform);
  for (RouterLink const& link : links) {
    append(zone, "    <route src=\"r{0}\" dst=\"r{1}\"{2}><link_ctn id=\"r{0}-r{1}\"{3}/></route>\n", link.from,
           link.to, is_directed(platform) ? " symmetrical=\"NO\"" : "",
           is_shared(platform) && !is_directed(platform) ? " direction=\"UP\"" : "");
  }
  return zone + "  </zone>\n";
}

/// The name of a machine in the comment of the file.
struct Title {
  std::string operator()(FullyConnected const& machine) const {
    return fmt::format("{} fully connected hosts", machine.hosts);
  }
  std::string operator()(Ring const& ring) const { return fmt::format("A ring of {} hosts", ring.hosts); }
  std::string operator()(TorusMachine const& machine) const {
    return fmt::format("A torus of [{}] hosts", listed(machine.torus.extents(), ", "));
  }
  std::string operator()(MeshMachine const& machine) const {
    return fmt::format("A mesh of [{}] hosts", listed(machine.grid.extents(), ", "));
  }
  std::string operator()(PlatformFile const& file) const {
    throw InputError(fmt::format("{} is a SimGrid platform file already", file.path));
  }
  std::string operator()(auto const& machine) const { return regular::title(machine); }
};

/// The form that fits the machine.
std::string body(Platform const& platform, Parts const& part) {
  if (std::holds_alternative<FullyConnected>(platform.topology)) return fully_connected(platform, part);
  auto const* tree = std::get_if<FatTree>(&platform.topology);
  if (tree != nullptr && is_shared(platform) && is_uniform(*tree, platform)) {
    return uniform_fat_tree(*tree, platform, part);
  }
  return router_zone(platform, part);
}

std::string links_text(Platform const& platform) {
  if (!is_shared(platform)) return "topology links bound each flow but are not shared";
  return fmt::format("flows share topology links of {} a cable",
                     print(platform.link_bandwidth.value_or(platform.bandwidth)));
}

std::string hosts_text(Platform const& platform, Parts const& part) {
  if (platform.ranks_per_host == 1) return "";
  return fmt::format("\n     Hosts carry {} ranks; latency {} and bandwidth {} between those of one host.",
                     platform.ranks_per_host, part.memory_latency, part.memory_bandwidth);
}

/// Each line of the source becomes a line of the comment.
std::string source_text(Platform const& platform) {
  std::string text;
  for (std::string const& line : platform.source) text += "\n     " + xml_comment(line);
  return text;
}

}  // namespace

namespace {

/// Throws InputError for a machine that the XML cannot describe: a host of the XML has one NIC, and a memory that
/// limits each flow by itself.
void check_hosts(Platform const& platform) {
  auto const refuse = [](std::string const& obstacle) { throw InputError("SimGrid XML cannot say " + obstacle); };
  if (platform.nics > 1)
    refuse(fmt::format("which of several NICs a rank uses: expected 1 in \"nics\", got {}", platform.nics));
  if (platform.island && platform.island->kind != IslandKind::memory) {
    refuse(R"(what joins the ranks of a host: expected no "island" but a "memory")");
  }
  if (platform.nic_gap > Seconds(0)) {
    refuse(fmt::format("a time between messages of a NIC: expected no \"nic_gap\", got {}", print(platform.nic_gap)));
  }
  if (platform.flow.handshake > Seconds(0)) {
    refuse(fmt::format("what large messages cost more: expected no \"handshake\", got {}",
                       print(platform.flow.handshake)));
  }
}

}  // namespace

/// Throws InputError if SimGrid XML cannot express the machine.
std::string to_simgrid_xml(Platform const& platform) {
  if (platform.timing == TimingModel::loggp) {
    throw InputError("a machine with \"loggp\" timing has no latency and no bandwidth that SimGrid XML could say");
  }
  if (!platform.pieces.empty()) {
    throw InputError("SimGrid XML gives all messages one latency and bandwidth: expected a machine without pieces");
  }
  check_hosts(platform);
  if (platform.routing.rule != RoutingRule::minimal) {
    throw InputError("SimGrid XML lets SimGrid choose shortest routes: expected a machine with \"minimal\" routing");
  }
  auto const title = std::visit(Title(), platform.topology);
  auto const part = parts(platform);
  return fmt::format(frame, fmt::arg("title", title), fmt::arg("latency", print(platform.latency)),
                     fmt::arg("hop_latency", part.hop_latency), fmt::arg("bandwidth", part.port_bandwidth),
                     fmt::arg("ports", platform.ports), fmt::arg("links", links_text(platform)),
                     fmt::arg("more", hosts_text(platform, part)), fmt::arg("source", source_text(platform)),
                     fmt::arg("body", body(platform, part)));
}

}  // namespace rondo
