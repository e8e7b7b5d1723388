// GOAL text that says what becomes of blocks, by notes on tasks or by tags.

#include "schedule/goal_notes.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "schedule/prove.hpp"

namespace rondo {
namespace {

NotedGraph noted(std::string const& text) { return with_blocks(read_goal_notes(text, "x.goal"), "x.goal"); }

std::string refusal(std::string const& text) {
  try {
    noted(text);
    return "read";
  } catch (InputError const& error) {
    return error.what();
  }
}

Classical allgather(int ranks) { return {ClassicalCollective::allgather, ranks, Rank(0), 1, {}}; }

/// Each of two ranks copies its own block and sends it to the other.
std::string const exchange_goal =
    "num_ranks 2\n"
    "//@ buffers send 1 receive 2 scratch 0 block 8\n"
    "rank 0 {\n"
    "l1: calc 0          //@ receive[0] = send[0]\n"
    "l2: send 8b to 1    //@ send[0]\n"
    "l3: recv 8b from 1  //@ receive[1]\n"
    "}\n"
    "rank 1 {\n"
    "l1: calc 0          //@ receive[1] = send[0]\n"
    "l2: send 8b to 0    //@ send[0]\n"
    "l3: recv 8b from 0  //@ receive[0]\n"
    "}\n";

std::string replaced(std::string text, std::string const& what, std::string const& with) {
  std::size_t const at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

TEST(GoalNotes, say_what_becomes_of_blocks) {
  Collective const promise = allgather(2);
  EXPECT_TRUE(prove(noted(exchange_goal).graph, &promise).valid());
  EXPECT_EQ(noted(exchange_goal).graph.tasks, read_goal(exchange_goal, "x.goal")) << "comments to everybody else";
}

/// Two blocks under one tag, the second of which is posted behind the first at both ends if lines say so.
TEST(GoalNotes, messages_of_a_channel_are_settled_by_what_their_starts_require) {
  std::string const text =
      "//@ buffers send 1 receive 2 scratch 1 block 8\n"
      "num_ranks 2\n"
      "rank 0 {\n"
      "l0: calc 0          //@ receive[0] = send[0]\n"
      "l1: send 8b to 1    //@ receive[0]\n"
      "l2: send 8b to 1    //@ send[0]\n"
      "l1 requires l0\n"
      "SETTLED}\n"
      "rank 1 {\n"
      "l0: calc 0          //@ receive[1] = send[0]\n"
      "l1: recv 8b from 0  //@ receive[0]\n"
      "l2: recv 8b from 0  //@ scratch[0]\n"
      "l1 requires l0\n"
      "SETTLED}\n";
  auto const races = [&](std::string const& settled) {
    std::string said = text;
    for (int end = 0; end < 2; ++end) said = replaced(said, "SETTLED", settled);
    return prove(noted(said).graph, nullptr).violation_count;
  };
  EXPECT_EQ(races("l2 irequires l1\n"), 0);
  EXPECT_EQ(races("l2 requires l1\n"), 0);
  EXPECT_EQ(races(""), 2) << "l1 waits for l0, so that l2 may be posted before it";
}

TEST(GoalNotes, that_lead_to_a_wrong_end_are_found_out) {
  Collective const promise = allgather(2);
  TaskProof const lost = prove(noted(replaced(exchange_goal, "receive[1]\n", "receive[0]\n")).graph, &promise);
  ASSERT_EQ(lost.violation_count, 3);
  EXPECT_EQ(lost.violations[0].fault, std::nullopt) << "the copy and the receive";
  EXPECT_EQ(
      lost.violations[0].text,
      "rank 0: rank 0's line 4 (calc 0) and rank 0's line 6 (recv 8b from 1 tag 0) touch receive[0] without order "
      "between them, and one of them writes it");
  EXPECT_EQ(lost.violations[1].text, "rank 0: block 0 of rank 1 lies in receive[0], where block 0 of rank 0 is owed");
  EXPECT_EQ(lost.violations[2].text, "rank 0: block 0 of rank 1 is lost, it is owed in receive[1]");
}

/// Reductions: a contribution that is joined twice, by name.
TEST(GoalNotes, join) {
  std::string const text =
      "num_ranks 2\n"
      "//@ buffers send 1 receive 1 scratch 1 block 8\n"
      "rank 0 {\n"
      "l1: calc 0          //@ receive[0] = send[0]\n"
      "l2: recv 8b from 1  //@ + receive[0]\n"
      "l2 requires l1\n"
      "}\n"
      "rank 1 { send 8b to 0 //@ send[0]\n"
      "}\n";
  Collective const promise = Classical{ClassicalCollective::reduce, 2, Rank(0), 1, {}};
  EXPECT_TRUE(prove(noted(text).graph, &promise).valid());
  std::string const twice =
      replaced(text, "l2 requires l1\n", "l2 requires l1\nl3: calc 0 //@ receive[0] += send[0]\nl3 requires l2\n");
  TaskProof const verdict = prove(noted(twice).graph, &promise);
  ASSERT_EQ(verdict.violation_count, 1);
  EXPECT_EQ(verdict.violations[0].text,
            "rank 0: block 0 of rank 0 enters once more by rank 0's line 7 (calc 0) and so is doubled in receive[0], "
            "where the join of block 0 of ranks 0 to 1 is owed");
}

/// A ring: what a rank has got it sends on, by the name of the block.
TEST(GoalNotes, of_tags_name_blocks) {
  std::string text = "num_ranks 3\n//@ tags 1 block 8\n";
  for (int rank = 0; rank < 3; ++rank) {
    std::string const to = std::to_string((rank + 1) % 3), from = std::to_string((rank + 2) % 3);
    std::string const own = std::to_string(rank), older = std::to_string((rank + 1) % 3);
    text += "rank " + std::to_string(rank) + " {\na: send 8b to " + to + " tag " + own + "\nb: recv 8b from " + from +
            " tag " + from + "\nc: send 8b to " + to + " tag " + from + "\nc requires b\nd: recv 8b from " + from +
            " tag " + older + "\n}\n";
  }
  NotedGraph const graph = noted(text);
  ASSERT_EQ(graph.tagged, 1u);
  Collective const promise = by_tags(allgather(3), graph.tagged);
  EXPECT_TRUE(prove(graph.graph, &promise).valid());
  TaskProof const too_early = prove(noted(replaced(text, "c requires b\n", "")).graph, &promise);
  EXPECT_GT(too_early.violation_count, 0) << "a block is sent on before it has come";
}

TEST(GoalNotes, of_tags_know_no_reductions) {
  EXPECT_THROW(by_tags(Classical{ClassicalCollective::allreduce, 2, Rank(0), 1, {}}, 1), InputError);
  EXPECT_THROW(by_tags(Classical{ClassicalCollective::alltoall, 3, Rank(0), 1, {}}, 2), InputError);
}

TEST(GoalNotes, that_are_none_are_refused_with_their_place) {
  struct Case {
    std::string what, with, error;
  };
  std::vector<Case> const cases = {
      {"//@ buffers", "//@ buffer", "x.goal:2:5: expected \"buffers\", got \"buffer\""},
      {"block 8\n", "block 8 9\n", "x.goal:2:48: expected the end of the note, got \"9\""},
      {"//@ buffers send 1 receive 2 scratch 0 block 8\n", "",
       "x.goal:3:24: expected //@ buffers or //@ tags in front of the first rank"},
      {"rank 1 {", "//@ tags 1 block 8\nrank 1 {",
       "x.goal:8:4: expected one note on buffers or tags, got a second one"},
      {"rank 0 {\n", "rank 0 {\n//@ send[0]\n", "x.goal:4:4: expected a note (//@) behind a task, on its line"},
      {"receive[0] = send[0]", "receive[0]", "x.goal:4:35: expected \"=\", got the end of the text"},
      {"receive[0] = send[0]", "receive[0..1] = send[0]",
       "x.goal:4:24: expected as many places on both sides, got 2 and 1"},
      {"//@ send[0]", "//@ sent[0]", "x.goal:5:25: expected a place, as \"receive[0..3]\", got \"sent\""},
      {"//@ send[0]", "//@ send[1]", "x.goal:5:30: expected places of the send buffer, which has 1, got 1..1"},
      {"//@ receive[1]\n", "//@ receive[0..1]\n",
       "x.goal:6: expected 16 bytes, as 2 blocks of 8 bytes are sent or received, got 8"},
  };
  for (Case const& each : cases) EXPECT_EQ(refusal(replaced(exchange_goal, each.what, each.with)), each.error);
  EXPECT_EQ(refusal("num_ranks 1\n//@ tags 0 block 8\nrank 0 { }\n"),
            "x.goal:2:12: expected at least one block of a rank, got \"block\"");
  EXPECT_EQ(refusal("num_ranks 2\n//@ tags 1 block 8\nrank 0 { send 8b to 1 tag 2 }\nrank 1 { }\n"),
            "x.goal:3: expected a tag from 0 to 1, the name of a block, got 2");
}

}  // namespace
}  // namespace rondo
