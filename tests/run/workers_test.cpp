#include "run/points/workers.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "base/error.hpp"

namespace rondo {
namespace {

std::vector<std::size_t> tasks(std::size_t count) {
  std::vector<std::size_t> result(count);
  std::iota(result.begin(), result.end(), 5);
  return result;
}

/// All answers in the order in which they came.
std::vector<std::string> answers(std::size_t count, WorkerOptions const& options,
                                 std::function<std::string(std::size_t)> const& work) {
  std::vector<std::string> result;
  in_workers(
      tasks(count), options, work, [](std::size_t task, std::string const& why) { return std::to_string(task) + why; },
      [&](std::size_t task, std::string answer) {
        EXPECT_EQ(task, result.size() + 5);
        result.push_back(std::move(answer));
      });
  return result;
}

TEST(Workers, answer_in_the_order_of_the_tasks_whatever_finishes_first) {
  for (std::size_t const ahead : {1, 3}) {
    auto const result = answers(40, {4, ahead}, [](std::size_t task) {
      std::this_thread::sleep_for(std::chrono::milliseconds(task % 7));
      return std::string(task * 1000, 'x');
    });
    ASSERT_EQ(result.size(), 40u);
    for (std::size_t i = 0; i < result.size(); ++i) EXPECT_EQ(result[i].size(), (i + 5) * 1000);
  }
}

TEST(Workers, that_die_lose_one_task_only) {
  auto const result = answers(20, {2, 4}, [](std::size_t task) -> std::string {
    if (task == 9) raise(SIGKILL);
    if (task == 17) _exit(3);
    return "fine";
  });
  ASSERT_EQ(result.size(), 20u);
  for (std::size_t i = 0; i < result.size(); ++i) {
    EXPECT_EQ(result[i], i == 4    ? "9its process was ended by signal 9"
                         : i == 12 ? "17its process ended with exit code 3"
                                   : "fine");
  }
}

TEST(Workers, hand_on_a_refusal_after_the_answers_before_it) {
  std::size_t before = 0;
  auto const work = [](std::size_t task) -> std::string {
    if (task == 12) throw InputError("no such thing");
    return "";
  };
  try {
    in_workers(
        tasks(20), {3, 2}, work, [](std::size_t, std::string const&) { return ""; },
        [&](std::size_t, std::string const&) { ++before; });
    FAIL() << "expected a refusal";
  } catch (InputError const& refused) {
    EXPECT_STREQ(refused.what(), "no such thing");
  }
  EXPECT_EQ(before, 7u);
}

TEST(Workers, lose_the_one_task_in_which_nobody_expects_an_exception) {
  pid_t const parent = getpid();
  auto const result = answers(20, {3, 2}, [&](std::size_t task) -> std::string {
    if (task == 9) throw std::runtime_error("a string of no UTF-8");
    EXPECT_NE(getpid(), parent);
    return "fine";
  });
  ASSERT_EQ(result.size(), 20u);
  for (std::size_t i = 0; i < result.size(); ++i) {
    EXPECT_EQ(result[i], i == 4 ? "9a bug of rondo: a string of no UTF-8" : "fine");
  }
}

TEST(Workers, have_nothing_to_do_without_tasks) { EXPECT_TRUE(answers(0, {2, 1}, {}).empty()); }

}  // namespace
}  // namespace rondo
