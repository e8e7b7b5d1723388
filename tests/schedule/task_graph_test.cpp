// Task graphs: lowering of schedules, and what check finds.

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "schedule/shortest_cycle.hpp"
#include "schedule/task_graph.hpp"

namespace rondo {
namespace {

using Faults = std::vector<std::string>;

Faults graph_faults(char const* goal) { return check(read_goal(goal, "test")).first; }

TEST(TaskGraph, what_two_ranks_exchange_is_sound) {
  EXPECT_EQ(
      graph_faults(
          "num_ranks 2\nrank 0 { send 8b to 1 tag 3; recv 4b from 1 }\nrank 1 { recv 8b from 0 tag 3; send 4b to 0 }"),
      Faults{});
}

TEST(TaskGraph, sends_and_receives_that_meet_nobody_are_named) {
  EXPECT_EQ(
      graph_faults("num_ranks 2\nrank 0 { send 8b to 1; send 8b to 1; recv 4b from 1 tag 1 }\nrank 1 { recv 8b from 0; "
                   "send 4b to 0 tag 2 }"),
      (Faults{"rank 0's line 2 (send 8b to 1 tag 0) is met by no receive",
              "rank 0's line 2 (recv 4b from 1 tag 1) is met by no send",
              "rank 1's line 3 (send 4b to 0 tag 2) is met by no receive"}));
}

TEST(TaskGraph, sizes_that_differ_are_named) {
  EXPECT_EQ(
      graph_faults("num_ranks 2\nrank 0 { send 8b to 1 }\nrank 1 { recv 9b from 0 }"),
      (Faults{"rank 0's line 2 (send 8b to 1 tag 0) meets rank 1's line 3 (recv 9b from 0 tag 0) of another size"}));
}

TEST(TaskGraph, ends_match_in_the_order_in_which_they_are_posted) {
  EXPECT_EQ(
      graph_faults("num_ranks 2\nrank 0 { a: send 8b to 1; b: send 9b to 1; a requires b }\nrank 1 { recv 9b from 0; "
                   "recv 8b from 0 }"),
      Faults{});
}

/// Rank 0 sends a message of i + 1 bytes under each tag i, rank 1 takes them in the opposite order.
std::string under_many_tags(int tags) {
  std::string sends, receives;
  for (int i = 0; i < tags; ++i) {
    sends += "send " + std::to_string(i + 1) + "b to 1 tag " + std::to_string(i) + "\n";
    receives += "recv " + std::to_string(tags - i) + "b from 0 tag " + std::to_string(tags - 1 - i) + "\n";
  }
  return "num_ranks 2\nrank 0 {\n" + sends + "}\nrank 1 {\n" + receives + "}";
}

TEST(TaskGraph, ends_match_under_any_number_of_tags) {
  for (int const tags : {1, 7, 8, 9, 300}) EXPECT_EQ(graph_faults(under_many_tags(tags).c_str()), Faults{}) << tags;
}

TEST(TaskGraph, a_partner_that_is_no_rank_is_named) {
  TaskGraph graph = read_goal("num_ranks 1\nrank 0 { send 8b to 0; recv 8b from 0 }", "test");
  EXPECT_EQ(check(graph).first, Faults{});
  graph.tasks[0].peer = 5;
  graph.tasks[1].peer = -2;
  EXPECT_EQ(check(graph).first,
            (Faults{"rank 0's line 2 (send 8b to 5 tag 0) has a partner rank that does not exist",
                    "rank 0's line 2 (recv 8b from -2 tag 0) has a partner rank that does not exist"}));
}

TEST(TaskGraph, the_smallest_circular_wait_is_named) {
  EXPECT_EQ(
      graph_faults("num_ranks 3\n"
                   "rank 0 { a: recv 1b from 1; b: send 1b to 2; b requires a }\n"
                   "rank 1 { a: recv 1b from 2; b: send 1b to 0; b requires a }\n"
                   "rank 2 { a: recv 1b from 0; b: send 1b to 1; b requires a; c: calc 1; d: calc 2; c requires d; d "
                   "irequires c }"),
      (Faults{"deadlock: circular wait: rank 2's line 4 (calc 1) waits for rank 2's line 4 (calc 2), which waits "
              "for rank 2's line 4 "
              "(calc 1)"}));
}

TEST(TaskGraph, eager_sends_do_not_wait_for_their_receives) {
  EXPECT_EQ(graph_faults("num_ranks 2\nrank 0 { a: send 1b to 1; b: recv 1b from 1; b requires a }\n"
                         "rank 1 { a: send 1b to 0; b: recv 1b from 0; b requires a }"),
            Faults{});
}

TEST(TaskGraph, large_rounds_are_joined_by_an_empty_calculation) {
  Layout layout{1_B, {}};
  layout[Buffer::send].slots = 1;
  Place const place[] = {send_slot(0)};
  ProgramBuilder builder(layout);
  for (int round = 0; round < 2; ++round) {
    builder.begin_round();
    for (int i = 0; i < 10; ++i) builder.send(0, place);
  }
  Schedule schedule;
  schedule.ranks = 1;
  schedule.programs.push_back(std::move(builder).finish());
  TaskGraph const graph = lower(schedule);
  EXPECT_EQ(graph.tasks.size(), 21U);
  EXPECT_EQ(graph.tasks[10], Task{});
  EXPECT_EQ(graph.requirements.size(), 20U);
}

TEST(Circle, the_smallest_from_its_lowest_vertex) {
  using Vertices = std::vector<std::uint32_t>;
  EXPECT_EQ(shortest_cycle({}), Vertices{});
  EXPECT_EQ(shortest_cycle({{1}, {2}, {}}), Vertices{});
  EXPECT_EQ(shortest_cycle({{1}, {2}, {0}}), (Vertices{0, 1, 2}));
  EXPECT_EQ(shortest_cycle({{1}, {2}, {0, 3}, {4}, {3}}), (Vertices{3, 4}));
  EXPECT_EQ(shortest_cycle({{1}, {0}, {2}}), (Vertices{2}));
}

// 1,500 sends that nobody receives: all are counted, the first 1,000 named.
TEST(TaskGraph, counts_all_faults_and_names_the_first_1000) {
  std::string goal = "num_ranks 2\nrank 0 {\n";
  for (int i = 0; i < 1500; ++i) goal += "send 8b to 1\n";
  TaskFaults const found = check(read_goal(goal + "}\nrank 1 {\n}\n", "test"));
  EXPECT_EQ(found.count, 1500);
  EXPECT_EQ(found.first.size(), 1000U);
}

}  // namespace
}  // namespace rondo
