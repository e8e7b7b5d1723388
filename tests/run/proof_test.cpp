// Which schedules are proved by default.

#include <gtest/gtest.h>

#include "run/points/run.hpp"

namespace rondo {
namespace {

/// Every rank sends `blocks` blocks to the next one and, said rank by rank, receives as many.
Schedule shift(int ranks, std::size_t blocks, bool isomorphic) {
  Layout layout{Bytes(1), {}};
  layout[Buffer::send].slots = layout[Buffer::receive].slots = 1;
  std::vector<Place> const from(blocks, send_slot(0)), into(blocks, receive_slot(0));
  ProgramBuilder builder(layout);
  builder.begin_round();
  builder.send(0, from);
  builder.receive(1, into);
  Schedule schedule;
  schedule.ranks = ranks;
  schedule.programs.push_back(std::move(builder).finish());
  if (isomorphic) {
    schedule.torus = Torus({ranks});
    schedule.offsets = {1, -1};
  }
  return schedule;
}

TEST(Proof, is_left_out_by_default_past_a_hundred_million_moves) {
  EXPECT_TRUE(proves(Proof::automatic, shift(1000, 100'000, false)));
  EXPECT_FALSE(proves(Proof::automatic, shift(1001, 100'000, false)));
  EXPECT_TRUE(proves(Proof::automatic, shift(1001, 100'000, true))) << "one rank speaks for all";
}

TEST(Proof, is_made_or_left_out_as_asked) {
  EXPECT_TRUE(proves(Proof::on, shift(1001, 100'000, false)));
  EXPECT_FALSE(proves(Proof::off, shift(2, 1, true)));
}

}  // namespace
}  // namespace rondo
