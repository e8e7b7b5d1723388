// A simulation that does not end well is a reported failure, and leaves nothing behind.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <future>
#include <thread>

#include "engine/answer.hpp"
#include "process/descriptor.hpp"
#include "process/run_in_child.hpp"
#include "sanitized.hpp"
#include "schedules.hpp"

namespace rondo {
namespace {

using namespace testing;

/// A simulation of many seconds.
Case long_simulation() { return ring_shift(512, std::vector<int>(20000, 1), 8_B); }

constexpr EngineOptions without_payload{Payload::timing, Seconds(0)};

/// The process that the thread `parent` of process `owner` has started, once there is one.
pid_t child_of(pid_t owner, pid_t parent) {
  std::string const path = "/proc/" + std::to_string(owner) + "/task/" + std::to_string(parent) + "/children";
  for (int i = 0; i < 1000; ++i) {
    pid_t child = 0;
    if (std::ifstream(path) >> child) return child;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return 0;
}

/// The outcome of a long simulation whose process gets a signal in its midst.
Outcome<Timing> outcome_after_signal(int signal) {
  std::promise<pid_t> thread_id;
  auto outcome = std::async(std::launch::async, [&] {
    thread_id.set_value(gettid());
    return simulate_failure(long_simulation(), machine(512), without_payload);
  });
  pid_t const child = child_of(getpid(), thread_id.get_future().get());
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_GT(child, 0);
  if (child > 0) kill(child, signal);
  return outcome.get();
}

void expect_no_children() {
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(Smpi, reports_a_timeout_and_ends_the_simulation) {
  auto const begin = std::chrono::steady_clock::now();
  Outcome const outcome = simulate_failure(long_simulation(), machine(512), {Payload::timing, Seconds(0.1)});
  EXPECT_EQ(outcome.failure, Failure::timeout);
  EXPECT_EQ(outcome.error, "timeout after 100ms");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  expect_no_children();
}

TEST(Smpi, reports_the_signal_that_ended_a_simulation) {
  Outcome const outcome = outcome_after_signal(SIGABRT);
  EXPECT_EQ(outcome.failure, Failure::crash);
  EXPECT_TRUE(outcome.error.starts_with("the simulation was ended by signal 6 (Aborted)")) << outcome.error;
  expect_no_children();
}

TEST(Smpi, reports_a_segmentation_fault_as_a_crash) {
  Outcome const outcome = outcome_after_signal(SIGSEGV);
  EXPECT_EQ(outcome.failure, Failure::crash);
  // Sanitizers have words of their own.
  EXPECT_TRUE(outcome.error.starts_with("the simulation was ended by") ||
              outcome.error.starts_with("the simulation ended"))
      << outcome.error;
  EXPECT_EQ(outcome.error.find("privatization"), std::string::npos) << outcome.error;
}

TEST(Smpi, takes_a_kill_for_the_kernels_lack_of_memory) {
  Outcome const outcome = outcome_after_signal(SIGKILL);
  EXPECT_EQ(outcome.failure, Failure::out_of_memory);
  EXPECT_EQ(outcome.error, "out of memory, or the simulation was killed");
}

TEST(Smpi, reports_a_message_cut_short_as_a_crash_with_its_cause) {
  Outcome const outcome = simulate_failure(ring_shift(3, {1, 2}, 64_B, Flaw::cut), machine(3));
  EXPECT_EQ(outcome.failure, Failure::crash);
  EXPECT_NE(outcome.error.find("MPI_ERR_TRUNCATE"), std::string::npos) << outcome.error;
}

TEST(Smpi, reports_a_lack_of_memory) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer needs terabytes of address space for itself";
#endif
  rlimit before{};
  getrlimit(RLIMIT_AS, &before);
  rlimit const tight{rlim_t{1} << 30, before.rlim_max};
  setrlimit(RLIMIT_AS, &tight);
  Outcome const buffers = simulate_failure(ring_shift(256, {1}, 4_MiB), machine(256), {Payload::verified, Seconds(0)});
  Outcome const stacks = simulate_failure(ring_shift(30000, {1}, 1_B), machine(30000));
  setrlimit(RLIMIT_AS, &before);
  EXPECT_EQ(buffers.failure, Failure::out_of_memory) << buffers.error;
  EXPECT_EQ(stacks.failure, Failure::out_of_memory) << stacks.error;
}

TEST(Smpi, goes_on_after_a_failure) {
  simulate_failure(ring_shift(3, {1, 1}, 64_B, Flaw::unsent), machine(3));
  EXPECT_SECONDS(simulate(ring_shift(3, {1}, 1000_B), machine(3)).makespan, 2 * 1_us);
}

TEST(Smpi, simulates_in_several_threads_at_once) {
  if (test::sanitized) GTEST_SKIP() << "a process forked among threads may keep a lock of the sanitizer's for ever";
  std::vector<std::future<Timing>> running;
  for (int i = 0; i < 12; ++i) {
    running.push_back(std::async(std::launch::async, [] {
      return simulate(ring_shift(8, {1, 3}, 1000_B), machine(8));
    }));
  }
  for (auto& each : running) EXPECT_SECONDS(each.get().makespan, 4 * 1_us);
}

TEST(ChildProcess, dies_with_its_parent) {
  pid_t const parent = fork();
  ASSERT_GE(parent, 0);
  if (parent == 0) {
    run_in_child([](int) { sleep(60); }, Seconds(0));
    _exit(0);
  }
  pid_t const child = child_of(parent, parent);
  ASSERT_GT(child, 0);
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  std::string name, state = "R";
  for (int i = 0; i < 400 && state != "Z" && kill(child, 0) == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::ifstream("/proc/" + std::to_string(child) + "/stat") >> name >> name >> state;
  }
  EXPECT_TRUE(state == "Z" || kill(child, 0) != 0);
}

TEST(ChildProcess, returns_all_that_was_answered_and_the_end_of_what_was_printed) {
  std::string const answer(3'000'000, 'a');
  ChildEnd const end = run_in_child(
      [&](int descriptor) {
        for (int line = 0; line < 50000; ++line) std::fprintf(stderr, "line %d\n", line);
        write_all(descriptor, answer.data(), answer.size());
      },
      Seconds(0));
  EXPECT_EQ(end.status, 0);
  EXPECT_EQ(end.answer.size(), answer.size());
  EXPECT_EQ(last_meaningful_line(end.printed), "line 49999");
  EXPECT_LT(end.printed.size(), 200'000U);
}

}  // namespace
}  // namespace rondo
