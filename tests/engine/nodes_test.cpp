// Hosts with an inside: NICs, rails, islands, gaps and handshakes, on both engines and in exact fractions.

#include <gtest/gtest.h>

#include <functional>

#include "native_schedules.hpp"
#include "random_machines.hpp"
#include "sanitized.hpp"
#include "schedules.hpp"

namespace rondo {
namespace {

using namespace testing;

Platform random_node_machine(Random& random) {
  Platform const plain = random.below(2) == 0 ? random_machine(random) : random_flow_machine(random);
  return with_insides(random, plain);
}

/// Both engines against the rule in exact fractions.
void expect_exact(int ranks, std::vector<PlannedMessage> const& planned, Platform const& platform) {
  bool const flow = platform.timing == TimingModel::flow;
  auto const expected =
      flow ? reference_flow_finish(ranks, planned, platform) : reference_finish(ranks, planned, platform);
  Schedule const schedule = schedule_of(ranks, planned);
  Timing const native = testing::simulate_native(schedule, platform);
  Timing const smpi = smpi_timing(schedule, platform);
  ASSERT_EQ(expected.size(), static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) {
    double const due = expected[static_cast<std::size_t>(rank)];
    ASSERT_NEAR(1e9 * finish(native, rank).value, due, 1e-9 * due) << "native, rank " << rank;
    ASSERT_NEAR(1e9 * finish(smpi, rank).value, due, 1e-9 * due) << "smpi, rank " << rank;
  }
}

void expect_exact_on_machines(int first, int count) {
  for (int seed = first; seed < first + count; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Platform const platform = random_node_machine(random);
    auto const carried = static_cast<int>(ranks(platform));
    // A schedule may leave ranks of the machine idle.
    int const p = random.below(4) == 0 ? std::max(2, carried - 1) : carried;
    auto planned = random_messages(random, p);
    if (planned.size() > 40) planned.resize(40);
    expect_exact(p, planned, platform);
    ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << seed;
  }
}

struct NodeExample {
  char const* name;
  int hosts, ranks_per_host;
  std::function<void(Platform&)> set;
  std::vector<PlannedMessage> planned;
  std::vector<double> finish_ns;  ///< of the first ranks
};

/// 1 us and 1 GB/s between hosts, 200 ns and 2 GB/s within: a byte takes a nanosecond, or half of one.
std::vector<NodeExample> const node_examples{
    {"block: ranks 0 and 1 of four use NIC 0 of two, and have half of it each",
     2,
     4,
     [](Platform& m) { m.nics = 2; },
     {{0, 4, 1, 1, 3000}, {1, 5, 1, 1, 3000}},
     {7000, 7000, 0, 0, 7000, 7000}},
    {"block: ranks 1 and 2 do not",
     2,
     4,
     [](Platform& m) { m.nics = 2; },
     {{1, 5, 1, 1, 3000}, {2, 6, 1, 1, 3000}},
     {0, 4000, 4000}},
    {"cyclic: ranks 0 and 2 use one NIC, 1 another",
     2,
     4,
     [](Platform& m) {
       m.nics = 2;
       m.nic_of = NicRule::cyclic;
     },
     {{0, 4, 1, 1, 3000}, {1, 5, 1, 1, 3000}, {2, 6, 1, 1, 3000}},
     {7000, 4000, 7000}},
    {"NICs of the target: two sources of NICs of their own meet on that of the target's NIC",
     3,
     2,
     [](Platform& m) {
       m.nics = 2;
       m.ports = 1;
     },
     {{0, 4, 1, 1, 3000}, {2, 5, 1, 1, 3000}},
     {4000, 0, 4000}},
    {"striped: 4001 bytes are four flows of 1001",
     2,
     1,
     [](Platform& m) {
       m.nics = 4;
       m.nic_of = NicRule::striped;
     },
     {{0, 1, 1, 1, 4001}},
     {2001, 2001}},
    {"striped: the envelope is carried too, and 4000 bytes are less than 4001",
     2,
     1,
     [](Platform& m) {
       m.nics = 4;
       m.nic_of = NicRule::striped;
       m.stripe_from = 4001_B;
       m.envelope = 3_B;
     },
     {{0, 1, 1, 1, 4000}, {0, 1, 2, 2, 4001}},
     {5003 + 2001, 5003 + 2001}},
    {"striped: two ranks share four NICs, each with two full flows",
     2,
     2,
     [](Platform& m) {
       m.nics = 4;
       m.nic_of = NicRule::striped;
     },
     {{0, 2, 1, 1, 4000}, {1, 3, 1, 1, 4000}},
     {3000, 3000, 3000, 3000}},
    {"rails: what comes in by the NIC of another rank goes on through the memory, at its speed",
     2,
     2,
     [](Platform& m) {
       m.nics = 2;
       m.rails = true;
       m.intra_bandwidth = BytesPerSecond(5e8);
     },
     {{0, 3, 1, 1, 3000}, {1, 3, 2, 2, 3000}},
     // 1200 + 3000 * 2 ns, then 1000 + 3000.
     {7200, 11200, 0, 11200}},
    {"rails over a switch: its link to the target is shared with what comes from within",
     2,
     2,
     [](Platform& m) {
       m.nics = 2;
       m.rails = true;
       m.ports = 2;
       m.island = Island{IslandKind::central_switch, 1_GBps};
     },
     {{0, 3, 1, 1, 3000}, {2, 3, 1, 1, 4000}},
     // 2's flow begins at 200 with 1 GB/s and has 3000 left at 1200, when 0's begins: both end at 1200 + 6000.
     {7200, 0, 7200, 7200}},
    {"rails over links: the lowest rank on the NIC passes it on",
     2,
     4,
     [](Platform& m) {
       m.nics = 2;
       m.rails = true;
       m.ports = 2;
       m.island = Island{IslandKind::links, 1_GBps};
     },
     // 1 is on NIC 0, and 7 on NIC 1: 4 passes it on. 4's own message to 7 shares that link from 1200 on, 5's does not.
     {{1, 7, 1, 1, 3000}, {4, 7, 1, 1, 4000}},
     {0, 7200, 0, 0, 7200, 0, 0, 7200}},
    {"a switch is shared under linear timing, a link to each rank and from each",
     1,
     3,
     [](Platform& m) {
       m.ports = 2;
       m.island = Island{IslandKind::central_switch, 2_GBps};
     },
     {{0, 2, 1, 1, 4000}, {1, 2, 1, 1, 4000}},
     {4200, 4200, 4200}},
    {"links of an island are of pairs",
     1,
     3,
     [](Platform& m) {
       m.ports = 2;
       m.island = Island{IslandKind::links, 2_GBps};
     },
     {{0, 2, 1, 1, 4000}, {1, 2, 1, 1, 4000}},
     {2200, 2200, 2200}},
    {"a NIC lets messages pass a gap apart",
     4,
     1,
     [](Platform& m) {
       m.timing = TimingModel::flow;
       m.flow.eager = 1_MiB;
       m.nic_gap = 100_ns;
     },
     {{0, 1, 1, 1, 0}, {0, 2, 1, 1, 0}, {0, 3, 1, 1, 0}},
     {0, 1000, 1100, 1200}},
    {"so does that into a host, in the order of sources",
     4,
     1,
     [](Platform& m) {
       m.timing = TimingModel::flow;
       m.flow.eager = 1_MiB;
       m.nic_gap = 100_ns;
     },
     {{1, 0, 1, 1, 0}, {2, 0, 1, 1, 0}, {3, 0, 1, 1, 0}},
     {1200, 0, 0, 0}},
    {"each NIC counts for itself, and the later one decides",
     4,
     1,
     [](Platform& m) {
       m.timing = TimingModel::flow;
       m.flow.eager = 1_MiB;
       m.nic_gap = 100_ns;
     },
     // 0's to 2 passes out at 100, as 1's passes into 2 at 100 after it: 0's at 0. So 0's sets out at 100, and so does
     // 1's.
     {{0, 3, 1, 1, 0}, {0, 2, 1, 1, 0}, {1, 2, 1, 1, 0}},
     {0, 0, 1100, 1000}},
    {"messages larger than eager begin with a handshake, within a host too",
     2,
     2,
     [](Platform& m) {
       m.timing = TimingModel::flow;
       m.flow.eager = 1000_B;
       m.flow.handshake = 700_ns;
     },
     // 0's flows from 1000, 1's from 1700; they share the NIC from then on: 0's ends at 2300, 1's with 701 left at
     // 3001. Then 200 + 700 + 1000 within the host.
     {{0, 2, 1, 1, 1000}, {1, 3, 2, 2, 1001}, {0, 1, 3, 3, 2000}},
     {4901, 4901, 2300, 3001}},
};

TEST(Nodes, take_what_is_derived_by_hand) {
  for (NodeExample const& example : node_examples) {
    Platform platform = machine(example.hosts);
    platform.ranks_per_host = example.ranks_per_host;
    platform.intra_latency = 200_ns;
    platform.intra_bandwidth = 2_GBps;
    example.set(platform);
    int const ranks = example.hosts * example.ranks_per_host;
    Schedule const schedule = schedule_of(ranks, example.planned);
    for (Timing const& timing : {testing::simulate_native(schedule, platform), smpi_timing(schedule, platform)}) {
      for (int rank = 0; rank < static_cast<int>(example.finish_ns.size()); ++rank) {
        double const due = example.finish_ns[static_cast<std::size_t>(rank)];
        EXPECT_NEAR(1e9 * finish(timing, rank).value, due, 1e-9 * due + 1e-12) << example.name << ", rank " << rank;
      }
    }
    expect_exact(ranks, example.planned, platform);
  }
}

TEST(Nodes, both_engines_follow_the_rule_on_random_machines) { expect_exact_on_machines(1, 250 / test::sampled); }

TEST(LongNodes, both_engines_follow_the_rule_on_two_thousand_random_machines) {
  expect_exact_on_machines(1001, 2000 / test::thinned);
}

/// Keys that cannot bind, each in a machine of its own.
std::vector<std::pair<char const*, Platform>> idle_variants(Platform const& plain) {
  std::vector<std::pair<char const*, Platform>> variants;
  auto const add = [&](char const* name, auto set) {
    variants.emplace_back(name, plain);
    set(variants.back().second);
  };
  add("one NIC by any rule", [](Platform& m) { m.nic_of = NicRule::cyclic; });
  add("stripes over one NIC", [](Platform& m) { m.nic_of = NicRule::striped; });
  add("one rail", [](Platform& m) { m.rails = true; });
  add("the memory that hosts have", [](Platform& m) {
    m.island = Island{IslandKind::memory, m.intra_bandwidth.value_or(m.bandwidth)};
  });
  add("a handshake of nothing that is sent", [](Platform& m) {
    if (m.timing == TimingModel::linear) return;
    m.flow.handshake = 1_us;
    m.flow.eager = Bytes(std::int64_t{1} << 30);
  });
  if (plain.ranks_per_host == 1) {
    add("NICs that nobody uses", [](Platform& m) { m.nics = 4; });
    add("NICs and rails that nobody uses", [](Platform& m) {
      m.nics = 3;
      m.rails = true;
    });
  }
  if (plain.timing == TimingModel::linear) {
    // Faster than all messages together.
    add("a wide switch", [](Platform& m) { m.island = Island{IslandKind::central_switch, BytesPerSecond(1e15)}; });
    add("wide links", [](Platform& m) { m.island = Island{IslandKind::links, BytesPerSecond(1e15)}; });
  }
  return variants;
}

TEST(Nodes, keys_that_cannot_bind_change_no_bit) {
  for (int seed = 1; seed <= 60 / test::sampled; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Platform plain = random.below(2) == 0 ? random_machine(random) : random_flow_machine(random);
    auto const ranks = static_cast<int>(rondo::ranks(plain));
    Schedule const schedule = schedule_of(ranks, random_messages(random, ranks));
    for (auto const& [name, platform] : idle_variants(plain)) {
      // What the handshake needs is not the key that is looked at.
      plain.flow.eager = platform.flow.eager;
      EXPECT_EQ(testing::simulate_native(schedule, plain).finish, testing::simulate_native(schedule, platform).finish)
          << name << ", seed " << seed;
      EXPECT_EQ(smpi_timing(schedule, plain).finish, smpi_timing(schedule, platform).finish)
          << name << ", seed " << seed;
    }
  }
}

/// The shortcuts of the native engine give what its event queue gives, or leave such machines to it.
TEST(Nodes, symmetric_schedules_take_what_each_rank_takes) {
  for (int seed = 1; seed <= 200 / test::sampled; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Torus const torus({3, 4});
    Schedule const schedule = random_isomorphic(random, torus, 3, 3);
    Platform platform =
        with_insides(random, random.below(2) == 0 ? random_machine(random) : random_flow_machine(random));
    if (random.below(2) == 0)
      platform.topology = TorusMachine{torus};
    else
      platform.topology = FullyConnected{12};
    platform.routing = {};
    platform.ranks_per_host = 1;
    platform.placement = {};
    Timing const one = testing::simulate_native(schedule, platform);
    Timing const each = testing::simulate_native(expanded(schedule), platform);
    for (int rank = 0; rank < 12; ++rank) {
      ASSERT_NEAR(finish(one, rank).value, finish(each, rank).value, 1e-9 * each.makespan.value) << seed;
    }
  }
}

}  // namespace
}  // namespace rondo
