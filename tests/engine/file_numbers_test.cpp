// Platform files whose numbers are their own: expected times are sums of the files' latencies and bytes over the rates
// of max-min sharing, by hand.

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "folder.hpp"
#include "platform/routing.hpp"
#include "random_machines.hpp"

namespace rondo {
namespace {

using namespace testing;

/// A zone with hosts a to d, and what else it holds.
std::string zone(std::string const& content) {
  return "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
         "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">"
         "<host id=\"a\" speed=\"1Gf\"/><host id=\"b\" speed=\"1Gf\"/><host id=\"c\" speed=\"1Gf\"/>"
         "<host id=\"d\" speed=\"1Gf\"/>" +
         content + "</zone></platform>\n";
}

std::string link(std::string const& id, std::string const& bandwidth, std::string const& latency,
                 std::string const& policy = "SHARED") {
  return "<link id=\"" + id + "\" bandwidth=\"" + bandwidth + "\" latency=\"" + latency + "\" sharing_policy=\"" +
         policy + "\"/>";
}

std::string route(std::string const& from, std::string const& to, std::string const& links) {
  return "<route src=\"" + from + "\" dst=\"" + to + "\">" + links + "</route>";
}
std::string over(std::string const& id) { return "<link_ctn id=\"" + id + "\"/>"; }

Platform as_it_is(std::string const& path, TimingModel timing = TimingModel::linear) {
  Platform platform;
  platform.topology = PlatformFile{.path = path, .own_numbers = true};
  platform.timing = timing;
  platform.ports = 64;
  return platform;
}

void expect_time(std::string const& path, std::vector<PlannedMessage> const& messages, double seconds) {
  for (TimingModel const timing : {TimingModel::linear, TimingModel::flow}) {
    Schedule const schedule = schedule_of(4, messages);
    Platform const platform = as_it_is(path, timing);
    EXPECT_NEAR(testing::simulate_native(schedule, platform).makespan.value, seconds, 1e-12 * seconds);
    expect_agreement(schedule, platform);
  }
}

// All hosts send and receive over one link, which carries 100 MB/s in all. A message crosses it and a link of its pair.
std::string one_link_for_all() {
  std::string text = link("all", "100MBps", "1ms") + link("own", "1GBps", "2ms");
  for (char const* pair : {"ab", "ac", "ad", "bc", "bd", "cd"}) {
    text += route(std::string(1, pair[0]), std::string(1, pair[1]), over("all") + over("own"));
  }
  return zone(text);
}

TEST(FileNumbers, are_latencies_in_sum_and_links_that_all_hosts_share) {
  test::Folder const folder;
  std::string const path = folder.write("one.xml", one_link_for_all());
  expect_time(path, {{0, 1, 1, 1, 1'000'000}}, 0.003 + 0.01);
  // Both ways, and other pairs: 50 and 25 MB/s each.
  expect_time(path, {{0, 1, 1, 1, 1'000'000}, {1, 0, 1, 1, 1'000'000}}, 0.003 + 0.02);
  expect_time(path,
              {{0, 1, 1, 1, 1'000'000}, {1, 0, 1, 1, 1'000'000}, {2, 3, 1, 1, 1'000'000}, {3, 2, 1, 1, 1'000'000}},
              0.003 + 0.04);
  // The shorter one ends after 20 ms, and the other has the link alone for the second half of its bytes.
  expect_time(path, {{0, 1, 1, 1, 2'000'000}, {2, 3, 1, 1, 1'000'000}}, 0.003 + 0.02 + 0.01);
  expect_time(path, {{0, 1, 1, 1, 0}}, 0.003);
}

TEST(FileNumbers, have_split_links_for_each_direction_and_fat_pipes_for_each_message) {
  test::Folder const folder;
  std::string text = link("split", "100MBps", "0ms", "SPLITDUPLEX") + link("fat", "50MBps", "1ms", "FATPIPE");
  text += route("a", "b", "<link_ctn id=\"split\" direction=\"UP\"/>");
  text += route("a", "c", over("fat")) + route("b", "c", over("fat")) + route("a", "d", over("fat"));
  text += route("b", "d", over("fat")) + route("c", "d", over("fat"));
  std::string const path = folder.write("policies.xml", zone(text));
  expect_time(path, {{0, 1, 1, 1, 1'000'000}, {1, 0, 1, 1, 1'000'000}}, 0.01);
  expect_time(path, {{0, 1, 1, 1, 1'000'000}, {0, 1, 1, 1, 1'000'000}}, 0.02);
  expect_time(path, {{0, 2, 1, 1, 1'000'000}, {1, 2, 1, 1, 1'000'000}, {1, 3, 1, 1, 1'000'000}}, 0.001 + 0.02);
}

// A route of no latency at all, and one that crosses a link twice, which carries the message twice.
TEST(FileNumbers, count_a_link_as_often_as_a_route_crosses_it) {
  test::Folder const folder;
  std::string text = link("none", "100MBps", "0ms") + link("twice", "100MBps", "1ms");
  text += route("a", "b", over("none")) + route("a", "c", over("twice") + over("none") + over("twice"));
  for (char const* pair : {"ad", "bc", "bd", "cd"}) {
    text += route(std::string(1, pair[0]), std::string(1, pair[1]), over("none"));
  }
  std::string const path = folder.write("twice.xml", zone(text));
  expect_time(path, {{0, 1, 1, 1, 1'000'000}}, 0.01);
  expect_time(path, {{0, 2, 1, 1, 1'000'000}}, 0.002 + 0.02);
}

// SimGrid's own flows share a link by 1 / latency of their routes. For 9 ms the near pair has the link alone (900 kB),
// for 20 ms both have 50 MB/s, and for 11 ms the near pair has it alone again.
TEST(FileNumbers, share_links_equally_whatever_the_latencies_of_routes) {
  test::Folder const folder;
  std::string text = link("all", "100MBps", "0ms") + link("near", "1GBps", "1ms") + link("far", "1GBps", "10ms");
  text += route("a", "b", over("near") + over("all")) + route("c", "d", over("far") + over("all"));
  for (char const* pair : {"ac", "ad", "bc", "bd"}) {
    text += route(std::string(1, pair[0]), std::string(1, pair[1]), over("near"));
  }
  std::string const path = folder.write("near-and-far.xml", zone(text));
  expect_time(path, {{0, 1, 1, 1, 3'000'000}, {2, 3, 1, 1, 1'000'000}}, 0.041);
}

/// Messages that are alone, from each host to each other one: the times on the machine, and on its XML as a platform
/// file. Hosts of one router are hop_latency nearer there.
void expect_read_back(Platform const& platform, std::string const& path) {
  for (int from = 0; from < hosts(platform); ++from) {
    for (int to = 0; to < hosts(platform); ++to) {
      if (from == to) continue;
      Schedule const schedule = schedule_of(hosts(platform), {{from, to, 1, 1, 5000}});
      bool const apart = router_of(platform.topology, from) != router_of(platform.topology, to);
      double const own = testing::simulate_native(schedule, platform).makespan.value;
      double const nearer = apart ? 0 : platform.hop_latency.value;
      double const read = testing::simulate_native(schedule, as_it_is(path)).makespan.value;
      ASSERT_NEAR(read, own - nearer, 1e-12 * own) << path << ": " << from << " to " << to;
    }
  }
}

TEST(FileNumbers, of_what_is_exported_are_those_of_the_machine) {
  test::Folder const folder;
  std::vector<GraphMachine::Link> const links = {{0, 4, 1}, {1, 4, 2}, {2, 5, 1}, {3, 5, 1}, {4, 5, 2}, {0, 3, 1}};
  std::vector<GraphMachine::Link> const circle = {{0, 1, 1}, {1, 2, 2}, {2, 3, 1}, {3, 0, 1}, {2, 0, 1}};
  std::vector<MachineTopology> const topologies = {HyperX{{3, 2}, 2, {2, 1}}, DragonflyPlus{3, 2, 2, 1, {2, 1}},
                                                   slim_fly(3, 1), GraphMachine{4, 2, links, false},
                                                   GraphMachine{4, 0, circle, true}};
  int number = 0;
  for (MachineTopology const& topology : topologies) {
    Platform platform{.topology = topology, .latency = 1_us, .hop_latency = 130_ns, .bandwidth = 1_GBps};
    platform.links = LinkSharing::shared;
    platform.link_bandwidth = 2_GBps;
    std::string const name = std::to_string(++number);
    expect_read_back(platform, folder.write(name + ".xml", to_simgrid_xml(platform)));
    // Around failed links Rondo crosses as few links between groups as it can, SimGrid as few links.
    bool const has_groups = std::holds_alternative<DragonflyPlus>(topology);
    if (has_groups || std::holds_alternative<GraphMachine>(topology)) continue;
    platform.routing.failed = some_links(topology, 0.1, 1);
    expect_read_back(platform, folder.write(name + "-failed.xml", to_simgrid_xml(platform)));
  }
}

TEST(FileNumbers, are_the_same_on_both_engines) {
  Random random(57);
  test::Folder const folder;
  std::vector<std::string> files = platform_files(folder);
  for (std::string& file : files) {
    for (int i = 0; i < 3; ++i) {
      Platform platform = as_it_is(file, i == 2 ? TimingModel::flow : TimingModel::linear);
      platform.ports = static_cast<int>(random.between(1, 3));
      if (i == 2) platform.flow = {.o_send = 300_ns, .o_recv = 200_ns, .match = 10_ns, .eager = 1000_B};
      SCOPED_TRACE(file);
      expect_agreement(schedule_of(12, random_messages(random, 12)), platform);
    }
  }
  std::string const one = folder.write("one.xml", one_link_for_all());
  for (int i = 0; i < 20; ++i) expect_agreement(schedule_of(4, random_messages(random, 4)), as_it_is(one));
}

}  // namespace
}  // namespace rondo
