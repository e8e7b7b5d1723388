// GOAL in LogGOPSim's binary form. The bytes that are expected are put together here by hand, from the layout of
// Parser.hpp of spcl/LogGOPSim.

#include "foreign/goal_binary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "base/error.hpp"
#include "base/random.hpp"

namespace rondo {
namespace {

std::string u8(int value) { return std::string(1, static_cast<char>(value)); }
std::string u32(std::uint32_t value) {
  return u8(value & 255) + u8((value >> 8) & 255) + u8((value >> 16) & 255) + u8(static_cast<int>(value >> 24));
}
std::string u64(std::uint64_t value) {
  return u32(static_cast<std::uint32_t>(value)) + u32(static_cast<std::uint32_t>(value >> 32));
}

/// rank 0 { l1: calc 100 cpu 1; l2: send 8b to 1 tag 5; l2 requires l1 } rank 1 { l1: recv 8b from 0 tag 5 }
/// Rank 0's part: 8 bytes of counts, a root, 2 tasks, a list of 1: 8 + 4 + 78 + 4 = 94 bytes. Rank 1's: 8 + 4 + 39
/// = 51. The table of 2 ranks ends at 6 + 32 = 38 bytes behind the first number.
std::string two_ranks() {
  std::string const head = u64(4223) + u32(2) + u8(1) + u8(0) + u64(38) + u64(132) + u64(132) + u64(183);
  std::string const calc =
      u32(0) + u8(3) + u32(0) + u64(100) + u32(0) + u8(1) + u8(0) + u32(1) + u32(0) + u32(0) + u32(1);
  std::string const send =
      u32(1) + u8(1) + u32(1) + u64(8) + u32(5) + u8(0) + u8(0) + u32(0) + u32(1) + u32(0) + u32(1);
  std::string const receive =
      u32(0) + u8(2) + u32(0) + u64(8) + u32(5) + u8(0) + u8(0) + u32(0) + u32(0) + u32(0) + u32(0);
  return head + u32(2) + u32(1) + u32(0) + calc + send + u32(1) + u32(1) + u32(1) + u32(0) + receive;
}

std::string written(TaskGraph const& graph) {
  std::string bytes;
  goal_binary::write(graph, [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

std::string refusal_of_bytes(std::string const& bytes) {
  try {
    goal_binary::read(bytes, "x.bin");
    return "read";
  } catch (InputError const& error) {
    return error.what();
  }
}

TEST(GoalBinary, is_read_as_its_text_and_written_byte_by_byte) {
  std::string const text =
      "num_ranks 2\nrank 0 {\nl1: calc 100 cpu 1\nl2: send 8b to 1 tag 5\nl2 requires l1\n}\n"
      "rank 1 {\nl1: recv 8b from 0 tag 5\n}\n";
  TaskGraph const graph = goal_binary::read(two_ranks(), "x.bin");
  EXPECT_EQ(graph, read_goal(text, "x.goal"));
  EXPECT_EQ(written(graph), two_ranks());
}

/// 100 random graphs, with both kinds of requirements, come back as they were but for the order of requirements.
TEST(GoalBinary, reads_back_what_it_writes) {
  Random random(5);
  for (int i = 0; i < 100; ++i) {
    TaskGraph graph;
    auto const ranks = static_cast<std::int32_t>(random.between(1, 5));
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
      auto const first = static_cast<std::uint32_t>(graph.tasks.size());
      auto const tasks = static_cast<std::uint32_t>(random.below(6));
      for (std::uint32_t t = 0; t < tasks; ++t) {
        auto const kind = static_cast<TaskKind>(random.below(3));
        bool const calc = kind == TaskKind::calc;
        graph.tasks.push_back({kind, static_cast<std::uint8_t>(random.below(4)),
                               static_cast<std::uint8_t>(random.below(4)),
                               calc ? 0 : static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(ranks))),
                               calc ? 0u : static_cast<std::uint32_t>(random.below(100)),
                               static_cast<std::int64_t>(random.below(1'000'000))});
        for (std::uint32_t on = 0; on < t; ++on) {
          if (random.below(3) != 0) continue;
          graph.requirements.push_back({first + t, first + on, random.below(2) == 0 ? Until::finish : Until::start});
        }
      }
      graph.first.push_back(static_cast<std::uint32_t>(graph.tasks.size()));
    }
    TaskGraph back = goal_binary::read(written(graph), "x.bin");
    auto const sorted = [](TaskGraph& each) {
      std::sort(each.requirements.begin(), each.requirements.end(), [](Requirement const& a, Requirement const& b) {
        return std::tuple(a.task, a.on, a.until) < std::tuple(b.task, b.on, b.until);
      });
    };
    sorted(back);
    sorted(graph);
    EXPECT_EQ(back, graph);
  }
}

TEST(GoalBinary, that_ends_too_early_is_one_error_wherever_it_ends) {
  std::string const whole = two_ranks();
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    std::string const error = refusal_of_bytes(whole.substr(0, bytes));
    EXPECT_TRUE(error.starts_with("x.bin: byte ")) << error;
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
  EXPECT_EQ(refusal_of_bytes(whole.substr(0, 100)),
            "x.bin: byte 100: expected the 2 tasks of rank 0 in 78 bytes from byte 58 on, got the end of the file");
}

TEST(GoalBinary, of_bytes_that_are_none_is_refused) {
  auto const with = [](std::size_t at, std::string const& bytes) {
    return two_ranks().replace(at, bytes.size(), bytes);
  };
  EXPECT_EQ(refusal_of_bytes(with(0, u64(2342))),
            "x.bin: byte 0: expected a binary GOAL file, got one that LogGOPSim has worked off with --save-mem");
  EXPECT_EQ(refusal_of_bytes(with(0, u64(7))),
            "x.bin: byte 0: expected 4223, which a binary GOAL file begins with, got 7");
  EXPECT_EQ(refusal_of_bytes(with(8, u32(0))), "x.bin: byte 8: expected at least one rank, got 0");
  EXPECT_EQ(refusal_of_bytes(with(14, u64(1000))),
            "x.bin: byte 14: expected the part of rank 0 within the 191 bytes of the file, got 1000");
  EXPECT_EQ(refusal_of_bytes(with(62, u8(9))),
            "x.bin: byte 62: expected the kind of a task, 1 (send), 2 (receive) or 3 (calculation), got 9");
  // The send begins at byte 97: 4 bytes of requirements, a kind, and its peer at 102.
  EXPECT_EQ(refusal_of_bytes(with(102, u32(2))), "x.bin: byte 102: expected a rank from 0 to 1, got 2");
  EXPECT_EQ(refusal_of_bytes(with(102, u32(0xffffffff))),
            "x.bin: byte 102: a receive from any rank (-1) is not supported: expected a rank");
  EXPECT_EQ(refusal_of_bytes(with(97, u32(3))),
            "x.bin: byte 97: expected task 1 to wait for as many tasks as list it, 1, got 3");
  EXPECT_EQ(refusal_of_bytes(with(97, u32(0))),
            "x.bin: byte 97: expected task 1 to wait for as many tasks as list it, 1, got 0");
  EXPECT_EQ(refusal_of_bytes(with(136, u32(2))), "x.bin: byte 136: expected one of the 2 tasks of the rank, got 2");
}

/// Any change of one byte is read or refused, and nothing else.
TEST(GoalBinary, with_any_byte_changed_is_read_or_refused) {
  std::string const whole = two_ranks();
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (int const value : {0, 1, 127, 255}) refusal_of_bytes(std::string(whole).replace(i, 1, u8(value)));
  }
}

}  // namespace
}  // namespace rondo
