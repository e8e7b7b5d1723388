#include <gtest/gtest.h>

#include "generate/isomorphic_cases.hpp"
#include "problems.hpp"

namespace rondo {
namespace {

using namespace isomorphic_cases;

Schedule alltoall_schedule(Torus const& torus, Neighborhood const& neighborhood) {
  return generate::isomorphic_dimension_wise(
      test::alltoall(torus, neighborhood, block, given_dimension_order(torus.dimensions())));
}

// (2): one hop through the intermediate buffer, the last one into the receive buffer; (0): a copy before the first
// round; (-1): a round of its own in the other direction.
// Item [Traeff16, zero copy]: holds.
TEST(IsomorphicAlltoall, alternates_between_the_receive_and_the_intermediate_buffer) {
  EXPECT_EQ(text(alltoall_schedule(Torus({5}), Neighborhood(1, {{2}, {0}, {-1}}))),
            "round 0: copy send[1] to receive[1]\n"
            "round 1: from (-1) into intermediate[0]; to (1) send[0]\n"
            "round 2: from (-1) into receive[0]; to (1) intermediate[0]\n"
            "round 3: from (1) into receive[2]; to (-1) send[2]\n");
}

TEST(IsomorphicAlltoall, combines_what_goes_the_same_way) {
  EXPECT_EQ(text(alltoall_schedule(Torus({5, 5}), Neighborhood(2, {{1, 0}, {1, 1}}))),
            "round 1: from (-1,0) into receive[0] intermediate[1]; to (1,0) send[0] send[1]\n"
            "round 2: from (0,-1) into receive[1]; to (0,1) intermediate[1]\n");
}

// Direct takes the coordinates of a dimension from the smallest up. 4 is a full turn: no message, a copy.
// Item [Traeff16, rounds of direct]: holds.
TEST(IsomorphicAlltoall, direct_goes_straight_to_each_coordinate) {
  EXPECT_EQ(
      text(generate::isomorphic_direct(test::alltoall(Torus({4}), Neighborhood(1, {{3}, {-2}, {4}}), block, {0}))),
      "round 0: copy send[2] to receive[2]\n"
      "round 1: from (2) into receive[1]; to (-2) send[1]\n"
      "round 2: from (-3) into receive[0]; to (3) send[0]\n");
}

// On two ports both directions at once: (1,-1) needs its second hop after its first, so it takes the second round.
TEST(IsomorphicAlltoall, two_ports_use_two_lanes_at_a_time) {
  Neighborhood const neighborhood(2, {{1, -1}, {0, -1}});
  EXPECT_EQ(text(generate::isomorphic_dimension_wise(test::alltoall(Torus({5, 5}), neighborhood, block, {0, 1}, 2))),
            "round 1: from (-1,0) into intermediate[0]; from (0,1) into receive[1]; to (1,0) send[0]; "
            "to (0,-1) send[1]\n"
            "round 2: from (0,1) into receive[0]; to (0,-1) intermediate[0]\n");
}

TEST(IsomorphicAlltoall, delivers_in_every_dimension_order) {
  Torus const torus({3, 4, 2});
  Neighborhood const neighborhood(3, {{1, -2, 1}, {2, 0, -1}, {0, 0, 0}, {0, 3, 0}, {3, 4, 2}});
  std::vector<int> order{0, 1, 2};
  do {
    expect_valid(generate::isomorphic_dimension_wise(test::alltoall(torus, neighborhood, block, order)),
                 IsomorphicAlltoall{torus, neighborhood}, theory::alltoall_dimension_wise(torus, neighborhood),
                 "permuted");
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(IsomorphicAlltoall, is_empty_on_one_rank_and_for_no_neighbors) {
  for (Neighborhood const& neighborhood : {Neighborhood(2, {}), moore(2, 1)}) {
    Torus const one({1, 1});
    IsomorphicAlltoall const promise{one, neighborhood};
    expect_valid(alltoall_schedule(one, neighborhood), promise, {0, 0}, "torus");
    expect_valid(generate::isomorphic_direct(test::alltoall(one, neighborhood, block, {0, 1})), promise, {0, 0},
                 "direct");
    expect_valid(generate::isomorphic_straightforward(test::alltoall(one, neighborhood, block)), promise, {0, 0},
                 "straight");
    expect_valid(generate::isomorphic_posted(test::alltoall(one, neighborhood, block)), promise, {0, 0}, "posted");
  }
  Torus const none(std::vector<int>{});
  Neighborhood const zero(0, {{}, {}});
  expect_valid(alltoall_schedule(none, zero), IsomorphicAlltoall{none, zero}, {0, 0}, "no dimension");
}

// A planted off-by-one on either side must not go unnoticed by the comparison of counts.
TEST(IsomorphicAlltoall, an_off_by_one_in_the_schedule_differs_from_theory) {
  Torus const torus({5, 5});
  Neighborhood const full = moore(2, 1);
  std::vector<std::vector<int>> offsets;
  for (int i = 0; i + 1 < full.size(); ++i) offsets.emplace_back(full[i].begin(), full[i].end());
  offsets.push_back({2, 1});  // one coordinate too large
  auto const counts = theory::alltoall_dimension_wise(torus, full);
  Measures const measures = measure(alltoall_schedule(torus, Neighborhood(2, offsets)));
  EXPECT_EQ(measures.rounds, counts.rounds + 1);
  EXPECT_EQ(measures.volume_blocks, static_cast<double>(counts.volume_blocks + 1));
  // and the other way round: theory off by one, the schedule right
  auto const off = theory::alltoall_dimension_wise(torus, Neighborhood(2, offsets));
  EXPECT_EQ(off.rounds, measure(alltoall_schedule(torus, full)).rounds + 1);
}

}  // namespace
}  // namespace rondo
