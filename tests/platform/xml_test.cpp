// The machine as SimGrid XML: platforms/ holds what to_simgrid_xml writes, byte for byte; and the counts of links
// follow from the topology. RONDO_UPDATE=1 in the environment writes the files anew.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/error.hpp"
#include "platform/platform.hpp"

namespace rondo {
namespace {

Platform machine(MachineTopology topology) {
  return {.topology = std::move(topology), .latency = 1_us, .bandwidth = 1_GBps};
}

std::string read(std::string const& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

int count(std::string const& text, std::string const& word) {
  int found = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

int nics(std::string const& xml) { return count(xml, "<link id=\"nic"); }
int topology_links(std::string const& xml) { return count(xml, "<link id=\"r"); }

TEST(Xml, files_in_platforms_are_what_the_machines_give) {
  std::pair<char const*, Platform> const files[] = {{"fully-connected-64.xml", machine(FullyConnected{64})},
                                                    {"ring-64.xml", machine(Ring{64})},
                                                    {"torus-8x6x10.xml", machine(TorusMachine{Torus({8, 6, 10})})}};
  for (auto const& [name, platform] : files) {
    std::string const path = std::string(RONDO_SOURCE_DIR "/platforms/") + name;
    if (std::getenv("RONDO_UPDATE") != nullptr) std::ofstream(path) << to_simgrid_xml(platform);
    EXPECT_TRUE(read(path) == to_simgrid_xml(platform)) << path << " differs; RONDO_UPDATE=1 writes it anew";
  }
}

TEST(Xml, a_host_has_one_nic_and_a_torus_one_link_for_each_pair_of_neighbors) {
  struct Row {
    std::vector<int> extents;
    int links;  // p for each dimension, but p / 2 for an extent of 2 and 0 for an extent of 1
  };
  Row const rows[] = {{{5}, 5},           {{2}, 1},    {{1}, 0},        {{4, 4}, 32},
                      {{3, 2}, 6 + 3},    {{1, 5}, 5}, {{2, 2, 2}, 12}, {{8, 6, 10}, 3 * 480},
                      {{2, 1, 7}, 7 + 14}};
  for (auto const& [extents, links] : rows) {
    Torus const torus(extents);
    auto const xml = to_simgrid_xml(machine(TorusMachine{torus}));
    EXPECT_EQ(nics(xml), torus.size());
    EXPECT_EQ(topology_links(xml), links) << testing::PrintToString(extents);
    EXPECT_EQ(count(xml, "<route "), torus.size() + links);
  }
}

/// The names of its hosts, in the order of their numbers.
std::vector<std::string> host_names(std::string const& xml) {
  std::vector<std::string> names;
  std::string const host = "<host id=\"", radical = "radical=\"";
  for (auto at = xml.find(host); at != std::string::npos; at = xml.find(host, at + 1)) {
    auto const first = at + host.size();
    names.push_back(xml.substr(first, xml.find('"', first) - first));
  }
  auto const at = xml.find(radical);
  if (at == std::string::npos) return names;
  int from = 0, to = 0;
  std::sscanf(xml.c_str() + at + radical.size(), "%d-%d", &from, &to);
  for (int number = from; number <= to; ++number) names.push_back("h" + std::to_string(number));
  return names;
}

TEST(Xml, names_of_hosts_are_in_the_order_of_their_numbers) {
  auto tree = machine(FatTree{{4, 3}, {1, 2}, {1, 1}});
  tree.links = LinkSharing::shared;
  std::pair<Platform, std::size_t> const rows[] = {
      {machine(Ring{1}), 1},
      {machine(Ring{9}), 9},
      {machine(Ring{10}), 10},
      {machine(Ring{11}), 11},
      {machine(FullyConnected{1}), 1},
      {machine(FullyConnected{10}), 10},
      {machine(FullyConnected{11}), 11},
      {machine(FullyConnected{100}), 100},
      {machine(FullyConnected{101}), 101},
      {machine(TorusMachine{Torus({12, 9})}), 108},
      {machine(Dragonfly{}), 72},
      {tree, 12},
  };
  for (auto const& [platform, hosts] : rows) {
    auto const names = host_names(to_simgrid_xml(platform));
    EXPECT_EQ(names.size(), hosts);
    EXPECT_TRUE(std::ranges::is_sorted(names)) << names.front() << " to " << names.back();
  }
}

// Slim Fly of q = 3: 18 routers of degree 5. A graph that is not directed has each link once.
TEST(Xml, has_one_link_for_each_pair_of_joined_routers) {
  GraphMachine const graph{3, 1, {{0, 3, 1}, {3, 1, 1}, {2, 3, 1}}, false},
      directed{2, 0, {{0, 1, 1}, {1, 0, 1}}, true};
  std::tuple<MachineTopology, int, int> const rows[] = {
      {HyperX{{3, 4}, 2, {1, 1}}, 24, 4 * 3 + 3 * 6},
      {DragonflyPlus{3, 2, 4, 2, {1, 1}}, 12, 3 * 2 * 4 + 3 * 4},
      {slim_fly(3, 1), 18, 18 * 5 / 2},
      {graph, 3, 3},
      {directed, 2, 2},
  };
  for (auto const& [topology, hosts, links] : rows) {
    std::string const xml = to_simgrid_xml(machine(topology));
    EXPECT_EQ(nics(xml), hosts) << xml;
    EXPECT_EQ(topology_links(xml), links) << xml;
  }
}

TEST(Xml, of_a_mesh_has_no_link_that_closes_a_dimension) {
  std::string const xml = to_simgrid_xml(machine(MeshMachine{Torus({3, 4, 2})}));
  EXPECT_EQ(nics(xml), 24);
  EXPECT_EQ(topology_links(xml), 2 * 8 + 3 * 6 + 1 * 12);
  EXPECT_EQ(topology_links(to_simgrid_xml(machine(MeshMachine{Torus({1})}))), 0);
}

TEST(Xml, a_ring_is_a_torus_of_one_dimension) {
  auto const zone = [](std::string const& xml) { return xml.substr(xml.find("<platform")); };
  for (int hosts = 1; hosts <= 6; ++hosts) {
    EXPECT_EQ(zone(to_simgrid_xml(machine(Ring{hosts}))), zone(to_simgrid_xml(machine(TorusMachine{Torus({hosts})}))));
  }
}

TEST(Xml, latencies_of_a_route_add_up_to_the_startup) {
  auto platform = machine(Ring{8});
  platform.hop_latency = parse_seconds("200ns");
  auto const xml = to_simgrid_xml(platform);
  EXPECT_EQ(count(xml, "latency=\"400ns\" sharing_policy=\"SPLITDUPLEX\""), 8);  // twice 400 ns + 200 ns = 1 us
  EXPECT_EQ(count(xml, "latency=\"200ns\" sharing_policy=\"FATPIPE\""), 8);
}

TEST(Xml, a_nic_carries_all_ports_and_a_topology_link_bounds_one_flow) {
  auto platform = machine(Ring{4});
  platform.ports = 3;
  auto const xml = to_simgrid_xml(platform);
  EXPECT_EQ(count(xml, "bandwidth=\"3GBps\" latency=\"500ns\" sharing_policy=\"SPLITDUPLEX\""), 4);
  EXPECT_EQ(count(xml, "bandwidth=\"1GBps\" latency=\"0s\" sharing_policy=\"FATPIPE\""), 4);
  EXPECT_EQ(count(xml, "<link_ctn id=\"port\"/>"), 0);
}

TEST(Xml, hosts_of_one_router_have_links_of_their_ports) {
  auto platform = machine(Dragonfly{});
  platform.ports = 2;
  auto const xml = to_simgrid_xml(platform);
  EXPECT_EQ(nics(xml), 72);
  EXPECT_EQ(count(xml, "<router "), 36);
  EXPECT_EQ(count(xml, "<link_ctn id=\"port\"/>"), 72);
  EXPECT_EQ(count(xml, "<link id=\"port\" bandwidth=\"1GBps\""), 1);
}

TEST(Xml, hosts_with_several_ranks_have_cores_and_a_way_to_themselves) {
  auto platform = machine(MeshMachine{Torus({3, 2})});
  platform.ranks_per_host = 4;
  platform.intra_latency = 200_ns;
  platform.intra_bandwidth = BytesPerSecond(4e9);
  auto const xml = to_simgrid_xml(platform);
  EXPECT_EQ(count(xml, "core=\"4\""), 6);
  EXPECT_EQ(count(xml, "<link_ctn id=\"memory\"/>"), 6);
  EXPECT_EQ(count(xml, "<link id=\"memory\" bandwidth=\"4GBps\" latency=\"200ns\" sharing_policy=\"FATPIPE\""), 1);
  EXPECT_EQ(topology_links(xml), 2 * 2 + 3);
}

TEST(Xml, shared_links_have_the_bandwidth_of_their_cables) {
  auto platform = machine(Dragonfly{.groups = 2, .chassis = 2, .routers = 2, .cables = {5, 3, 2}});
  platform.links = LinkSharing::shared;
  platform.link_bandwidth = BytesPerSecond(2e9);
  auto const xml = to_simgrid_xml(platform);
  // One link between groups; two columns and two chassis in each group.
  EXPECT_EQ(count(xml, "bandwidth=\"10GBps\" latency=\"0s\" sharing_policy=\"SPLITDUPLEX\""), 1);
  EXPECT_EQ(count(xml, "bandwidth=\"6GBps\" latency=\"0s\" sharing_policy=\"SPLITDUPLEX\""), 4);
  EXPECT_EQ(count(xml, "bandwidth=\"4GBps\" latency=\"0s\" sharing_policy=\"SPLITDUPLEX\""), 4);
}

TEST(Xml, a_shared_fat_tree_of_equal_links_is_simgrids_own) {
  auto platform = machine(FatTree{{4, 3}, {1, 2}, {1, 1}});
  platform.links = LinkSharing::shared;
  auto const xml = to_simgrid_xml(platform);
  EXPECT_EQ(count(xml, "topology=\"FAT_TREE\" topo_parameters=\"2;4,3;1,2;1,1\""), 1);
  EXPECT_EQ(count(xml, "bw=\"1GBps\" lat=\"250ns\""), 1);  // a quarter of 1 us on each of four links
  platform.link_bandwidth = BytesPerSecond(2e9);
  EXPECT_EQ(count(to_simgrid_xml(platform), "<router "), 3 + 2);
}

TEST(Xml, sources_stand_in_the_comment_and_cannot_end_it) {
  auto platform = machine(Ring{2});
  platform.source = {"a paper", "and --> a trap ---"};
  EXPECT_NE(to_simgrid_xml(platform).find("\n     a paper\n     and - -> a trap - - - -->"), std::string::npos);
}

TEST(Xml, a_hop_latency_above_the_latency_has_no_place_in_links) {
  auto platform = machine(Ring{4});
  platform.hop_latency = 2_us;
  try {
    to_simgrid_xml(platform);
    FAIL() << "accepted";
  } catch (InputError const& error) {
    EXPECT_STREQ(error.what(),
                 "SimGrid XML gives each link a latency: hop_latency may be at most the latency 1us, got 2us");
  }
}

TEST(Xml, a_platform_file_is_refused) {
  try {
    to_simgrid_xml(machine(PlatformFile{"cluster.xml"}));
    FAIL() << "accepted";
  } catch (InputError const& error) {
    EXPECT_STREQ(error.what(), "cluster.xml is a SimGrid platform file already");
  }
}

}  // namespace
}  // namespace rondo
