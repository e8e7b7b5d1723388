// Both engines follow one rule (docs/model.md): random schedules on random machines take the same time on both, rank by
// rank, to 1e-9.

#include <gtest/gtest.h>

#include <fstream>

#include "folder.hpp"
#include "generate/generate.hpp"
#include "native_schedules.hpp"
#include "problems.hpp"
#include "random_machines.hpp"
#include "sanitized.hpp"
#include "schedules.hpp"

namespace rondo {
namespace {

using namespace testing;

TEST(LongEnginesAgree, on_a_thousand_random_schedules_and_machines) {
  for (int seed = 1; seed <= 1000 / test::thinned; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Platform const platform = random_machine(random);
    auto const ranks = static_cast<int>(rondo::ranks(platform));
    expect_agreement(schedule_of(ranks, random_messages(random, ranks)), platform);
    ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << seed;
  }
}

TEST(EnginesAgree, with_the_rule_carried_out_in_exact_fractions) {
  int shared = 0;
  for (int seed = 2001; seed <= 2000 + 150 / test::sampled; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Platform const platform = random_machine(random);
    auto const ranks = static_cast<int>(rondo::ranks(platform));
    auto planned = random_messages(random, ranks);
    if (planned.size() > 40) planned.resize(40);
    auto const expected = reference_finish(ranks, planned, platform);
    Schedule const schedule = schedule_of(ranks, planned);
    Timing const native = testing::simulate_native(schedule, platform);
    Timing const smpi = smpi_timing(schedule, platform);
    for (int rank = 0; rank < ranks; ++rank) {
      double const due = expected[static_cast<std::size_t>(rank)];
      ASSERT_NEAR(1e9 * finish(native, rank).value, due, 1e-9 * due) << "seed " << seed << ", rank " << rank;
      ASSERT_NEAR(1e9 * finish(smpi, rank).value, due, 1e-9 * due) << "seed " << seed << ", rank " << rank;
    }
    shared += shares_bandwidth(platform) && !planned.empty() ? 1 : 0;
  }
  EXPECT_GT(shared, 50 / test::sampled);
}

/// The schedules of the library itself, in rounds and posted at once, on links that they share.
TEST(EnginesAgree, on_schedules_of_every_family) {
  Torus const torus({3, 4});
  Neighborhood const neighborhood = moore(2, 1);
  auto const alltoall = [&](Bytes block) { return test::alltoall(torus, neighborhood, block, {0, 1}); };
  std::vector<Schedule> schedules;
  for (Bytes const block : {0_B, 700_B, 64_KiB}) {
    schedules.push_back(generate::isomorphic_straightforward(alltoall(block)));
    schedules.push_back(generate::isomorphic_posted(alltoall(block)));
    schedules.push_back(generate::isomorphic_dimension_wise(alltoall(block)));
  }
  Random random(17);
  for (Schedule const& schedule : schedules) {
    for (int i = 0; i < 4; ++i) {
      Platform platform = random_machine(random);
      platform.topology = one_of<MachineTopology>(
          random, {Ring{12}, TorusMachine{torus}, TorusMachine{Torus({4, 3})}, FatTree{{4, 3}, {1, 2}, {1, 1}},
                   Dragonfly{.groups = 3, .chassis = 1, .routers = 2, .hosts_per_router = 2}});
      platform.ranks_per_host = 1;
      platform.placement = random_placement(random, 12, 1);
      platform.routing = random_routing(random, platform);
      expect_agreement(schedule, platform);
    }
  }
}

/// What is posted at once is served in one order, whatever the number of ports and the order of posting.
TEST(EnginesAgree, on_every_posting_order_and_number_of_ports) {
  Random random(23);
  constexpr int ranks = 9;
  for (int i = 0; i < 60; ++i) {
    std::vector<PlannedMessage> planned;
    for (int source = 0; source < ranks; ++source) {
      for (int target = 0; target < ranks; ++target) {
        if (target != source && random.below(3) != 0) planned.push_back({source, target, 1, 1, 1000});
      }
    }
    for (std::size_t j = planned.size(); i % 3 != 0 && j-- > 1;) std::swap(planned[j], planned[random.below(j + 1)]);
    Platform platform = machine(ranks);
    platform.ports = 1 + i % 5;
    if (i % 2 == 0) platform.topology = Ring{ranks}, platform.links = LinkSharing::shared;
    expect_agreement(schedule_of(ranks, planned), platform);
    ASSERT_FALSE(::testing::Test::HasFailure()) << "case " << i;
  }
}

TEST(EnginesAgree, on_platform_files) {
  Random random(31);
  test::Folder const folder;
  for (std::string const& file : platform_files(folder)) {
    for (int i = 0; i < 4; ++i) {
      Platform platform = machine(1);
      platform.topology = PlatformFile{file};
      platform.ports = static_cast<int>(random.between(1, 3));
      SCOPED_TRACE(file);
      expect_agreement(schedule_of(12, random_messages(random, 12)), platform);
    }
  }
}

/// Machines of our own and the XML that they are written as.
TEST(EnginesAgree, on_a_machine_and_its_file) {
  Random random(37);
  // Where one route is the shortest: of several, SimGrid's choice need not be ours.
  for (MachineTopology const& topology : {MachineTopology(Ring{7}), MachineTopology(MeshMachine{Torus({6})})}) {
    Platform platform = machine(1);
    platform.topology = topology;
    platform.links = LinkSharing::shared;
    platform.ports = static_cast<int>(random.between(1, 2));
    int const ranks = hosts(platform);
    Schedule const schedule = schedule_of(ranks, random_messages(random, ranks));
    Timing const built = testing::simulate_native(schedule, platform);
    test::Folder const folder;
    std::string const path = folder.file("machine.xml");
    std::ofstream(path) << to_simgrid_xml(platform);
    platform.topology = PlatformFile{path};
    EXPECT_SECONDS(testing::simulate_native(schedule, platform).makespan, built.makespan);
    expect_agreement(schedule, platform);
  }
}

}  // namespace
}  // namespace rondo
