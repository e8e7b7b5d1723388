// Machines beyond latency and bandwidth: how they are read, and the exact lines that refuse them. The sample has 24
// ranks.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "platform/routing.hpp"
#include "sample.hpp"

namespace rondo::scenario {
namespace {

Platform machine(std::string const& topology, std::string const& more = "{}") {
  Json scenario = sample();
  scenario["machine"]["topology"] = Json::parse(topology);
  scenario["machine"].update(Json::parse(more));
  return parse(Sweep(scenario, "s.json")[0], "s.json").machine;
}

std::string refused(std::string const& topology, std::string const& more = "{}") {
  return refusal([&] { machine(topology, more); });
}

char const* const mesh = R"({"kind": "mesh", "dims": [2, 3, 4]})";
char const* const twelve = R"({"kind": "ring", "hosts": 12})";

TEST(Machine, is_a_mesh) { EXPECT_EQ(std::get<MeshMachine>(machine(mesh).topology).grid, Torus({2, 3, 4})); }

TEST(Machine, is_a_dragonfly_with_defaults) {
  auto const read = machine(R"({"kind": "dragonfly", "groups": 1})");
  auto const& dragonfly = std::get<Dragonfly>(read.topology);
  EXPECT_EQ(dragonfly.groups, 1);
  EXPECT_EQ(dragonfly.chassis, 3);
  EXPECT_EQ(dragonfly.routers, 4);
  EXPECT_EQ(dragonfly.hosts_per_router, 2);
  EXPECT_EQ(dragonfly.cables, (std::array<int, 3>{1, 1, 1}));
  auto const other = machine(R"({"kind": "dragonfly", "groups": 2, "chassis": 1, "routers": 6, "cables": [4, 3, 2]})");
  EXPECT_EQ(std::get<Dragonfly>(other.topology).cables, (std::array<int, 3>{4, 3, 2}));
}

TEST(Machine, is_a_fat_tree) {
  auto const read = machine(R"({"kind": "fat_tree", "levels": 2, "down": [4, 6], "up": [1, 2], "parallel": [1, 3]})");
  auto const& tree = std::get<FatTree>(read.topology);
  EXPECT_EQ(tree.down, (std::vector<int>{4, 6}));
  EXPECT_EQ(tree.up, (std::vector<int>{1, 2}));
  EXPECT_EQ(tree.parallel, (std::vector<int>{1, 3}));
  auto const plain = machine(R"({"kind": "fat_tree", "down": [4, 6], "up": [1, 2]})");
  EXPECT_EQ(std::get<FatTree>(plain.topology).parallel, (std::vector<int>{1, 1}));
}

TEST(Machine, has_several_ranks_a_host) {
  Platform const platform = machine(twelve, R"({"ranks_per_host": 2, "placement": "cyclic", "intra_latency": "200ns",
                                                "intra_bandwidth": "4GBps"})");
  EXPECT_EQ(platform.ranks_per_host, 2);
  EXPECT_EQ(ranks(platform), 24);
  EXPECT_EQ(host_of(platform, Rank(13)), 1);
  EXPECT_EQ(platform.intra_latency, 200_ns);
  EXPECT_EQ(platform.intra_bandwidth, 4_GBps);
  EXPECT_EQ(host_of(machine(twelve, R"({"ranks_per_host": 2})"), Rank(13)), 6);
  Platform const listed =
      machine(R"({"kind": "ring", "hosts": 2})",
              R"({"ranks_per_host": 12, "placement": [0,0,0,0,0,0,1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,0]})");
  EXPECT_EQ(host_of(listed, Rank(6)), 1);
  EXPECT_EQ(host_of(listed, Rank(23)), 0);
}

TEST(Machine, shares_links) {
  Platform const platform = machine(mesh, R"({"links": "shared", "link_bandwidth": "2GBps"})");
  EXPECT_EQ(platform.links, LinkSharing::shared);
  EXPECT_EQ(platform.link_bandwidth, 2_GBps);
  EXPECT_TRUE(shares_bandwidth(platform));
  EXPECT_FALSE(shares_bandwidth(machine(mesh)));
}

TEST(Machine, finds_its_ways) {
  std::string const dragonfly =
      R"({"kind": "dragonfly", "groups": 3, "chassis": 1, "routers": 2, "hosts_per_router": 4})";
  EXPECT_EQ(machine(dragonfly).routing.rule, RoutingRule::minimal);
  Platform const platform =
      machine(dragonfly, R"({"routing": "ugal", "routing_seed": 7, "links": "shared", "failed_links": [[2, 1]]})");
  EXPECT_EQ(platform.routing.rule, RoutingRule::ugal);
  EXPECT_EQ(platform.routing.seed, 7U);
  EXPECT_EQ(platform.routing.failed, links_between(platform.topology, {{1, 2}}));
  EXPECT_EQ(platform.routing.failed.size(), 2U);
  EXPECT_EQ(machine(mesh, R"({"failed_links": {"fraction": 0.1, "seed": 2}})").routing.failed,
            some_links(machine(mesh).topology, 0.1, 2));
}

TEST(Machine, is_refused_where_it_cannot_be) {
  struct {
    std::string topology, more, message;
  } const rows[] = {
      {R"({"kind": "mesh", "dims": [2, 3]})", "{}",
       "/collective/torus: expected 6 ranks, one for each host of /machine/topology, got 4 x 3 x 2 = 24"},
      {twelve, R"({"ranks_per_host": 3})",
       "/collective/torus: expected 36 ranks, 3 on each of the 12 hosts of /machine/topology, got 4 x 3 x 2 = 24"},
      {twelve, R"({"ranks_per_host": 0})", "/machine/ranks_per_host: expected an integer from 1 to 1048576, got 0"},
      {twelve, R"({"ranks_per_host": 2, "placement": "cylic"})",
       R"(/machine/placement: expected "block", "cyclic" or a list of hosts, got "cylic"; did you mean "cyclic"?)"},
      {twelve, R"({"ranks_per_host": 2, "placement": [0, 1]})",
       "/machine/placement: expected the hosts of 24 ranks, 2 on each of 12 hosts, got 2"},
      {R"({"kind": "ring", "hosts": 2})",
       R"({"ranks_per_host": 12, "placement": [0,0,0,0,0,0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1,1,1,1]})",
       "/machine/placement: expected each host 12 times, got 0 once more"},
      {R"({"kind": "ring", "hosts": 2})",
       R"({"ranks_per_host": 12, "placement": [2,0,0,0,0,0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1,1,1,1]})",
       "/machine/placement: expected hosts from 0 to 1, got 2"},
      {twelve, R"({"ranks_per_host": 2, "colour": "x"})",
       R"(/machine: unknown key "colour"; accepted: "topology", "source", "latency", "hop_latency", "bandwidth", "pieces", )"
       R"("ports", "ranks_per_host", "placement", "intra_latency", "intra_bandwidth", "nics", "nic_of", )"
       R"("stripe_from", "rails", "nic_gap", "island", "links", "link_bandwidth", )"
       R"("routing", "routing_seed", "failed_links", "neighbors_only", "envelope", "reduce", "disk", "poll", "timing", "flow", )"
       R"("loggp", "noise")"},
      {mesh, R"({"routing": "ecmp"})",
       R"(/machine/routing: expected "minimal" on a topology that is no "dragonfly", "fat_tree", "hyperx", "dragonfly_plus", "slim_fly" or "graph", got "ecmp")"},
      {R"({"kind": "dragonfly", "hosts_per_router": 2, "groups": 1})", R"({"routing": "ugal"})",
       R"(/machine/routing: expected "minimal", "valiant" or "ecmp" where links are not shared and carry no load, got )"
       R"("ugal")"},
      {twelve, R"({"failed_links": [[0, 2]]})",
       "/machine/failed_links: expected pairs of routers, from 0 to 11, that a link joins, got [0, 2]"},
      {twelve, R"({"failed_links": {"fraction": 1}})",
       "/machine/failed_links: expected failures that leave all hosts joined, got 12 that cut off host 1 from host 0"},
      {R"({"kind": "fully_connected", "hosts": 24})", R"({"failed_links": [[0, 1]]})",
       "/machine/failed_links: expected nothing on a topology without links that Rondo knows, got [[0,1]]"},
      {twelve, R"({"failed_links": {"fraction": 1.5}})",
       "/machine/failed_links/fraction: expected a number from 0 to 1, got 1.5"},
      {twelve, R"({"failed_links": 3})",
       "/machine/failed_links: expected a list of pairs of routers or an object with a fraction, got 3"},
      {mesh, R"({"links": "share"})",
       R"(/machine/links: expected one of "unshared", "shared", got "share"; did you mean "shared"?)"},
      {mesh, R"({"intra_bandwidth": "4"})",
       R"(/machine/intra_bandwidth: expected a bandwidth such as "1GBps", got "4": the unit is missing (one of TBps, )"
       R"(GBps, MBps, kBps, Bps, KiBps, MiBps, GiBps, TiBps, bps, kbps, Mbps, Gbps, Tbps, Kibps, Mibps, Gibps, Tibps))"},
      {R"({"kind": "dragonfly", "cables": [1, 1]})", "{}",
       "/machine/topology/cables: expected a list of three integers of at least 1, got [1,1]"},
      {R"({"kind": "dragonfly", "groups": 4096, "chassis": 4096})", "{}",
       "/machine/topology: expected at most 16777216 hosts in a dragonfly"},
      {R"({"kind": "fat_tree", "down": [4, 6], "up": [2, 2]})", "{}",
       "/machine/topology: expected 1 as the first number of \"up\" of a fat tree, as a host has one NIC, got 2"},
      {R"({"kind": "fat_tree", "down": [4, 6], "up": [1]})", "{}",
       "/machine/topology: expected as many numbers down, up and parallel as a fat tree has levels, got 2, 1, 2"},
      {R"({"kind": "fat_tree", "levels": 3, "down": [4, 6], "up": [1, 1]})", "{}",
       R"(/machine/topology/levels: expected 2, the length of "down", got 3)"},
      {R"({"kind": "fat_tree", "down": [4, 6]})", "{}",
       R"(/machine/topology: missing key "up" (a list of 1 to 24 integers: for each level, beginning at the hosts: )"
       R"(how many links go up to this level from each host or switch below; the first is 1, the link of a host's NIC))"},
  };
  for (auto const& [topology, more, message] : rows)
    EXPECT_EQ(refused(topology, more), "s.json: " + message) << topology;
}

TEST(Machine, of_a_file_takes_no_word_on_what_the_file_says) {
  std::string const file = R"({"kind": "file", "path": ")" RONDO_SOURCE_DIR R"(/platforms/ring-64.xml"})";
  struct {
    std::string more, message;
  } const rows[] = {
      {R"({"ranks_per_host": 2})", "ranks_per_host: expected 1, a rank on each host, with a platform file, got 2"},
      {R"({"links": "unshared"})", R"(links: expected "shared" or nothing with a platform file, got "unshared")"},
      {R"({"placement": "cyclic"})", R"(placement: expected "block" or nothing with a platform file, got "cyclic")"},
  };
  for (auto const& [more, message] : rows) EXPECT_EQ(refused(file, more), "s.json: /machine/" + message);
  EXPECT_EQ(refused(file, R"({"links": "shared"})"), "accepted");
}

TEST(Machine, that_shares_bandwidth_is_taken_by_both_engines) {
  Json scenario = sample();
  for (char const* engine : {"native", "smpi"}) {
    scenario["engine"] = engine;
    scenario["machine"]["links"] = "shared";
    EXPECT_EQ(refusal([&] { read_all(scenario, "s.json"); }), "accepted");
  }
}

}  // namespace
}  // namespace rondo::scenario
