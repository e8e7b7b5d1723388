#include <gtest/gtest.h>

#include "generate/isomorphic_cases.hpp"
#include "problems.hpp"

namespace rondo {
namespace {

using namespace isomorphic_cases;

Schedule allgather_schedule(Torus const& torus, Neighborhood const& neighborhood) {
  return generate::isomorphic_dimension_wise(
      test::allgather(torus, neighborhood, block, given_dimension_order(torus.dimensions())));
}

// (3) passes (1), which keeps it, and (2), which is nobody's neighbor; it is sent on from the receive buffer.
TEST(IsomorphicAllgather, shares_the_hops_of_one_direction) {
  EXPECT_EQ(text(allgather_schedule(Torus({7}), Neighborhood(1, {{3}, {1}}))),
            "round 1: from (-1) into receive[1]; to (1) send[0]\n"
            "round 2: from (-1) into intermediate[0]; to (1) receive[1]\n"
            "round 3: from (-1) into receive[0]; to (1) intermediate[0]\n");
}

// The two neighbors with first coordinate 1 share their first hop; the zero vector and the second (1,1) are copies.
TEST(IsomorphicAllgather, sends_a_prefix_once_and_copies_to_duplicates) {
  EXPECT_EQ(text(allgather_schedule(Torus({5, 5}), Neighborhood(2, {{1, 1}, {1, -1}, {0, 0}, {1, 1}}))),
            "round 0: copy send[0] to receive[2]\n"
            "round 1: from (-1,0) into intermediate[0]; to (1,0) send[0]\n"
            "round 2: from (0,-1) into receive[0]; to (0,1) intermediate[0]; copy receive[0] to receive[3]\n"
            "round 3: from (0,1) into receive[1]; to (0,-1) intermediate[0]\n");
}

// An intermediate slot is used again as soon as its block has been sent on: 4 hops wait in 2 slots.
TEST(IsomorphicAllgather, uses_intermediate_slots_again) {
  Schedule const schedule = allgather_schedule(Torus({11}), Neighborhood(1, {{5}}));
  EXPECT_EQ(schedule.programs[0].layout()[Buffer::intermediate].slots, 2U);
}

// Two offsets for one rank are two neighbors: both slots are filled, by two messages.
TEST(IsomorphicAllgather, aliases_are_received_each) {
  Torus const torus({3});
  Neighborhood const neighborhood(1, {{1}, {-2}});
  expect_valid(allgather_schedule(torus, neighborhood), IsomorphicAllgather{torus, neighborhood}, {3, 3}, "aliases");
}

TEST(IsomorphicAllgather, is_empty_on_one_rank_and_for_no_neighbors) {
  for (Neighborhood const& neighborhood : {Neighborhood(2, {}), moore(2, 1)}) {
    Torus const one({1, 1});
    IsomorphicAllgather const promise{one, neighborhood};
    expect_valid(allgather_schedule(one, neighborhood), promise, {0, 0}, "torus");
    expect_valid(generate::isomorphic_direct(test::allgather(one, neighborhood, block, {0, 1})), promise, {0, 0},
                 "direct");
    expect_valid(generate::isomorphic_straightforward(test::allgather(one, neighborhood, block)), promise, {0, 0},
                 "straight");
    expect_valid(generate::isomorphic_posted(test::allgather(one, neighborhood, block)), promise, {0, 0}, "posted");
  }
}

// Dimensions of one rank do not tell prefixes apart: (2,1) and (0,1) are the same neighbor by the same way.
TEST(IsomorphicAllgather, dimensions_of_one_rank_cost_nothing) {
  Torus const torus({1, 5});
  Neighborhood const neighborhood(2, {{2, 1}, {0, 1}});
  expect_valid(allgather_schedule(torus, neighborhood), IsomorphicAllgather{torus, neighborhood}, {1, 1}, "one rank");
}

// A planted off-by-one: the last block of the last round is received one slot too far. The proof names it.
TEST(IsomorphicAllgather, a_block_in_the_wrong_slot_is_found) {
  Torus const torus({5, 5});
  Neighborhood const neighborhood = moore(2, 1);
  Schedule schedule = allgather_schedule(torus, neighborhood);
  Program const right = schedule.programs[0];
  ProgramBuilder builder(right.layout());
  for (int r = 1; r <= right.rounds(); ++r) {
    builder.begin_round();
    for (Transfer const& receive : right.receives(r)) {
      std::vector<Place> into(right.places(receive).begin(), right.places(receive).end());
      if (r == right.rounds()) into.back() = receive_slot(into.back().slot() - 1);
      builder.receive(receive.peer, into);
    }
    for (Transfer const& send : right.sends(r)) builder.send(send.peer, right.places(send));
  }
  schedule.programs[0] = std::move(builder).finish();
  EXPECT_FALSE(verify(schedule, IsomorphicAllgather{torus, neighborhood}).valid());
  EXPECT_TRUE(verify(allgather_schedule(torus, neighborhood), IsomorphicAllgather{torus, neighborhood}).valid());
}

}  // namespace
}  // namespace rondo
