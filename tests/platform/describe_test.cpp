// A machine in words: what it is, and what share of its hosts' bandwidth its narrow places carry. The shares here are
// counted by hand, from the links of each topology.

#include <gtest/gtest.h>

#include <sstream>

#include "platform/platform.hpp"

namespace rondo {
namespace {

/// One rank a host, links of 1 GB/s that are shared, one port.
Platform shared(MachineTopology topology) {
  Platform platform;
  platform.topology = std::move(topology);
  platform.latency = 1_us;
  platform.bandwidth = 1_GBps;
  platform.links = LinkSharing::shared;
  return platform;
}

/// The lines that say what share a narrow place carries.
std::string shares(Platform const& platform) {
  std::istringstream lines(describe(platform));
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    if (line.find(" % of what ") != std::string::npos) text += "\n" + line;
  }
  return text;
}

std::string first_line(Platform const& platform) {
  std::string const text = describe(platform);
  return text.substr(0, text.find('\n'));
}

struct Kind {
  MachineTopology topology;
  char const* shape;
  char const* shares;
};

TEST(InWords, says_the_shape_of_each_topology_and_what_its_narrow_places_carry) {
  std::vector<Kind> const kinds = {
      {FullyConnected{16}, "16 ranks on 16 hosts, fully connected, each pair by a link of its own", ""},
      // Two links lead from the hosts 0 to 3 to the others: 2 for 4 hosts.
      {Ring{8}, "8 ranks on 8 hosts, a ring",
       "\n  the 2 links between two halves carry 50 % of what the hosts of the smaller half can send"},
      // Through the middle of dimension 1, two in each of 4 rows: 8 for 16 hosts.
      {TorusMachine{Torus({4, 8})}, "32 ranks on 32 hosts, a 4 x 8 torus",
       "\n  the 8 links between two halves carry 50 % of what the hosts of the smaller half can send"},
      // One in each of 4 rows: 4 for 2 columns of 4 hosts, beside 3 columns.
      {MeshMachine{Torus({4, 5})}, "20 ranks on 20 hosts, a 4 x 5 mesh",
       "\n  the 4 links between two halves carry 50 % of what the hosts of the smaller half can send"},
      // One for 3 hosts, beside 4.
      {MeshMachine{Torus(std::vector<int>{7})}, "7 ranks on 7 hosts, a mesh",
       "\n  the only link between two halves carries 33.3 % of what the hosts of the smaller half can send"},
      // 2 links of 3 cables to the other groups, for 2 * 4 * 2 hosts.
      {Dragonfly{.groups = 3, .chassis = 2, .routers = 4, .hosts_per_router = 2, .cables = {3, 1, 1}},
       "48 ranks on 48 hosts, a dragonfly of 3 groups with 2 chassis of 4 routers each, 2 hosts a router",
       "\n  the links out of a group carry 37.5 % of what its hosts can send"},
      // 4 leaves of 4 hosts with 2 links up: the example of the issue.
      {FatTree{{4, 4}, {1, 2}, {1, 1}}, "16 ranks on 16 hosts, a fat tree of 4 leaf and 2 top switches",
       "\n  the uplinks of a leaf switch carry 50 % of what the hosts below them can send"},
      // 8 leaves of 2 hosts with 2 links up to 8 switches; those of level 2 above 4 hosts are 2, with 1 link of 3
      // cables.
      {FatTree{{2, 2, 4}, {1, 2, 1}, {1, 1, 3}},
       "16 ranks on 16 hosts, a fat tree of 8 leaf, 8 middle and 2 top switches",
       "\n  the uplinks of a leaf switch carry 100 % of what the hosts below them can send"
       "\n  the uplinks of level 2 carry 150 % of what the hosts below them can send"},
      {FatTree{{16}, {1}, {1}}, "16 ranks on 16 hosts, one switch", ""},
      // Dimension 0: 2 * 2 links a row of the other dimension, for 2 routers of 4 hosts. Dimension 1: 1 * 2 * 2 cables
      // a column, for 1 router.
      {HyperX{{4, 3}, 4, {1, 2}}, "48 ranks on 48 hosts, a HyperX of 4 x 3 routers, 4 hosts a router",
       "\n  the links between two halves of dimension 0 carry 50 % of what the hosts of the smaller half can send"
       "\n  the links between two halves of dimension 1 carry 100 % of what the hosts of the smaller half can send"},
      // 3 links for 6 hosts; 3 spines with 2 links of 2 cables for 4 * 6 hosts.
      {DragonflyPlus{.groups = 3, .leaves = 4, .spines = 3, .hosts_per_leaf = 6, .cables = {2, 1}},
       "72 ranks on 72 hosts, a Dragonfly+ of 3 groups with 4 leaves and 3 spines each, 6 hosts a leaf",
       "\n  the links from a leaf to its spines carry 50 % of what its hosts can send"
       "\n  the links out of a group carry 50 % of what its hosts can send"},
      // A router has (3 q - delta) / 2 links with q = 4 w + delta [Besta14]: 7 for q = 5.
      {slim_fly(5, 7), "350 ranks on 350 hosts, a Slim Fly of 50 routers, 7 hosts a router",
       "\n  the links of a router carry 100 % of what its hosts can send"},
      {GraphMachine{.hosts = 2, .switches = 1, .links = {{0, 2, 1}, {1, 2, 1}}},
       "2 ranks on 2 hosts, a graph of 1 switch with 2 links", ""},
      {GraphMachine{.hosts = 2, .links = {{0, 1, 1}}}, "2 ranks on 2 hosts, a graph with 1 link", ""},
      {PlatformFile{.path = "/a/b.xml", .own_numbers = true},
       "the platform file b.xml, with its own latencies and bandwidths", ""}};
  for (Kind const& kind : kinds) {
    EXPECT_EQ(first_line(shared(kind.topology)), kind.shape);
    EXPECT_EQ(shares(shared(kind.topology)), kind.shares) << kind.shape;
  }
}

TEST(InWords, counts_what_hosts_can_send_by_ports_nics_and_ranks) {
  auto platform = shared(FatTree{{4, 4}, {1, 2}, {1, 1}});
  platform.ports = 2;  // 2 links for 4 hosts of 2 GB/s
  EXPECT_NE(describe(platform).find(" carry 25 %"), std::string::npos) << describe(platform);
  platform.ports = 1;
  platform.nics = 4;  // of which the one rank of a host uses one
  EXPECT_NE(describe(platform).find(" carry 50 %"), std::string::npos) << describe(platform);
  platform.ranks_per_host = 4;
  EXPECT_NE(describe(platform).find("64 ranks on 16 hosts, 4 NICs, "), std::string::npos) << describe(platform);
  EXPECT_NE(describe(platform).find(" carry 12.5 %"), std::string::npos) << describe(platform);
  platform.rails = true;  // a network for each NIC
  EXPECT_NE(describe(platform).find(" carry 50 %"), std::string::npos) << describe(platform);
  platform.link_bandwidth = 4_GBps;
  EXPECT_NE(describe(platform).find(" carry 200 %"), std::string::npos) << describe(platform);
}

TEST(InWords, says_what_messages_cost_and_how_they_share) {
  auto platform = shared(Ring{8});
  platform.hop_latency = 100_ns;
  platform.routing.failed = {0, 1};
  platform.neighbors_only = true;
  platform.placement = CyclicPlacement{};
  EXPECT_EQ(describe(platform),
            "8 ranks on 8 hosts, placement cyclic, a ring\n"
            "  the 2 links between two halves carry 50 % of what the hosts of the smaller half can send\n"
            "  messages on the same link share its 1GBps a cable\n"
            "  1 link has failed\n"
            "  only neighbors may talk\n"
            "  latency 1us, bandwidth 1GBps, 100ns more a hop, 1 port a rank, linear timing");
  platform.disk = {2_GBps, 1_GBps, 1_us};
  EXPECT_TRUE(describe(platform).ends_with("\n  each host has a disk, which reads 2GBps and writes 1GBps"));
  platform.disk.reset();
  platform.timing = TimingModel::loggp;  // which has neither links nor ports
  platform.loggp = {5_us, 1_us, 2_us, Seconds(4e-10), Seconds(0), Bytes(65535)};
  EXPECT_EQ(describe(platform),
            "8 ranks on 8 hosts, placement cyclic, a ring\n"
            "  LogGP: L 5us, o 1us, g 2us, G 400ps/B, O 0s/B, S 65535B");
  platform.links = LinkSharing::unshared;
  platform.routing = {.rule = RoutingRule::valiant};
  platform.timing = TimingModel::flow;
  platform.pieces = {{64_KiB, 2_us, 1_GBps}};
  EXPECT_EQ(describe(platform),
            "8 ranks on 8 hosts, placement cyclic, a ring\n"
            "  links are not shared: each message has its full bandwidth there\n"
            "  routing valiant\n"
            "  only neighbors may talk\n"
            "  latency 1us, bandwidth 1GBps above 64KiB, 100ns more a hop, flow timing");
}

}  // namespace
}  // namespace rondo
