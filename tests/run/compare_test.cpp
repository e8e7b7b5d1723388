#include "run/points/compare.hpp"

#include <gtest/gtest.h>

namespace rondo {
namespace {

/// A point on which all three derivations agree: 6 rounds, 54 blocks of 64 B, 384 messages on 64 ranks, 9.456 us.
struct Agreeing {
  Record record;
  Measures measures;
  Timing timing;

  Agreeing() {
    record.rounds = record.theory.rounds = 6;
    record.volume_blocks = record.theory.volume_blocks = 54;
    record.theory.time_s = 9.456e-6;
    measures.messages = timing.messages = 384;
    measures.total_bytes = timing.bytes = Bytes(64 * 54 * 64);
    timing.makespan = Seconds(9.456e-6);
  }
  std::string difference(bool exact = true) const {
    std::string const counting = counting_disagrees(record);
    return counting.empty() ? simulation_disagrees(record, measures, timing, exact) : counting;
  }
};

TEST(Compare, is_silent_where_theory_counting_and_simulation_agree) { EXPECT_EQ(Agreeing().difference(), ""); }

TEST(Compare, catches_an_off_by_one_of_theory) {
  Agreeing rounds;
  rounds.record.theory.rounds = 5;
  EXPECT_EQ(rounds.difference(), "theory says 5 rounds, the schedule has 6");
  Agreeing volume;
  volume.record.theory.volume_blocks = 55;
  EXPECT_EQ(volume.difference(), "theory says 55 blocks sent by a rank, the schedule has 54");
}

TEST(Compare, holds_every_figure_that_theory_gives_against_the_schedule) {
  Agreeing critical;
  critical.record.theory.critical_blocks = 54 + 1.0 / 3;
  critical.record.critical_blocks = 163.0 / 3;
  EXPECT_EQ(critical.difference(), "");
  critical.record.critical_blocks = 54;
  EXPECT_NE(critical.difference(), "");
  Agreeing messages;
  messages.record.theory.messages = 384;
  messages.record.messages = 383;
  EXPECT_EQ(messages.difference(), "theory says 384 messages, the schedule has 383");
}

TEST(Compare, catches_an_off_by_one_of_the_schedule) {
  Agreeing rounds;
  rounds.record.rounds = 7;
  EXPECT_EQ(rounds.difference(), "theory says 6 rounds, the schedule has 7");
}

TEST(Compare, catches_a_message_that_the_simulation_lost) {
  Agreeing lost;
  lost.timing.messages = 383;
  EXPECT_NE(lost.difference().find("the simulation carried 383 of"), std::string::npos);
}

TEST(Compare, catches_a_time_that_is_off_by_more_than_1e_minus_9) {
  Agreeing slow;
  slow.timing.makespan = Seconds(9.456e-6 * (1 + 2e-9));
  EXPECT_NE(slow.difference(), "");
  EXPECT_EQ(slow.difference(false), "");  // links shared: theory is no prediction then
  slow.timing.makespan = Seconds(9.456e-6 * (1 + 0.5e-9));
  EXPECT_EQ(slow.difference(), "");
}

}  // namespace
}  // namespace rondo
