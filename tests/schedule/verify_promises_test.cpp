// Planted faults of the schedule as a whole: ports, links, what is malformed; and how violations are listed.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "base/error.hpp"
#include "planted.hpp"

namespace rondo {
namespace {

using namespace testing;

TEST(Verify, names_two_sends_of_a_round_on_a_one_ported_machine) {
  Draft draft = two_shifts_draft();
  draft.message(1, 0, send_slot(0), 2, intermediate_slot(0));
  draft.message(1, 0, send_slot(0), 3, intermediate_slot(0));
  auto const past = [&](std::string const& limit) {
    return Texts{"rank 0, round 1: 3 sends and 1 receive are posted, but " + limit +
                     ": block 0 of rank 0 to rank 1, block 0 of rank 0 to rank 2, block 0 of rank 0 to rank 3",
                 "rank 2, round 1: 1 send and 2 receives are posted, but " + limit +
                     ": block 0 of rank 1 from rank 1, block 0 of rank 0 from rank 0",
                 "rank 3, round 1: 1 send and 2 receives are posted, but " + limit +
                     ": block 0 of rank 2 from rank 2, block 0 of rank 0 from rank 0"};
  };
  EXPECT_EQ(faults(draft, two_shifts), past("the schedule promises at most 1 of each"));
  EXPECT_EQ(verify(draft.schedule(), two_shifts).violations.at(1).block, (Content{Rank(1), BlockId(0)}));
  draft.promises.ports = 0;
  EXPECT_EQ(faults(draft, two_shifts), Texts{}) << "any number is promised";
  EXPECT_EQ(faults(draft, two_shifts, {1, {}}), past("the machine allows at most 1 of each"));
  EXPECT_EQ(faults(draft, two_shifts, {3, {}}), Texts{});
}

TEST(Verify, names_messages_off_the_promised_links) {
  Draft draft = two_shifts_draft();
  draft.promises.links = Links::axis;
  EXPECT_EQ(faults(draft, two_shifts), Texts{}) << "a ring has one dimension";
  draft.promises.links = Links::unit;
  EXPECT_EQ(faults(draft, two_shifts).at(0),
            "rank 0, round 2: the message to rank 2 with block 1 of rank 0 is not along a unit link, as the schedule "
            "promises");
  EXPECT_EQ(faults(draft, two_shifts).size(), 4u);

  IsomorphicAlltoall const diagonal{Torus({2, 3}), Neighborhood(2, {{1, 1}})};
  Draft across = straightforward(diagonal.torus, diagonal.neighborhood, 8_B);
  across.promises.links = Links::axis;
  EXPECT_EQ(faults(across, diagonal).at(5),
            "rank 5, round 1: the message to rank 0 with block 0 of rank 5 is not along one dimension, as the schedule "
            "promises");
}

TEST(Verify, names_messages_over_links_that_the_machine_lacks) {
  IsomorphicAlltoall const c = ring(4, {{1}});
  MachineLimits const mesh{0, [](Rank a, Rank b) { return std::abs(a.value - b.value) == 1; }};
  Texts const expected{
      "rank 3, round 1: the message to rank 0 with block 0 of rank 3 takes a link that the machine does not have"};
  EXPECT_EQ(faults(straightforward(c.torus, c.neighborhood, 8_B), c, mesh), expected);
  EXPECT_EQ(faults(expanded(straightforward(c.torus, c.neighborhood, 8_B).schedule()), c, mesh), expected);
}

struct Malformed {
  char const* name;
  std::function<void(Schedule&)> change_schedule;
  std::function<void(Draft&)> change_draft;
  char const* text;
};

TEST(Verify, names_what_is_malformed_and_goes_on) {
  std::vector<Malformed> const cases{
      {"place",
       {},
       [](Draft& d) { d.of(2).round(1).sends[0].places = {intermediate_slot(7)}; },
       "rank 2, round 1: malformed: sent from intermediate[7], outside the buffer of 2 slots"},
      {"copy",
       {},
       [](Draft& d) {
         d.of(2).round(0).copies = {{send_slot(1), receive_slot(2)}};
       },
       "rank 2, round 0: malformed: copied into receive[2], outside the buffer of 2 slots"},
      {"buffer",
       {},
       [](Draft& d) { d.of(2).round(1).receives[0].places = {Place(static_cast<Buffer>(3), 0)}; },
       "rank 2, round 1: malformed: received into unknown buffer[0], outside the buffer of 0 slots"},
      {"partner",
       {},
       [](Draft& d) { d.of(2).round(1).sends[0].peer = 4; },
       "rank 2, round 1: malformed: a message to rank 4, which is no other rank, with block 0 of rank 2"},
      {"negative",
       {},
       [](Draft& d) { d.of(2).round(1).receives[0].peer = -1; },
       "rank 2, round 1: malformed: a message from rank -1, which is no other rank; block 0 of rank 1 is owed "
       "there"},
      {"itself",
       {},
       [](Draft& d) { d.of(2).round(1).sends[0].peer = 2; },
       "rank 2, round 1: malformed: a message to the rank itself, which is no other rank, with block 0 of rank 2"},
      {"send buffer",
       {},
       [](Draft& d) { d.of(1).layout[Buffer::send].slots = 1; },
       "rank 1, round 0: malformed: 1 slot for 2 blocks to send"},
      {"receive buffer",
       {},
       [](Draft& d) { d.of(1).layout[Buffer::receive].slots = 0; },
       "rank 1, round 0: malformed: 0 slots for 2 blocks to receive"},
      {"sizes",
       {},
       [](Draft& d) { d.of(1).layout[Buffer::send].sizes = {8_B}; },
       "rank 1, round 0: malformed: the send buffer has 2 slots and 1 size"},
      {"last round",
       {},
       [](Draft& d) {
         d.of(1).round(3).copies = {{send_slot(0), intermediate_slot(0)}};
       },
       "rank 0, round 3: malformed: no rank sends or receives in the last round"},
      {"program",
       [](Schedule& s) { s.program_of[3] = 9; },
       {},
       "rank 3, round 0: malformed: the rank follows no program of the schedule"},
      {"programs",
       [](Schedule& s) { s.program_of.pop_back(); },
       {},
       "rank 0, round 0: malformed: 4 ranks, but programs for 3"},
      {"none",
       [](Schedule& s) { s.programs.clear(); },
       {},
       "rank 0, round 0: malformed: the rank follows no program of the schedule"},
      {"links",
       [](Schedule& s) { s.torus.reset(), s.promises.links = Links::unit; },
       {},
       "rank 0, round 0: malformed: promised links without a torus"},
      {"offsets",
       [](Schedule& s) {
         s.torus.reset(), s.offsets = {1, 2};
       },
       {},
       "rank 0, round 0: malformed: relative peers without a torus"},
      {"torus",
       [](Schedule& s) { s.torus = Torus({5}), s.promises.links = Links::unit; },
       {},
       "rank 0, round 0: malformed: 4 ranks on a torus of 5"},
  };
  for (Malformed const& each : cases) {
    SCOPED_TRACE(each.name);
    Draft draft = two_shifts_draft();
    if (each.change_draft) each.change_draft(draft);
    Schedule schedule = draft.schedule();
    if (each.change_schedule) each.change_schedule(schedule);
    Verdict const verdict = verify(schedule, two_shifts);
    auto const found = std::find_if(verdict.violations.begin(), verdict.violations.end(),
                                    [](Violation const& v) { return v.fault == Fault::malformed; });
    ASSERT_NE(found, verdict.violations.end());
    EXPECT_EQ(found->text, each.text);
  }
}

TEST(Verify, names_relative_peers_that_are_no_ranks) {
  Draft draft = straightforward(two_shifts.torus, two_shifts.neighborhood, 8_B);
  draft.of(0).round(1).sends[0].peer = 9;
  EXPECT_EQ(faults(draft, two_shifts).at(0),
            "rank 0, round 1: malformed: a message to offset number 9, which is no other rank, with block 0 of rank 0");
  draft.of(0).round(1).sends[0].peer = -9;
  EXPECT_EQ(
      faults(draft, two_shifts).at(0),
      "rank 0, round 1: malformed: a message to offset number -9, which is no other rank, with block 0 of rank 0");
  draft.of(0).round(1).sends[0].peer = static_cast<int>(draft.offsets.size());
  draft.offsets.push_back(-4);
  EXPECT_EQ(
      faults(draft, two_shifts).at(1),
      "rank 0, round 1: the receive from rank 3 into receive[0] is met by no send; block 0 of rank 3 is owed there");
}

TEST(Verify, sorts_by_round_and_rank_and_keeps_the_first_thousand) {
  IsomorphicAlltoall const c = ring(40, {{1},  {2},  {3},  {4},  {5},  {6},  {7},  {8},  {9},  {10}, {11}, {12}, {13},
                                         {14}, {15}, {16}, {17}, {18}, {19}, {20}, {21}, {22}, {23}, {24}, {25}, {26}});
  Draft draft = straightforward(c.torus, c.neighborhood, 8_B);
  for (DraftRound& round : draft.of(0).rounds) round.receives.clear();
  Verdict const verdict = verify(draft.schedule(), c);
  EXPECT_EQ(verdict.violation_count, 2 * 40 * 26) << "each message is unmatched, each block is lost";
  ASSERT_EQ(verdict.violations.size(), 1000u);
  EXPECT_EQ(verdict.violations.front().text,
            "rank 0, round 1: the message to rank 1 with block 0 of rank 0 is met by no receive");
  EXPECT_EQ(verdict.violations.back().text,
            "rank 39, round 25: the message to rank 24 with block 24 of rank 39 is met by no receive");
  EXPECT_TRUE(std::is_sorted(
      verdict.violations.begin(), verdict.violations.end(),
      [](Violation const& a, Violation const& b) { return std::pair(a.round, a.rank) < std::pair(b.round, b.rank); }));
}

TEST(Verify, refuses_a_schedule_and_a_collective_of_different_ranks) {
  EXPECT_THROW(verify(two_shifts_draft().schedule(), ring(5, {{1}})), ContractViolation);
}

TEST(Verify, names_each_fault_in_words) {
  EXPECT_EQ(to_string(Fault::lost_block), "lost block");
  EXPECT_EQ(to_string(Fault::circular_wait), "circular wait");
  EXPECT_EQ(to_string(Fault::malformed), "malformed");
}

}  // namespace
}  // namespace rondo
