// The NICs of ranks, against what docs/model.md says of each rank of a host.

#include <gtest/gtest.h>

#include "platform/paths.hpp"

namespace rondo {
namespace {

Platform nodes(int ranks_per_host, int nics, NicRule rule) {
  Platform platform;
  platform.topology = FullyConnected{3};
  platform.ranks_per_host = ranks_per_host;
  platform.nics = nics;
  platform.nic_of = rule;
  return platform;
}

TEST(Paths, the_lowest_rank_on_a_nic_is_the_first_that_uses_it) {
  for (NicRule const rule : {NicRule::block, NicRule::cyclic}) {
    for (int n = 1; n <= 20; ++n) {
      for (int nics = 1; nics <= 20; ++nics) {
        Platform const platform = nodes(n, nics, rule);
        Paths const paths(platform);
        for (int i = 0; i < n; ++i) {
          int const nic = paths.nic_at(i);
          EXPECT_EQ(nic, rule == NicRule::block ? i * nics / n : i % nics);
          int lowest = 0;
          while (paths.nic_at(lowest) != nic) ++lowest;
          EXPECT_EQ(paths.first_place_on(nic), lowest) << n << " ranks, " << nics << " NICs, rank " << i;
        }
      }
    }
  }
}

TEST(Paths, ranks_of_a_host_are_counted_by_rising_rank) {
  Platform platform = nodes(2, 2, NicRule::block);
  std::vector<int> const hosts{2, 0, 1, 2, 1, 0};
  for (Placement const& placement :
       {Placement(BlockPlacement{}), Placement(CyclicPlacement{}), Placement(ListPlacement{hosts})}) {
    platform.placement = placement;
    Paths const paths(platform);
    for (int rank = 0; rank < 6; ++rank) {
      int lower = 0;
      for (int other = 0; other < rank; ++other) lower += paths.host(Rank(other)) == paths.host(Rank(rank)) ? 1 : 0;
      EXPECT_EQ(paths.place(Rank(rank)), lower) << placement.index() << ", rank " << rank;
    }
  }
}

TEST(Paths, classes_of_sizes_keep_what_they_are_made_of) {
  for (std::size_t piece = 0; piece <= 32; ++piece) {
    for (bool const greets : {false, true}) {
      for (bool const striped : {false, true}) {
        SizeClass const size(SizeClass(piece, greets, striped).code());
        EXPECT_EQ(size.piece(), piece);
        EXPECT_EQ(size.greets(), greets);
        EXPECT_EQ(size.striped(), striped);
      }
    }
  }
}

/// 1 us and 1 GB/s: 64 kB less a byte take 64.999 us, 64 kB in four flows 17 us.
TEST(Paths, a_message_that_is_striped_takes_less_time_than_a_smaller_one) {
  Platform platform = nodes(2, 4, NicRule::striped);
  platform.latency = 1_us;
  platform.bandwidth = 1_GBps;
  EXPECT_TRUE(falling_times(platform).empty());
  platform.stripe_from = Bytes(64000);
  auto const falling = falling_times(platform);
  ASSERT_EQ(falling.size(), 1U);
  EXPECT_EQ(falling[0].last, Bytes(63999));
  EXPECT_DOUBLE_EQ(falling[0].time.value, 64.999e-6);
  EXPECT_DOUBLE_EQ(falling[0].behind.value, 17e-6);
}

}  // namespace
}  // namespace rondo
