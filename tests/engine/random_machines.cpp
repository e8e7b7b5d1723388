#include "random_machines.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "platform/routing.hpp"
#include "schedules.hpp"

namespace rondo::testing {

namespace {

/// Hosts on switches of a ring, which links of any width join.
GraphMachine random_graph(Random& random) {
  GraphMachine machine{
      static_cast<int>(random.between(2, 8)), static_cast<int>(random.between(2, 4)), {}, random.below(2) == 0};
  auto const join = [&](int a, int b) {
    machine.links.push_back({a, b, static_cast<int>(random.between(1, 3))});
    if (machine.directed) machine.links.push_back({b, a, static_cast<int>(random.between(1, 3))});
  };
  int const n = machine.switches;
  for (int host = 0; host < machine.hosts; ++host) join(host, machine.hosts + host % n);
  for (int i = 0; i < n && (n > 2 || i == 0); ++i) join(machine.hosts + i, machine.hosts + (i + 1) % n);
  return machine;
}

MachineTopology random_topology(Random& random) {
  switch (random.below(11)) {
    case 0:
      return FullyConnected{static_cast<int>(random.between(2, 8))};
    case 1:
      return Ring{static_cast<int>(random.between(2, 9))};
    case 2:
      return TorusMachine{Torus({static_cast<int>(random.between(1, 4)), static_cast<int>(random.between(2, 4))})};
    case 3:
      return MeshMachine{Torus({static_cast<int>(random.between(2, 4)), static_cast<int>(random.between(1, 3))})};
    case 4:
      return FatTree{{2, 3}, {1, static_cast<int>(random.between(1, 2))}, {1, 1}};
    case 5:
      return FatTree{{2, 2, 2}, {1, 2, 1}, {1, 1, static_cast<int>(random.between(1, 2))}};
    case 6:
      return HyperX{{static_cast<int>(random.between(2, 3)), static_cast<int>(random.between(1, 3))},
                    static_cast<int>(random.between(1, 2)),
                    {1, static_cast<int>(random.between(1, 2))}};
    case 7:
      return DragonflyPlus{static_cast<int>(random.between(1, 3)),
                           static_cast<int>(random.between(1, 2)),
                           static_cast<int>(random.between(1, 2)),
                           2,
                           {static_cast<int>(random.between(1, 2)), 1}};
    case 8:
      return slim_fly(3, 1);
    case 9:
      return random_graph(random);
    default:
      return Dragonfly{.groups = static_cast<int>(random.between(2, 3)),
                       .chassis = static_cast<int>(random.between(1, 2)),
                       .routers = static_cast<int>(random.between(1, 2)),
                       .hosts_per_router = static_cast<int>(random.between(1, 2)),
                       .cables = {static_cast<int>(random.between(1, 2)), 1, 1}};
  }
}

}  // namespace

Placement random_placement(Random& random, int hosts, int each) {
  auto const kind = random.below(3);
  if (kind == 0) return BlockPlacement{};
  if (kind == 1) return CyclicPlacement{};
  ListPlacement list;
  for (int rank = 0; rank < hosts * each; ++rank) list.host_of.push_back(rank % hosts);
  for (std::size_t i = list.host_of.size(); i-- > 1;) std::swap(list.host_of[i], list.host_of[random.below(i + 1)]);
  return list;
}

Routing random_routing(Random& random, Platform const& platform) {
  Routing routing;
  MachineTopology const& topology = platform.topology;
  if (link_ids(topology) == 0) return routing;
  routing.seed = random.below(1000);
  if (random.below(3) == 0) routing.failed = some_links(topology, 0.15, random.below(1000));
  try {
    check_joined(topology, routing.failed);
  } catch (InputError const&) {
    routing.failed.clear();
  }
  if (std::holds_alternative<GraphMachine>(topology)) {
    if (random.below(2) == 0) routing.rule = RoutingRule::ecmp;
    return routing;
  }
  bool const one_way = std::holds_alternative<FullyConnected>(topology) || std::holds_alternative<Ring>(topology) ||
                       std::holds_alternative<TorusMachine>(topology) || std::holds_alternative<MeshMachine>(topology);
  if (one_way) return routing;
  std::vector<RoutingRule> rules{RoutingRule::minimal, RoutingRule::valiant, RoutingRule::ecmp};
  if (platform.links == LinkSharing::shared) rules.insert(rules.end(), 3, RoutingRule::ugal);
  routing.rule = one_of(random, rules);
  return routing;
}

Platform random_machine(Random& random) {
  Platform platform;
  platform.topology = random_topology(random);
  platform.latency = one_of<Seconds>(random, {1_us, Seconds(0), 137_ns});
  platform.hop_latency = one_of<Seconds>(random, {Seconds(0), 100_ns, 33_ns});
  platform.bandwidth = one_of(random, std::vector{1_GBps, 3_GBps, 7_GBps, 12_GBps, 23_GBps, BytesPerSecond(1.13e9)});
  platform.ports = static_cast<int>(random.between(1, 4));
  platform.ranks_per_host = static_cast<int>(one_of<int>(random, {1, 1, 2, 3}));
  platform.placement = random_placement(random, hosts(platform), platform.ranks_per_host);
  platform.links = random.below(2) == 0 ? LinkSharing::shared : LinkSharing::unshared;
  platform.link_bandwidth =
      one_of<std::optional<BytesPerSecond>>(random, {std::nullopt, BytesPerSecond(5e8), BytesPerSecond(2.5e9), 7_GBps});
  platform.routing = random_routing(random, platform);
  if (random.below(2) == 0) platform.intra_latency = 200_ns;
  if (random.below(2) == 0) platform.intra_bandwidth = 4_GBps;
  platform.envelope = one_of<Bytes>(random, {0_B, 24_B});
  if (random.below(2) == 0) {
    platform.pieces = {{64_B, 250_ns, BytesPerSecond(5e8)}, {1000_B, 2_us, BytesPerSecond(8e8)}};
    if (random.below(2) == 0) platform.pieces.pop_back();
  }
  return platform;
}

std::vector<std::string> platform_files(test::Folder const& folder) {
  std::vector<std::string> files;
  for (char const* name : {"ring-64.xml", "torus-8x6x10.xml", "dragonfly-small.xml", "fully-connected-64.xml"}) {
    files.push_back(std::string(RONDO_SOURCE_DIR "/platforms/") + name);
  }
  for (std::string const backbone :
       {"bb_bw=\"3GBps\" bb_lat=\"1us\"", "bb_bw=\"700MBps\" bb_lat=\"1us\" bb_sharing_policy=\"FATPIPE\"", ""}) {
    files.push_back(folder.write(
        fmt::format("backbone{}.xml", files.size()),
        "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">"
        "<platform version=\"4.1\"><cluster id=\"c\" prefix=\"h\" suffix=\"\" radical=\"0-11\" speed=\"1Gf\" "
        "bw=\"5GBps\" lat=\"3us\" " +
            backbone + "/></platform>"));
  }
  return files;
}

std::vector<PlannedMessage> random_messages(Random& random, int ranks) {
  auto planned =
      random_payloads(random, ranks, static_cast<int>(random.between(1, 5)), static_cast<int>(random.between(0, 3)));
  if (random.below(2) == 0) {
    for (PlannedMessage& each : planned) each.bytes = random.between(0, 5000);
  }
  if (random.below(2) == 0) {
    for (std::size_t i = planned.size(); i-- > 1;) std::swap(planned[i], planned[random.below(i + 1)]);
  }
  return planned;
}

Platform random_flow_machine(Random& random) {
  Platform platform = random_machine(random);
  platform.timing = TimingModel::flow;
  std::vector<Seconds> const overheads{Seconds(0), 300_ns, 1_us, 77_ns};
  platform.flow.o_send = one_of(random, overheads);
  platform.flow.o_recv = one_of(random, overheads);
  platform.flow.match = one_of<Seconds>(random, {Seconds(0), Seconds(0), 10_ns, 150_ns});
  platform.reduce = one_of<Seconds>(random, {Seconds(0), Seconds(2e-10), Seconds(1e-9)});
  platform.flow.eager = one_of<Bytes>(random, {0_B, 1000_B, 2000_B, 1_MiB});
  return platform;
}

Timing smpi_timing(Schedule const& schedule, Platform const& platform) {
  Collective const collective = IsomorphicAlltoall{Torus({schedule.ranks}), Neighborhood(1, {{1}})};
  return simulate({schedule, collective}, platform, Payload::timing);
}

Platform with_insides(Random& random, Platform platform) {
  platform.ranks_per_host = static_cast<int>(one_of<int>(random, {1, 2, 3, 4, 5}));
  platform.placement = random_placement(random, hosts(platform), platform.ranks_per_host);
  platform.nics = static_cast<int>(one_of<int>(random, {1, 2, 3, 4, 7}));
  platform.nic_of = one_of<NicRule>(random, {NicRule::block, NicRule::cyclic, NicRule::striped});
  platform.stripe_from = one_of<Bytes>(random, {0_B, 1000_B, 2001_B});
  platform.rails = random.below(2) == 0;
  if (random.below(3) > 0) {
    auto const kind = one_of<IslandKind>(random, {IslandKind::memory, IslandKind::central_switch, IslandKind::links});
    platform.island = Island{kind, one_of(random, std::vector{BytesPerSecond(7e8), 3_GBps, 19_GBps})};
  }
  if (platform.timing == TimingModel::flow) {
    platform.nic_gap = one_of<Seconds>(random, {Seconds(0), Seconds(0), 50_ns, 610_ns});
    platform.flow.handshake = one_of<Seconds>(random, {Seconds(0), 700_ns});
  }
  return platform;
}

MachineNoise random_noise(Random& random) {
  auto const trace = std::make_shared<NoiseTrace const>(
      noise_trace(random.below(2) == 0 ? "100\n2500\n0\n" : "700 300\n1500 2000\n9000 40\n12000 0\n"));
  auto const law = [&]() -> std::optional<NoiseLaw> {
    if (random.below(3) == 0) return std::nullopt;
    Seconds const mean = one_of<Seconds>(random, {Seconds(0), 40_ns, 3_us});
    Seconds const spread = one_of<Seconds>(random, {Seconds(0), 100_ns, 2_us});
    auto const kind =
        one_of<NoiseKind>(random, {NoiseKind::uniform, NoiseKind::normal, NoiseKind::exponential, NoiseKind::trace});
    return NoiseLaw{kind, mean, spread, trace};
  };
  MachineNoise noise{law(), law(), law()};
  if (!noise.any()) noise.latency = NoiseLaw{NoiseKind::exponential, 500_ns, {}, {}};
  return noise;
}

void expect_agreement(Schedule const& schedule, Platform const& platform) {
  Timing const native = testing::simulate_native(schedule, platform);
  Timing const smpi = smpi_timing(schedule, platform);
  ASSERT_EQ(native.messages, smpi.messages);
  ASSERT_EQ(native.bytes, smpi.bytes);
  for (int rank = 0; rank < schedule.ranks; ++rank) {
    ASSERT_NEAR(finish(native, rank).value, finish(smpi, rank).value, 1e-9 * smpi.makespan.value) << "rank " << rank;
  }
}

}  // namespace rondo::testing
