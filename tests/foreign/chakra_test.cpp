// Chakra execution traces, in bytes that are put together by hand.

#include "foreign/chakra.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/error.hpp"
#include "base/random.hpp"
#include "foreign/chakra_traces.hpp"

namespace rondo::test::chakra {
namespace {

TaskGraph graph_of_traces(std::vector<std::string> const& traces) {
  TaskGraph graph;
  rondo::chakra::Collectives collectives;
  for (std::size_t rank = 0; rank < traces.size(); ++rank) {
    rondo::chakra::add_rank(graph, traces[rank], fmt::format("x.{}.et", rank), static_cast<int>(traces.size()),
                            collectives);
  }
  return graph;
}

/// What is said of a trace of rank 0 of 2.
std::string refusal_of_trace(std::string const& bytes) {
  try {
    TaskGraph graph;
    rondo::chakra::Collectives collectives;
    rondo::chakra::add_rank(graph, bytes, "x.0.et", 2, collectives);
    return "read";
  } catch (InputError const& error) {
    return error.what();
  }
}

/// The requirements of a graph have no order of their own.
TaskGraph sorted(TaskGraph graph) {
  std::sort(graph.requirements.begin(), graph.requirements.end(), [](Requirement const& a, Requirement const& b) {
    return std::tuple(a.task, a.on, a.until) < std::tuple(b.task, b.on, b.until);
  });
  return graph;
}

TEST(Chakra, nodes_are_tasks_and_wait_for_what_they_depend_on) {
  std::string const first = head() + compute(7, 3) + send_to(9, 1, 100, {7}, 5);
  std::string const second = head() + message(fields(1, metadata, "")) +
                             message(fields(2, receive,
                                            number(4, 1) + attribute("comm_src", 0) + attribute("comm_dst", 1) +
                                                attribute("comm_size", 100) + attribute("comm_tag", 5))) +
                             // On the CPU, which is where nodes are that do not say it.
                             message(fields(3, computation, number(7, 2) + text(5, varint(1) + varint(2))));
  EXPECT_EQ(sorted(graph_of_traces({first, second})),
            sorted(read_goal("num_ranks 2\n"
                             "rank 0 {\nl1: calc 3000 cpu 1\nl2: send 100b to 1 tag 5\nl2 requires l1\n}\n"
                             "rank 1 {\nl1: calc 0 cpu 3\nl2: recv 100b from 0 tag 5\n"
                             "l3: calc 2000\nl3 requires l1\nl3 requires l2\n}\n",
                             "x.goal")));
}

/// The trace of Chakra's feeder test has calls around nodes as their control dependencies: 210 nodes that it does not
/// have, and nodes that wait for themselves.
TEST(Chakra, control_dependencies_hold_nothing_back) {
  std::string const trace = head() + compute(7, 3) +
                            message(fields(9, computation, number(7, 2) + number(4, 1) + number(4, 9) + number(5, 7))) +
                            message(fields(11, computation, number(7, 2) + text(4, varint(12) + varint(7))));
  EXPECT_EQ(sorted(graph_of_traces({trace})),
            sorted(read_goal("num_ranks 1\n"
                             "rank 0 {\nl1: calc 3000 cpu 1\nl2: calc 2000\nl3: calc 2000\nl2 requires l1\n}\n",
                             "x.goal")));
}

/// An attribute in one of the types of integers that the schema has.
std::string attribute_of_any_type(Random& random, std::string const& name, std::uint64_t value) {
  switch (random.below(5)) {
    case 0:
      return text(10, text(1, name) + number(7 + 2 * static_cast<std::uint32_t>(random.below(4)), value));
    case 1:  // sint32, sint64: zigzag
      return text(10, text(1, name) + number(15 + 2 * static_cast<std::uint32_t>(random.below(2)), 2 * value));
    case 2:
      return text(10, fixed(19 + 4 * static_cast<std::uint32_t>(random.below(2)), value, 4) + text(1, name));
    case 3:
      return text(10, fixed(21 + 4 * static_cast<std::uint32_t>(random.below(2)), value, 8) + text(1, name));
    default:
      return text(10, text(1, name) + text(2, "documented") + number(13, value));
  }
}

/// Fields that say nothing of the graph: a start, inputs, one of a later schema of each wire type.
std::string other_fields(Random& random) {
  switch (random.below(4)) {
    case 0:
      return number(6, random.below(1'000'000));
    case 1:
      return text(8, text(1, "[1, 2]"));
    case 2:
      return fixed(1000, random.below(1'000'000), 8) + fixed(1001, 1, 4);
    default:
      return text(10, text(1, "num_ops") + number(9, random.below(1'000'000)));
  }
}

/// A graph in both forms, made one after the other, so that it can run: each message has a tag of its own.
struct TwiceWritten {
  std::vector<std::string> traces, goal;
  std::vector<Ids> ids;

