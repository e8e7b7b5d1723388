// Ranks left waiting are a reported failure with the smallest circular wait; a broken schedule does no harm.

#include <gtest/gtest.h>

#include "native_schedules.hpp"
#include "schedules.hpp"

namespace rondo {
namespace {

using namespace testing;

std::string deadlock(int ranks, std::vector<PlannedMessage> const& planned) {
  Outcome const outcome = rondo::simulate_native(schedule_of(ranks, planned), machine(ranks), {});
  EXPECT_FALSE(outcome.result);
  EXPECT_EQ(outcome.failure, Failure::deadlock);
  return outcome.error;
}

TEST(NativeDeadlock, names_two_ranks_that_wait_for_each_other) {
  EXPECT_EQ(deadlock(3, {{0, 1, 1, 2, 0}, {1, 0, 1, 2, 0}}),
            "deadlock: circular wait: rank 0 waits in round 1 for rank 1, rank 1 waits in round 1 for rank 0");
}

TEST(NativeDeadlock, names_the_smallest_of_several_circles) {
  std::vector<PlannedMessage> const planned{{0, 1, 1, 2, 0}, {1, 2, 1, 2, 0}, {2, 0, 1, 2, 0},   // 0, 1, 2 in a circle
                                            {3, 4, 1, 2, 0}, {4, 3, 1, 2, 0}, {5, 0, 1, 1, 0}};  // 3 and 4 in another
  EXPECT_EQ(deadlock(6, planned),
            "deadlock: circular wait: rank 3 waits in round 1 for rank 4, rank 4 waits in round 1 for rank 3");
}

TEST(NativeDeadlock, names_what_is_never_posted) {
  EXPECT_EQ(deadlock(3, {{0, 1, 1, 1, 0}, {1, 2, never, 2, 0}}),
            "deadlock: rank 2 waits in round 2 for rank 1, which never posts the matching send or receive");
  EXPECT_EQ(deadlock(3, {{2, 1, 1, never, 0}}),
            "deadlock: rank 2 waits in round 1 for rank 1, which never posts the matching send or receive");
}

TEST(NativeDeadlock, names_who_caused_the_wait_of_others) {
  EXPECT_EQ(deadlock(4, {{0, 1, 1, 1, 0}, {1, 2, 2, 1, 0}, {3, 0, never, 1, 0}}),
            "deadlock: rank 0 waits in round 1 for rank 3, which never posts the matching send or receive");
}

TEST(NativeDeadlock, a_partner_that_is_no_rank_is_waited_for) {
  EXPECT_NE(deadlock(3, {{0, 7, 1, never, 0}}).find("deadlock: rank 0 waits in round 1"), std::string::npos);
  EXPECT_NE(deadlock(3, {{-5, 1, never, 1, 0}}).find("deadlock: rank 1 waits in round 1"), std::string::npos);
}

TEST(NativeDeadlock, places_outside_their_buffer_have_no_bytes) {
  Schedule schedule = schedule_of(2, {{0, 1, 1, 1, 1000}});
  ProgramBuilder builder(schedule.programs[0].layout());
  builder.begin_round();
  Place const from[] = {send_slot(99), Place(static_cast<Buffer>(3), 0), send_slot(0)};
  builder.send(1, from);
  schedule.programs[0] = std::move(builder).finish();
  EXPECT_EQ(testing::simulate_native(schedule, machine(2)).bytes, 1000_B);
}

TEST(NativeDeadlock, no_rank_and_no_message_take_no_time) {
  EXPECT_EQ(testing::simulate_native(schedule_of(3, {}), machine(3)).makespan, Seconds(0));
  EXPECT_EQ(testing::simulate_native(Schedule{}, machine(1)).makespan, Seconds(0));
}

}  // namespace
}  // namespace rondo
