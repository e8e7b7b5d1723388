// The machine as SimGrid XML: platforms/ holds what to_simgrid_xml writes, byte for byte; and the counts of links
// follow from the topology. RONDO_UPDATE=1 in the environment writes the files anew.

#include <gtest/gtest.h>

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
    int links;  // d * p; half of a dimension's where its extent is 2, none where it is 1
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
  EXPECT_EQ(count(xml, "bandwidth=\"1GBps\" latency=\"0s\" sharing_policy=\"FATPIPE\""), 4 + 1);
  EXPECT_EQ(count(xml, "<link_ctn id=\"port\"/>"), 4);  // hosts of one router have no topology link between them
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
