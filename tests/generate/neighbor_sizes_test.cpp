// The v variants: a size for each rank's or edge's block.

#include <gtest/gtest.h>

#include "neighbor_check.hpp"
#include "problems.hpp"
#include "theory/graph_collectives.hpp"

namespace rondo {
namespace {

using namespace generate;

CommonNeighbors in_cumulative_blocks(CommonNeighbors options) {
  options.combining = Combining::cumulative;
  return options;
}

/// Bytes that the receive buffers of all ranks take.
Bytes received(Schedule const& schedule) {
  Bytes total;
  for (int r = 0; r < schedule.ranks; ++r) total += schedule.program(Rank(r)).layout().bytes(Buffer::receive);
  return total;
}

// Item [Mirsadeghi17, all neighborhood collectives]: holds.
TEST(NeighborSizes, v_variants_carry_blocks_of_their_own_sizes) {
  Random random(9);
  for (int k = 0; k < 40; ++k) {
    int const p = static_cast<int>(random.between(2, 24));
    ProcessGraph const each = random_multigraph(random, p, random.below(static_cast<std::uint64_t>(p * p)) + 1);
    std::vector<Bytes> per_rank;
    std::vector<Bytes> per_edge;
    for (int r = 0; r < p; ++r) per_rank.push_back(Bytes(random.between(0, 9)));
    for (std::int64_t e = 0; e < each.edges(); ++e) per_edge.push_back(Bytes(random.between(0, 9)));
    Bytes gathered;
    for (int r = 0; r < p; ++r) {
      gathered += static_cast<std::int64_t>(each.targets(Rank(r)).size()) * per_rank[static_cast<std::size_t>(r)];
    }
    Bytes exchanged;
    for (Bytes const size : per_edge) exchanged += size;
    CommonNeighbors options;
    options.theta = 2;
    for (auto const& pattern :
         {common_neighbors(each, options), common_neighbors(each, in_cumulative_blocks(options))}) {
      for (Schedule const& schedule :
           {neighbor_naive(test::neighbor_allgather(each, {neighbor_block, per_rank})),
            neighbor_common_neighbors(test::neighbor_allgather(each, {neighbor_block, per_rank}), pattern)}) {
        expect_valid(schedule, NeighborAllgather{each}, "allgatherv");
        EXPECT_EQ(received(schedule), gathered);
      }
      for (Schedule const& schedule :
           {neighbor_naive(test::neighbor_alltoall(each, {neighbor_block, per_edge})),
            neighbor_common_neighbors(test::neighbor_alltoall(each, {neighbor_block, per_edge}), pattern)}) {
        expect_valid(schedule, NeighborAlltoall{each}, "alltoallv");
        EXPECT_EQ(received(schedule), exchanged);
      }
    }
  }
}

TEST(NeighborSizes, v_variants_carry_what_theory_says_and_no_less_than_its_bounds) {
  Random random(91);
  using enum problem::NeighborCollective;
  for (int k = 0; k < 40; ++k) {
    int const p = static_cast<int>(random.between(2, 24));
    ProcessGraph const each = random_multigraph(random, p, random.below(static_cast<std::uint64_t>(p * p)) + 1);
    CommonNeighbors options;
    options.theta = 2;
    CombiningPattern const pattern = common_neighbors(each, options);
    for (auto const kind : {allgather, alltoall}) {
      std::vector<Bytes> sizes;
      for (std::int64_t i = 0; i < (kind == allgather ? p : each.edges()); ++i)
        sizes.push_back(Bytes(random.between(0, 9)));
      BlockSizes const blocks{neighbor_block, sizes};
      auto const naive = measure(kind == allgather ? neighbor_naive(test::neighbor_allgather(each, blocks))
                                                   : neighbor_naive(test::neighbor_alltoall(each, blocks)));
      auto const combined =
          measure(kind == allgather ? neighbor_common_neighbors(test::neighbor_allgather(each, blocks), pattern)
                                    : neighbor_common_neighbors(test::neighbor_alltoall(each, blocks), pattern));
      theory::NaiveCounts const counts = theory::neighbor_naive(each, kind, sizes);
      EXPECT_EQ(naive.volume_bytes, counts.volume_bytes);
      EXPECT_EQ(naive.total_bytes, counts.total_bytes);
      EXPECT_DOUBLE_EQ(naive.received_blocks * 8, static_cast<double>(counts.received_bytes.value));
      theory::NeighborBounds const bounds = theory::neighbor_bounds(each, kind, 1, sizes);
      for (auto const& measured : {naive, combined}) {
        EXPECT_LE(bounds.sent.volume_bytes, measured.volume_bytes);
        EXPECT_LE(static_cast<double>(bounds.received_bytes.value), measured.received_blocks * 8 + 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace rondo
