// A machine as SimGrid XML (DTD 4.1). Host hN hangs on router rN by the split-duplex link nicN, whose two halves carry
// the bytes of all its ports; routers are joined by the links of the topology, and a route is the NIC up, the links of
// a shortest path, the NIC down. A fully connected machine is a cluster around one backbone, the one link of each
// route.
//
// Latency: that of a one-hop route is the machine's. Each topology link has hop_latency and the NICs the rest, half on
// each side, so that flows that meet on a topology link have equal weights when hop_latency is 0.
//
// Topology links are FATPIPE: each flow is bounded by the bandwidth, as by its port, but no link is shared.

#include <fmt/format.h>

#include <iterator>

#include "base/error.hpp"
#include "platform/platform.hpp"

namespace rondo {
namespace {

constexpr char const* frame = R"(<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<!-- {title}: latency {latency}, {hop_latency} more for each hop after the first, bandwidth {bandwidth}, ports {ports}.
     NICs are split-duplex links of all ports together; topology links bound each flow but are not shared. -->
<platform version="4.1">
{body}</platform>
)";

/// The attributes that all links of one kind have.
struct LinkKinds {
  std::string nic_bandwidth, nic_latency, hop_bandwidth, hop_latency;
};

LinkKinds link_kinds(Platform const& platform) {
  if (platform.hop_latency > platform.latency) {
    throw InputError(
        fmt::format("SimGrid XML gives each link a latency: hop_latency may be at most the latency {}, got {}",
                    print(platform.latency), print(platform.hop_latency)));
  }
  return {.nic_bandwidth = print(BytesPerSecond(platform.ports * platform.bandwidth.value)),
          .nic_latency = print(0.5 * (platform.latency - platform.hop_latency)),
          .hop_bandwidth = print(platform.bandwidth),
          .hop_latency = print(platform.hop_latency)};
}

std::string cluster(int hosts, LinkKinds const& links) {
  return fmt::format(
      "  <cluster id=\"machine\" prefix=\"h\" suffix=\"\" radical=\"0-{}\" speed=\"1Gf\"\n"
      "           bw=\"{}\" lat=\"{}\" sharing_policy=\"SPLITDUPLEX\"\n"
      "           bb_bw=\"{}\" bb_lat=\"{}\" bb_sharing_policy=\"FATPIPE\"/>\n",
      hosts - 1, links.nic_bandwidth, links.nic_latency, links.hop_bandwidth, links.hop_latency);
}

/// Each pair of neighbors once. On an extent of 2 both directions lead to the same neighbor by the same link.
std::vector<std::pair<int, int>> neighbors(Torus const& torus) {
  std::vector<std::pair<int, int>> result;
  for (int host = 0; host < torus.size(); ++host) {
    for (int dimension = 0; dimension < torus.dimensions(); ++dimension) {
      int const next = torus.shift(Rank(host), dimension, 1).value;
      if (torus.extent(dimension) > 2 || next > host) result.emplace_back(host, next);
    }
  }
  return result;
}

std::string torus_zone(Torus const& torus, LinkKinds const& links) {
  std::string zone = "  <zone id=\"machine\" routing=\"DijkstraCache\">\n";
  auto const line = std::back_inserter(zone);
  for (int host = 0; host < torus.size(); ++host) {
    fmt::format_to(line, "    <host id=\"h{0}\" speed=\"1Gf\"/><router id=\"r{0}\"/>\n", host);
    fmt::format_to(line, "    <link id=\"nic{}\" bandwidth=\"{}\" latency=\"{}\" sharing_policy=\"SPLITDUPLEX\"/>\n",
                   host, links.nic_bandwidth, links.nic_latency);
  }
  for (auto const& [from, to] : neighbors(torus)) {
    fmt::format_to(line, "    <link id=\"r{}-r{}\" bandwidth=\"{}\" latency=\"{}\" sharing_policy=\"FATPIPE\"/>\n",
                   from, to, links.hop_bandwidth, links.hop_latency);
  }
  for (int host = 0; host < torus.size(); ++host) {
    fmt::format_to(line, "    <route src=\"h{0}\" dst=\"r{0}\"><link_ctn id=\"nic{0}\" direction=\"UP\"/></route>\n",
                   host);
  }
  for (auto const& [from, to] : neighbors(torus)) {
    fmt::format_to(line, "    <route src=\"r{0}\" dst=\"r{1}\"><link_ctn id=\"r{0}-r{1}\"/></route>\n", from, to);
  }
  return zone + "  </zone>\n";
}

std::string list(std::vector<int> const& numbers) {
  std::string result;
  for (int const number : numbers) result += fmt::format("{}{}", result.empty() ? "" : ", ", number);
  return "[" + result + "]";
}

/// What differs between topologies: the title and the zone.
struct Description {
  std::string title, body;
};

struct Describe {
  LinkKinds const& links;

  Description operator()(FullyConnected const& machine) const {
    return {fmt::format("{} fully connected hosts", machine.hosts), cluster(machine.hosts, links)};
  }
  Description operator()(Ring const& ring) const {
    return {fmt::format("A ring of {} hosts", ring.hosts), torus_zone(Torus({ring.hosts}), links)};
  }
  Description operator()(TorusMachine const& machine) const {
    return {fmt::format("A torus of {} hosts", list(machine.torus.extents())), torus_zone(machine.torus, links)};
  }
  Description operator()(PlatformFile const& file) const {
    throw InputError(fmt::format("{} is a SimGrid platform file already", file.path));
  }
};

}  // namespace

std::string to_simgrid_xml(Platform const& platform) {
  auto const links = link_kinds(platform);
  auto const [title, body] = std::visit(Describe{links}, platform.topology);
  return fmt::format(frame, fmt::arg("title", title), fmt::arg("latency", print(platform.latency)),
                     fmt::arg("hop_latency", print(platform.hop_latency)),
                     fmt::arg("bandwidth", print(platform.bandwidth)), fmt::arg("ports", platform.ports),
                     fmt::arg("body", body));
}

}  // namespace rondo
