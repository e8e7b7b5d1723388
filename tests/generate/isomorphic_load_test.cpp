// How many blocks a rank sends in each round of an all-to-all, and how evenly that can be: the question of
// [Traeff16, Section 5], answered for one lane of the torus in docs/notes.md#load-a-round.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/random.hpp"
#include "generate/generate.hpp"
#include "problems.hpp"

namespace rondo {
namespace {

/// The blocks that rank 0 sends in each round.
std::vector<int> loads_of(Schedule const& schedule) {
  std::vector<int> loads;
  Program const& program = schedule.program(Rank(0));
  for (int round = 1; round <= program.rounds(); ++round) {
    int blocks = 0;
    for (Transfer const& send : program.sends(round)) blocks += static_cast<int>(send.count);
    loads.push_back(blocks);
  }
  return loads;
}

TEST(LoadARound, of_torus_falls_from_step_to_step) {
  // Moore(3,3): in step h of a lane the blocks with a coordinate of more than h, 49 for each value.
  Neighborhood const far = moore(3, 3);
  EXPECT_EQ(loads_of(generate::isomorphic_dimension_wise(test::alltoall(Torus({7, 7, 7}), far, Bytes(1), {0, 1, 2}))),
            (std::vector{147, 98, 49, 147, 98, 49, 147, 98, 49, 147, 98, 49, 147, 98, 49, 147, 98, 49}));
  EXPECT_EQ(
      loads_of(generate::isomorphic_dimension_wise(test::alltoall(Torus({3, 3, 3}), moore(3, 1), Bytes(1), {0, 1, 2}))),
      (std::vector{9, 9, 9, 9, 9, 9}));
}

/// In which of the P steps of a lane each block moves: as many as its coordinate says, one behind the other around the
/// circle of steps, from where the block before it ended.
std::vector<std::vector<int>> around(std::vector<int> const& coordinates, int steps) {
  std::vector<std::vector<int>> moves;
  int next = 0;
  for (int const c : coordinates) {
    moves.emplace_back();
    for (int k = 0; k < c; ++k, next = (next + 1) % steps) moves.back().push_back(next);
  }
  return moves;
}

TEST(LoadARound, is_even_where_blocks_wait_their_turn) {
  Random random(16);
  for (int k = 0; k < 1000; ++k) {
    std::vector<int> coordinates(static_cast<std::size_t>(random.between(1, 40)));
    for (int& c : coordinates) c = static_cast<int>(random.between(1, 9));
    int const steps = *std::max_element(coordinates.begin(), coordinates.end());
    std::vector<int> loads(static_cast<std::size_t>(steps));
    for (auto moves : around(coordinates, steps)) {
      for (int const step : moves) ++loads[static_cast<std::size_t>(step)];
      std::sort(moves.begin(), moves.end());
      EXPECT_EQ(std::adjacent_find(moves.begin(), moves.end()), moves.end()) << "a block moves once a step";
    }
    int const hops = std::accumulate(coordinates.begin(), coordinates.end(), 0);
    EXPECT_EQ(*std::max_element(loads.begin(), loads.end()), (hops + steps - 1) / steps);
    EXPECT_EQ(*std::min_element(loads.begin(), loads.end()), hops / steps);
  }
}

}  // namespace
}  // namespace rondo
