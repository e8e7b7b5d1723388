// GOAL text: what is written is read back, and what cannot be read is named by line and column.

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/random.hpp"
#include "schedule/task_graph.hpp"

namespace rondo {
namespace {

std::string goal(TaskGraph const& graph) {
  std::string text;
  write_goal(graph, [&](std::string_view piece) { text += piece; });
  return text;
}

/// Two ranks exchange 8 bytes in a first round; in a second, rank 0 sends 16 bytes to rank 1.
Schedule two_rounds() {
  Layout layout{8_B, {}};
  for (Buffer const buffer : {Buffer::send, Buffer::receive}) layout[buffer].slots = 2;
  Place const one[] = {send_slot(0)};
  Place const two[] = {send_slot(0), send_slot(1)};
  Schedule schedule;
  schedule.ranks = 2;
  for (int const rank : {0, 1}) {
    ProgramBuilder builder(layout);
    builder.begin_round();
    builder.send(1 - rank, one);
    builder.receive(1 - rank, one);
    builder.begin_round();
    builder.begin_round();
    if (rank == 0) builder.send(1, two);
    if (rank == 1) builder.receive(0, two);
    schedule.programs.push_back(std::move(builder).finish());
    schedule.program_of.push_back(static_cast<std::uint32_t>(rank));
  }
  return schedule;
}

TEST(Goal, a_schedule_is_written_in_the_words_of_LogGOPSim) {
  EXPECT_EQ(goal(lower(two_rounds())),
            "num_ranks 2\n"
            "\n"
            "rank 0 {\n"
            "l1: recv 8b from 1 tag 0\n"
            "l2: send 8b to 1 tag 0\n"
            "l3: send 16b to 1 tag 0\n"
            "l3 requires l1\n"
            "l3 requires l2\n"
            "}\n"
            "\n"
            "rank 1 {\n"
            "l1: recv 8b from 0 tag 0\n"
            "l2: send 8b to 0 tag 0\n"
            "l3: recv 16b from 0 tag 0\n"
            "l3 requires l1\n"
            "l3 requires l2\n"
            "}\n");
}

/// Any tasks at all; they need not make sense.
TaskGraph random_graph(Random& random) {
  TaskGraph graph;
  auto const ranks = static_cast<std::uint64_t>(random.between(1, 5));
  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    auto const begin = static_cast<std::uint32_t>(graph.tasks.size());
    auto const count = static_cast<std::uint32_t>(random.below(6));
    for (std::uint32_t i = 0; i < count; ++i) {
      Task task;
      task.kind = static_cast<TaskKind>(random.below(3));
      task.cpu = static_cast<std::uint8_t>(random.below(3));
      task.amount = random.between(0, 1'000'000);
      if (task.kind != TaskKind::calc) {
        task.peer = static_cast<std::int32_t>(random.below(ranks));
        task.tag = static_cast<std::uint32_t>(random.below(4));
        task.nic = static_cast<std::uint8_t>(random.below(2));
      }
      graph.tasks.push_back(task);
    }
    for (std::uint64_t i = count == 0 ? 0 : random.below(8); i > 0; --i) {
      graph.requirements.push_back({begin + static_cast<std::uint32_t>(random.below(count)),
                                    begin + static_cast<std::uint32_t>(random.below(count)),
                                    random.below(2) == 0 ? Until::finish : Until::start});
    }
    graph.first.push_back(begin + count);
  }
  return graph;
}

TEST(Goal, two_hundred_random_graphs_are_read_as_they_were_written) {
  Random random(41);
  for (int i = 0; i < 200; ++i) {
    TaskGraph const graph = random_graph(random);
    EXPECT_EQ(read_goal(goal(graph), "test"), graph) << goal(graph);
  }
}

TEST(Goal, labels_comments_blanks_and_the_order_of_ranks_are_free) {
  TaskGraph const graph = read_goal(
      "// a header\n\n num_ranks 3\n"
      "rank 2 { calc 5 cpu 1; }\n"
      "rank 0 {\n  late requires early /* both\n follow */\n"
      "early: send 8b to 2 tag 4 cpu 1 nic 2\nlate: recv 8b from 2\n\r\n}\n",
      "test");
  EXPECT_EQ(graph.first, (std::vector<std::uint32_t>{0, 2, 2, 3}));
  EXPECT_EQ(graph.tasks,
            (std::vector<Task>{
                {TaskKind::send, 1, 2, 2, 4, 8}, {TaskKind::receive, 0, 0, 2, 0, 8}, {TaskKind::calc, 1, 0, 0, 0, 5}}));
  EXPECT_EQ(graph.requirements, (std::vector<Requirement>{{1, 0, Until::finish}}));
}

std::string error_of(std::string const& text) {
  try {
    read_goal(text, "x.goal");
  } catch (InputError const& error) {
    return error.what();
  }
  return "none";
}

TEST(Goal, errors_name_line_column_and_what_is_expected) {
  struct Wrong {
    std::string text, error;
  };
  std::vector<Wrong> const wrongs{
      {"", "x.goal:1:1: expected \"num_ranks\", got the end of the text"},
      {"rank 0 {}", "x.goal:1:1: expected \"num_ranks\", got \"rank\""},
      {"num_ranks 0", "x.goal:1:11: expected at least one rank, got 0"},
      {"num_ranks x", "x.goal:1:11: expected the number of ranks, an integer from 0 to 16777216, got \"x\""},
      {"num_ranks 2\nrank 2 {}", "x.goal:2:6: expected a rank, an integer from 0 to 1, got \"2\""},
      {"num_ranks 2\nrank 0 {}\nrank 0 {}", "x.goal:3:6: rank 0 stands twice"},
      {"num_ranks 1\nrank 0 {\n",
       "x.goal:3:1: expected \"send\", \"recv\", \"calc\", a label or \"}\", got the end of the text"},
      {"num_ranks 1\nrank 0 {\nl1: sent 8b to 0\n}",
       "x.goal:3:5: expected \"send\", \"recv\" or \"calc\", got \"sent\""},
      {"num_ranks 1\nrank 0 {\nl1: send 8 to 0\n}", "x.goal:3:12: expected \"b\", got \"to\""},
      {"num_ranks 1\nrank 0 {\nl1: send 8b from 0\n}", "x.goal:3:13: expected \"to\", got \"from\""},
      {"num_ranks 1\nrank 0 {\nl1: recv 8b from -1\n}",
       "x.goal:3:18: a receive from any rank (-1) is not supported: expected a rank"},
      {"num_ranks 1\nrank 0 {\nl1: recv 8b from 0 tag -1\n}",
       "x.goal:3:24: a receive of any tag (-1) is not supported: expected a tag"},
      {"num_ranks 1\nrank 0 {\nl1: calc 5 cpu 256\n}",
       "x.goal:3:16: expected a CPU, an integer from 0 to 255, got \"256\""},
      {"num_ranks 1\nrank 0 {\ncalc 99999999999999999999\n}",
       "x.goal:3:6: expected nanoseconds, an integer from 0 to 9223372036854775807, got \"99999999999999999999\""},
      {"num_ranks 1\nrank 0 {\nl1: calc 5 l2: calc 5\n}", "x.goal:3:12: expected the end of the statement, got \"l2\""},
      {"num_ranks 1\nrank 0 {\nl1: calc 5\nl1: calc 5\n}", "x.goal:4:1: the label \"l1\" stands twice in its rank"},
      {"num_ranks 1\nrank 0 {\nl1: calc 5\nl1 requires l2\n}",
       "x.goal:4:13: no task of this rank has the label \"l2\""},
      {"num_ranks 1\nrank 0 {\nl1 needs l2\n}",
       "x.goal:3:4: expected \":\", \"requires\" or \"irequires\", got \"needs\""},
      {"num_ranks 1\nrank 0 {\nl1 requires\n}", "x.goal:3:12: expected a label, got the end of the line"},
      {"num_ranks 1\n/* no end", "x.goal:2:1: expected \"*/\" after this \"/*\", got the end of the text"},
      {"num_ranks 1\nrank 0 {} #", "x.goal:2:11: expected \"rank\", got \"#\""},
  };
  for (Wrong const& wrong : wrongs) EXPECT_EQ(error_of(wrong.text), wrong.error) << wrong.text;
}

TEST(Goal, a_thousand_damaged_texts_are_read_or_refused) {
  Random random(42);
  std::string const whole = goal(lower(two_rounds()));
  for (int i = 0; i < 1000; ++i) {
    std::string text = whole;
    for (int changes = 0; changes < 3; ++changes) {
      auto const place = static_cast<std::size_t>(random.below(text.size()));
      if (random.below(2) == 0) {
        text.erase(place, random.below(4));
      } else {
        text[place] = static_cast<char>(random.below(256));
      }
    }
    error_of(text);
  }
}

}  // namespace
}  // namespace rondo