  explicit TwiceWritten(std::size_t ranks) : traces(ranks, head()), goal(ranks), ids(ranks) {}

  void add(Random& random, std::size_t rank, Type type, std::string const& more, std::string const& words) {
    std::uint64_t const id = random.below(std::uint64_t{1} << 40) * 1000 + ids[rank].size();
    std::string bytes = number(1, id) + text(2, "some \"name\"\n") + number(3, type) + more + other_fields(random);
    goal[rank] += fmt::format("l{}: {}\n", ids[rank].size(), words);
    std::string packed;
    for (std::size_t on = 0; on < ids[rank].size(); ++on) {
      if (random.below(4) != 0) continue;
      goal[rank] += fmt::format("l{} requires l{}\n", ids[rank].size(), on);
      random.below(2) == 0 ? void(packed += varint(ids[rank][on])) : void(bytes += number(5, ids[rank][on]));
    }
    traces[rank] += message(bytes + (packed.empty() ? "" : text(5, packed)));
    ids[rank].push_back(id);
  }

  std::string goal_text() const {
    std::string result = fmt::format("num_ranks {}\n", goal.size());
    for (std::size_t rank = 0; rank < goal.size(); ++rank)
      result += fmt::format("rank {} {{\n{}}}\n", rank, goal[rank]);
    return result;
  }
};

TwiceWritten random_graph(Random& random) {
  auto const ranks = static_cast<std::size_t>(random.between(1, 6));
  TwiceWritten result(ranks);
  for (std::uint64_t i = 0, count = random.below(25); i < count; ++i) {
    auto const from = static_cast<std::size_t>(random.below(ranks)), to = static_cast<std::size_t>(random.below(ranks));
    std::uint64_t const amount = random.below(100'000);
    if (random.below(3) == 0 || from == to) {
      result.add(random, from, computation, number(7, amount) + attribute_of_any_type(random, "is_cpu_op", 1),
                 fmt::format("calc {}", 1000 * amount));
      continue;
    }
    std::string const size_and_tag =
        attribute_of_any_type(random, "comm_size", amount) + attribute_of_any_type(random, "comm_tag", i);
    result.add(random, from, send, attribute_of_any_type(random, "comm_dst", to) + size_and_tag,
               fmt::format("send {}b to {} tag {}", amount, to, i));
    result.add(random, to, receive, attribute_of_any_type(random, "comm_src", from) + size_and_tag,
               fmt::format("recv {}b from {} tag {}", amount, from, i));
  }
  return result;
}

TEST(Chakra, of_200_random_graphs_are_those_of_the_same_in_goal_text) {
  Random random(17);
  for (int i = 0; i < 200; ++i) {
    TwiceWritten const both = random_graph(random);
    TaskGraph const graph = graph_of_traces(both.traces);
    EXPECT_EQ(sorted(graph), sorted(read_goal(both.goal_text(), "x.goal"))) << both.goal_text();
    EXPECT_EQ(check(graph).count, 0) << both.goal_text();
  }
}

/// Each cut is one error of the file, or one of what is missing then.
TEST(Chakra, that_ends_too_early_is_one_error_wherever_it_ends) {
  std::string const first = head() + send_to(1, 1, 100) + receive_from(2, 1, 300, {1});
  std::string const whole = head() + receive_from(5, 0, 100) + compute(6, 200, {5}) + send_to(7, 0, 300, {6});
  EXPECT_EQ(check(graph_of_traces({first, whole})).count, 0);
  int between = 0;
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    try {
      TaskFaults const faults = check(graph_of_traces({first, whole.substr(0, bytes)}));
      ++between;
      ASSERT_FALSE(faults.first.empty()) << bytes;
      EXPECT_TRUE(faults.first[0].find("is met by no") != std::string::npos) << faults.first[0];
    } catch (InputError const& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("x.1.et: byte ")) << error.what();
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
  EXPECT_EQ(between, 3) << "behind the head and the first two of three nodes";
  EXPECT_EQ(refusal_of_trace(""),
            "x.0.et: byte 0: expected GlobalMetadata, which a trace begins with, got the end of the file");
  EXPECT_EQ(refusal_of_trace(head() + std::string("\x05\x08\x01", 3)),
            "x.0.et: byte 8: expected a length of at most 2, the bytes that follow, got 5");
  EXPECT_EQ(refusal_of_trace(head() + "\x80"), "x.0.et: byte 8: expected a number, got one that is cut off");
}

TEST(Chakra, of_bytes_that_are_no_message_is_refused) {
  auto const refused = [](std::string const& bytes) { return refusal_of_trace(head() + message(bytes)); };
  // The message begins at byte 9, behind the head and its length.
  std::string const nine(9, '\xff');
  EXPECT_EQ(refused(number(1, 1) + varint(6 << 3) + nine + "\x02"),
            "x.0.et: byte 12: expected a number of at most 64 bits, got a longer one");
  EXPECT_EQ(refused(varint(6 << 3) + nine + "\xff\x01"),
            "x.0.et: byte 10: expected a number of at most 64 bits, got a longer one");
  EXPECT_EQ(refused(varint(6 << 3) + nine + "\x01"), "read");
  EXPECT_EQ(refused(varint(2)), "x.0.et: byte 9: expected the number of a field from 1 to 536870911, got 0");
  EXPECT_EQ(refused(varint(0x1'0000'0000)),
            "x.0.et: byte 9: expected the number of a field from 1 to 536870911, got 536870912");
  EXPECT_EQ(refused(varint((1 << 3) | 3)), "x.0.et: byte 9: expected one of the wire types 0, 1, 2 and 5, got 3");
  EXPECT_EQ(refused(varint((40 << 3) | 1) + "1234567"), "x.0.et: byte 11: expected a value of 8 bytes, got 7");
  EXPECT_EQ(refused(text(3, "5")), "x.0.et: byte 11: expected the type of a node as a varint, got another wire type");
  EXPECT_EQ(refused(number(2, 5)), "x.0.et: byte 10: expected the bytes of the name of a node, got a number");
  EXPECT_EQ(refused(text(10, text(1, "comm_size") + std::string("\x48"))),
            "x.0.et: byte 23: expected a number, got one that is cut off");
  EXPECT_EQ(refusal_of_trace(message(number(1, 3))),
            "x.0.et: byte 1: expected GlobalMetadata, which a trace begins with, got another message");
  EXPECT_EQ(refusal_of_trace("\x1f\x8b\x08"),
            "x.0.et: byte 0: expected a trace as it is, got one that gzip has packed");
}

TEST(Chakra, a_node_that_is_none_is_named_with_its_file) {
  auto const refused = [](std::string const& nodes) { return refusal_of_trace(head() + nodes); };
  EXPECT_EQ(refused(send_to(3, 2, 8)), "x.0.et: node 3 (\"n3\"): comm_dst: expected an integer from 0 to 1, got 2");
  EXPECT_EQ(refused(send_to(3, -1, 8)), "x.0.et: node 3 (\"n3\"): comm_dst: expected an integer from 0 to 1, got -1");
  EXPECT_EQ(refused(message(fields(3, receive, attribute("comm_size", 8)))),
            "x.0.et: node 3 (\"n3\"): comm_src: expected an integer from 0 to 1, got none");
  EXPECT_EQ(refused(message(fields(3, send, attribute("comm_dst", 1)))),
            "x.0.et: node 3 (\"n3\"): comm_size: expected an integer from 0 to 9223372036854775807, got none");
  EXPECT_EQ(
      refused(message(fields(3, send, attribute("comm_dst", 1) + text(10, text(1, "comm_size") + text(29, "8"))))),
      "x.0.et: node 3 (\"n3\"): comm_size: expected an integer from 0 to 9223372036854775807, got a value of "
      "another type");
  EXPECT_EQ(refused(send_to(3, 1, 8, {}, -1)),
            "x.0.et: node 3 (\"n3\"): comm_tag: expected an integer from 0 to 4294967294, got -1");
  EXPECT_EQ(refused(message(
                fields(3, send, attribute("comm_dst", 1) + attribute("comm_size", 8) + attribute("comm_src", 1)))),
            "x.0.et: node 3 (\"n3\"): comm_src: expected 0, the rank that the trace is of, got 1");
  EXPECT_EQ(refused(message(fields(3, collective, attribute("comm_type", 0)))),
            "x.0.et: node 3 (\"n3\"): comm_size: expected an integer from 0 to 9223372036854775807, got none");
  EXPECT_EQ(refused(message(fields(3, collective, attribute("comm_type", 10) + attribute("comm_size", 8)))),
            "x.0.et: node 3 (\"n3\"): comm_type: expected an integer from 0 to 9, got 10");
  EXPECT_EQ(refused(message(fields(3, static_cast<Type>(11), ""))),
            "x.0.et: node 3 (\"n3\"): expected the type of a node, a number from 0 to 10, got 11");
  EXPECT_EQ(refused(compute(3, 10'000'000'000'000'000)),
            "x.0.et: node 3 (\"n3\"): duration_micros: expected at most 9223372036854775, got 10000000000000000");
  EXPECT_EQ(refused(compute(3, 1) + compute(3, 2)),
            "x.0.et: node 3 (\"n3\"): expected an id of its own, another node has the same");
  EXPECT_EQ(refused(compute(3, 1, {4})),
            "x.0.et: node 3: expected to wait for nodes of the file, it waits for 4, which is none");
}

TEST(Chakra, what_can_never_run_is_named_by_its_nodes) {
  auto const fault = [](std::string const& first, std::string const& second) {
    TaskFaults const faults = check(graph_of_traces({head() + first, head() + second}));
    return faults.first.empty() ? "none" : faults.first[0];
  };
  EXPECT_EQ(fault(send_to(3, 1, 8), ""), "rank 0's node 3 (send 8b to 1 tag 0) is met by no receive");
  EXPECT_EQ(fault("", receive_from(4, 0, 8)), "rank 1's node 4 (recv 8b from 0 tag 0) is met by no send");
  EXPECT_EQ(fault(send_to(3, 1, 8), receive_from(4, 0, 9)),
            "rank 0's node 3 (send 8b to 1 tag 0) meets rank 1's node 4 (recv 9b from 0 tag 0) of another size");
  EXPECT_EQ(fault(compute(3, 1, {4}) + compute(4, 1, {3}), ""),
            "deadlock: circular wait: rank 0's node 3 (calc 1000) waits for rank 0's node 4 (calc 1000), which waits "
            "for rank 0's node 3 (calc 1000)");
}

}  // namespace
}  // namespace rondo::test::chakra
