#include "process/run_in_child.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "process/descriptor.hpp"

namespace rondo {
namespace {

std::string text_of(ChildEnd const& end) {
  return {reinterpret_cast<char const*>(end.answer.data()), end.answer.size()};
}

/// Tells when it is destroyed, in whatever process.
struct Tells {
  int pipe;
  ~Tells() { write_all(pipe, "destroyed"); }
};

TEST(RunInChild, an_exception_is_its_last_words_and_unwinds_nothing_of_the_parents) {
  Pipe pipe = make_pipe();
  auto const work = [](int) { throw std::runtime_error("nobody expects this"); };
  {
    Tells const parents{pipe.write.value()};
    for (ChildEnd const &end : {run_in_child(work, Seconds(0)),
                                run_kept({[&](int answer, std::string const&) { work(answer); }}, Seconds(0))}) {
      EXPECT_TRUE(WIFEXITED(end.status));
      EXPECT_EQ(WEXITSTATUS(end.status), 1);
      EXPECT_EQ(end.printed, "nobody expects this\n");
    }
  }
  pipe.write.close();
  std::vector<std::byte> told;
  while (read_some(pipe.read.value(), told)) {
  }
  EXPECT_EQ(told.size(), std::string("destroyed").size());
}

TEST(RunKept, answers_and_harvests_from_a_folder_that_is_gone_afterwards) {
  std::string folder;
  ChildEnd const end = run_kept({[](int, std::string const& own) {
                                   std::fclose(std::fopen((own + "/file").c_str(), "w"));
                                   std::puts("printed");
                                 },
                                 [](int answer, std::string const& own) {
                                   bool const there = std::filesystem::exists(own + "/file");
                                   write_all(answer, (there ? "there " : "missing ") + own);
                                 }},
                                Seconds(0));
  EXPECT_EQ(end.status, 0);
  EXPECT_EQ(end.printed, "printed\n");
  EXPECT_EQ(end.left, 0);
  ASSERT_TRUE(text_of(end).starts_with("there ")) << text_of(end);
  EXPECT_FALSE(std::filesystem::exists(text_of(end).substr(6)));
  EXPECT_GT(end.peak_memory.value, 0);
}

TEST(RunKept, tells_the_signal_and_harvests_nothing_then) {
  ChildEnd const end = run_kept({[](int, std::string const&) { raise(SIGKILL); },
                                 [](int answer, std::string const&) { write_all(answer, "harvest"); }},
                                Seconds(0));
  EXPECT_TRUE(WIFSIGNALED(end.status));
  EXPECT_EQ(text_of(end), "");
}

TEST(RunKept, leaves_no_folder_where_the_work_kills_its_keeper) {
  std::string const name = "rondo-test-of-a-killed-keeper";
  std::string const told = (std::filesystem::temp_directory_path() / (name + std::to_string(getpid()))).string();
  ChildEnd const end = run_kept({[&](int, std::string const& own) {
                                  std::FILE* const file = std::fopen(told.c_str(), "w");
                                  std::fputs(own.c_str(), file);
                                  std::fclose(file);
                                  kill(getppid(), SIGKILL);
                                  for (;;) pause();
                                }},
                                Seconds(60));
  std::ifstream file(told);
  std::string folder;
  std::getline(file, folder);
  std::filesystem::remove(told);
  EXPECT_TRUE(WIFSIGNALED(end.status));
  EXPECT_FALSE(end.timed_out);
  ASSERT_NE(folder, "");
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(RunKept, ends_with_descendants_that_hold_the_pipes) {
  auto const leave_one = [](int, std::string const&) {
    if (fork() == 0) {
      setsid();
      for (;;) pause();
    }
  };
  ChildEnd const end = run_kept({leave_one}, Seconds(60));
  EXPECT_FALSE(end.timed_out);
  EXPECT_EQ(end.left, 1);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(RunKept, is_over_at_its_deadline_or_when_it_has_written_too_much) {
  auto const print_for_ever = [](int, std::string const&) {
    for (;;) write_all(STDOUT_FILENO, "more\n");
  };
  Limits none;
  none.printed = Bytes(std::int64_t{1} << 50);
  ChildEnd const late = run_kept({print_for_ever, {}, none}, Seconds(0.2));
  EXPECT_TRUE(late.timed_out);
  EXPECT_LT(late.printed.size(), 1U << 18);
  Limits little;
  little.printed = Bytes(1 << 18);
  ChildEnd const much = run_kept({print_for_ever, {}, little}, Seconds(0));
  EXPECT_TRUE(much.printed_too_much);
  auto const answer_for_ever = [](int answer, std::string const&) {
    for (;;) write_all(answer, "more\n");
  };
  Limits few;
  few.answer = Bytes(1000);
  EXPECT_TRUE(run_kept({answer_for_ever, {}, few}, Seconds(0)).answered_too_much);
}

}  // namespace
}  // namespace rondo
