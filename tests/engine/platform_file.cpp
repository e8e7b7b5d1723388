// Machines from SimGrid platform files.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "engine/smpi/machine.hpp"
#include "folder.hpp"
#include "schedules.hpp"

namespace rondo {
namespace {

using namespace testing;

Platform from_file(std::string const& path) {
  Platform platform = machine(1);
  platform.topology = PlatformFile{path};
  return platform;
}

std::string repository_file(std::string const& name) { return RONDO_SOURCE_DIR "/platforms/" + name; }

/// A platform file with this content.
std::string written(test::Folder const& folder, std::string const& content) {
  return folder.write("platform.xml",
                      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                      "<platform version=\"4.1\">\n" +
                          content + "\n</platform>\n");
}

std::string cluster(std::string const& attributes) {
  return "<cluster id=\"c\" prefix=\"h\" suffix=\"\" radical=\"0-11\" speed=\"1Gf\" " + attributes + "/>";
}

/// What the simulation refuses, or an empty string.
std::string refusal(Case const& what, Platform const& platform) {
  try {
    simulate(what, platform);
  } catch (InputError const& error) {
    return error.what();
  }
  return "";
}

TEST(Smpi, takes_the_same_time_on_the_files_as_on_the_built_in_machines) {
  for (char const* name : {"fully-connected-64.xml", "ring-64.xml", "torus-8x6x10.xml", "dragonfly-small.xml"}) {
    Timing const timing = simulate(ring_shift(64, {1, 2, 17}, 1_KiB), from_file(repository_file(name)));
    EXPECT_SECONDS(timing.makespan, 3 * (1_us + 1_KiB / 1_GBps)) << name;
  }
}

TEST(Smpi, loads_every_file_of_the_repository_in_two_seconds) {
  int files = 0;
  for (auto const& entry : std::filesystem::directory_iterator(RONDO_SOURCE_DIR "/platforms")) {
    if (entry.path().extension() != ".xml") continue;
    Timing const timing = simulate(ring_shift(2, {1}, 1_KiB), from_file(entry.path().string()));
    EXPECT_SECONDS(timing.makespan, 1_us + 1_KiB / 1_GBps) << entry.path();
    EXPECT_LT(timing.wall.value, 2) << entry.path();
    ++files;
  }
  EXPECT_GE(files, 10);
}

TEST(Smpi, takes_one_message_as_long_on_the_xml_of_any_machine_as_on_the_machine) {
  FatTree const tree{{4, 3}, {1, 2}, {1, 1}};
  for (MachineTopology const& topology :
       {MachineTopology(Ring{5}), MachineTopology(MeshMachine{Torus({3, 4})}), MachineTopology(Dragonfly{.groups = 2}),
        MachineTopology(tree), MachineTopology(FullyConnected{3})}) {
    for (int const ports : {1, 2}) {
      Platform platform = machine(1);
      platform.topology = topology;
      platform.ports = ports;
      for (LinkSharing const links : {LinkSharing::unshared, LinkSharing::shared}) {
        platform.links = links;
        test::Folder const folder;
        std::string const path = folder.file("machine.xml");
        std::ofstream(path) << to_simgrid_xml(platform);
        Timing const timing = simulate(ring_shift(3, {1}, 1_KiB), from_file(path));
        EXPECT_SECONDS(timing.makespan, 1_us + 1_KiB / 1_GBps) << topology.index() << ", ports " << ports;
      }
    }
  }
}

TEST(Smpi, takes_latency_bandwidth_and_ports_from_the_machine_not_from_the_file) {
  test::Folder const folder;
  Platform platform = from_file(written(folder, cluster("bw=\"1Mbps\" lat=\"1s\"")));
  Seconds const one = 1_us + 1_KiB / 1_GBps;
  EXPECT_SECONDS(simulate(posted_ring_shift(12, {1, 2}, 1_KiB), platform).makespan, 2 * one);
  platform.ports = 2;
  EXPECT_SECONDS(simulate(posted_ring_shift(12, {1, 2}, 1_KiB), platform).makespan, one);
}

TEST(Smpi, shares_the_links_of_the_file) {
  test::Folder const folder;
  // All 12 messages cross the backbone, whose 6 GB/s they share: twice the time of a whole port.
  Platform platform = from_file(written(folder, cluster("bw=\"1GBps\" lat=\"1us\" bb_bw=\"6GBps\" bb_lat=\"1us\"")));
  platform.latency = Seconds(0);
  EXPECT_SECONDS(simulate(ring_shift(12, {1}, 1_MiB), platform).makespan, 2 * (1_MiB / 1_GBps));
}

TEST(Smpi, refuses_hosts_that_share_a_link_to_the_network) {
  test::Folder const folder;
  std::string const path =
      written(folder,
              "<zone id=\"z\" routing=\"Full\"><host id=\"a\" speed=\"1Gf\"/><host id=\"b\" speed=\"1Gf\"/>"
              "<host id=\"c\" speed=\"1Gf\"/><link id=\"bus\" bandwidth=\"1GBps\" latency=\"1us\"/>"
              "<route src=\"a\" dst=\"b\"><link_ctn id=\"bus\"/></route><route src=\"b\" dst=\"c\"><link_ctn "
              "id=\"bus\"/></route>"
              "<route src=\"a\" dst=\"c\"><link_ctn id=\"bus\"/></route></zone>");
  EXPECT_EQ(refusal(ring_shift(3, {1}, 1_B), from_file(path)),
            path +
                ": host a sends and receives over one link, bus: expected an up link and a down link of its own for "
                "each host, to count its ports there");
}

TEST(Smpi, refuses_a_host_with_several_links_to_the_network) {
  test::Folder const folder;
  std::string hosts, links, routes;
  for (std::string const from : {"a", "b", "c"}) {
    hosts += "<host id=\"" + from + "\" speed=\"1Gf\"/>";
    for (std::string const to : {"a", "b", "c"}) {
      if (from == to) continue;
      links += "<link id=\"" + from + to + "\" bandwidth=\"1GBps\" latency=\"1us\"/>";
      routes += "<route src=\"" + from + "\" dst=\"" + to + "\" symmetrical=\"NO\"><link_ctn id=\"" + from + to +
                "\"/></route>";
    }
  }
  std::string const path = written(folder, "<zone id=\"z\" routing=\"Full\">" + hosts + links + routes + "</zone>");
  std::string const refused = refusal(ring_shift(3, {1, 2}, 1_B), from_file(path));
  EXPECT_NE(refused.find("expected"), std::string::npos) << refused;
}

TEST(Smpi, refuses_more_ranks_than_a_file_has_hosts) {
  std::string const path = repository_file("ring-64.xml");
  EXPECT_EQ(refusal(ring_shift(65, {1}, 1_B), from_file(path)),
            path + ": the ranks need 65 hosts, the platform has 64");
}

TEST(Smpi, refuses_a_file_that_is_missing_empty_or_a_directory) {
  test::Folder const folder;
  std::string const empty = folder.write("empty.xml", "");
  for (auto const& [path, error] : {std::pair(std::string("/nowhere/machine.xml"), "no such file"),
                                    std::pair(empty, "expected a SimGrid platform file, got an empty one"),
                                    std::pair(folder.path().string(), "expected a file, got a folder")}) {
    EXPECT_EQ(refusal(ring_shift(2, {1}, 1_B), from_file(path)), path + ": " + error);
  }
}

TEST(Smpi, refuses_a_file_that_simgrid_does_not_read) {
  test::Folder const folder;
  for (char const* content : {"<zone id=\"z\" routing=\"Full\"><host id=\"a\" speed=\"fast\"/></zone>",
                              "<zone id=\"z\" routing=\"Full\"><host id=\"a\"/></zone>"}) {
    std::string const path = written(folder, content);
    std::string const refused = refusal(ring_shift(1, {}, 1_B), from_file(path));
    EXPECT_TRUE(refused.starts_with(path + ": SimGrid does not read it: ")) << refused;
    EXPECT_GT(refused.size(), path.size() + 40) << refused;
    EXPECT_EQ(refused.find('\n'), std::string::npos);
    EXPECT_EQ(refused.find("/proc/self"), std::string::npos) << refused;
  }
}

TEST(Smpi, does_not_configure_simgrid_by_a_file) {
  test::Folder const folder;
  std::string const victim = folder.write("victim", "mine");
  std::string const path =
      written(folder, "<config><prop id=\"tracing\" value=\"yes\"/><prop id=\"tracing/filename\" value=\"" + victim +
                          "\"/></config>" + cluster("bw=\"1GBps\" lat=\"1us\""));
  EXPECT_EQ(refusal(ring_shift(2, {1}, 1_B), from_file(path)), "");
  std::ifstream stream(victim);
  std::string text;
  std::getline(stream, text);
  EXPECT_EQ(text, "mine");
}

TEST(HostOrder, compares_numbers_in_names_as_numbers) {
  EXPECT_TRUE(natural_less("h2", "h10"));
  EXPECT_FALSE(natural_less("h10", "h2"));
  EXPECT_TRUE(natural_less("a10", "b2"));
  EXPECT_TRUE(natural_less("h", "h0"));
  EXPECT_TRUE(natural_less("h1-2", "h1-10"));
  EXPECT_TRUE(natural_less("h01", "h1"));
  EXPECT_FALSE(natural_less("h7", "h7"));
  EXPECT_TRUE(natural_less("h99999999999999999999", "h100000000000000000000"));
}

}  // namespace
}  // namespace rondo
