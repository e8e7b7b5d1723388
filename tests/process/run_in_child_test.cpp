#include "process/run_in_child.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "process/child.hpp"
#include "process/descriptor.hpp"

namespace rondo {
namespace {

namespace fs = std::filesystem;

/// A folder for temporary files that belongs to one test.
class OwnTmpdir {
 public:
  OwnTmpdir() : path_(fs::temp_directory_path() / ("rondo-test-" + std::to_string(getpid()))) {
    fs::create_directory(path_);
    use(path_);
  }
  OwnTmpdir(OwnTmpdir const&) = delete;
  OwnTmpdir& operator=(OwnTmpdir const&) = delete;
  ~OwnTmpdir() {
    fs::remove_all(path_);
    if (before_.empty())
      unsetenv("TMPDIR");
    else
      use(before_);
  }
  static void use(fs::path const& path) { setenv("TMPDIR", path.c_str(), 1); }
  fs::path const& path() const { return path_; }
  /// Whether it is empty, at the latest after ten seconds.
  bool soon_empty() const {
    for (int i = 0; i < 1000 && !fs::is_empty(path_); ++i) usleep(10000);
    return fs::is_empty(path_);
  }

 private:
  std::string before_ = std::getenv("TMPDIR") != nullptr ? std::getenv("TMPDIR") : "";
  fs::path path_;
};

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
    for (ChildEnd const &end :
         {run_in_child(work, Seconds(0)),
          run_under_keeper({[&](int answer, std::string const&) { work(answer); }}, Seconds(0))}) {
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
  ChildEnd const end = run_under_keeper({[](int, std::string const& own) {
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
  ChildEnd const end = run_under_keeper({[](int, std::string const&) { raise(SIGKILL); },
                                         [](int answer, std::string const&) { write_all(answer, "harvest"); }},
                                        Seconds(0));
  EXPECT_TRUE(WIFSIGNALED(end.status));
  EXPECT_EQ(text_of(end), "");
}

TEST(RunKept, leaves_no_folder_where_the_work_kills_its_keeper) {
  std::string const name = "rondo-test-of-a-killed-keeper";
  std::string const told = (std::filesystem::temp_directory_path() / (name + std::to_string(getpid()))).string();
  ChildEnd const end = run_under_keeper({[&](int, std::string const& own) {
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

TEST(RunKept, takes_no_answer_where_the_keeper_was_killed) {
  for (int round = 0; round < 20; ++round) {
    ChildEnd const end = run_under_keeper({[](int answer, std::string const&) {
                                            write_all(answer, "all is well");
                                            kill(getppid(), SIGKILL);
                                          }},
                                          Seconds(60));
    EXPECT_TRUE(WIFSIGNALED(end.status));
    EXPECT_EQ(text_of(end), "");
  }
}

[[noreturn]] void wait_for_ever() {
  for (;;) pause();
}

/// Three processes that have left the group of the work, and two children of such.
void leave_five_and_kill_the_keeper(int, std::string const&) {
  for (int each = 0; each < 3; ++each) {
    if (fork() != 0) continue;
    setsid();
    if (each > 0) fork();
    wait_for_ever();
  }
  kill(getppid(), SIGKILL);
  wait_for_ever();
}

TEST(RunKept, leaves_no_process_where_the_work_kills_its_keeper) {
  Child caller = fork_child([] {
    pid_t const older = fork();
    if (older == 0) wait_for_ever();
    Child const own = fork_child(wait_for_ever);
    ChildEnd end;
    for (int round = 0; round < 10; ++round) end = run_under_keeper({leave_five_and_kill_the_keeper}, Seconds(60));
    std::vector<pid_t> const left = children();
    kill(older, SIGKILL);
    waitpid(older, nullptr, 0);
    if (!WIFSIGNALED(end.status)) throw std::runtime_error("the keeper lived");
    if (left != std::vector{older, own.id()}) throw std::runtime_error("a process was left, or one too many killed");
  });
  EXPECT_EQ(caller.wait().status, 0);
}

TEST(RunKept, ends_with_descendants_that_hold_the_pipes) {
  auto const leave_one = [](int, std::string const&) {
    if (fork() == 0) {
      setsid();
      for (;;) pause();
    }
  };
  ChildEnd const end = run_under_keeper({leave_one}, Seconds(60));
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
  ChildEnd const late = run_under_keeper({print_for_ever, {}, none}, Seconds(0.2));
  EXPECT_TRUE(late.timed_out);
  EXPECT_LT(late.printed.size(), 1U << 18);
  Limits little;
  little.printed = Bytes(1 << 18);
  ChildEnd const much = run_under_keeper({print_for_ever, {}, little}, Seconds(0));
  EXPECT_TRUE(much.printed_too_much);
  auto const answer_for_ever = [](int answer, std::string const&) {
    for (;;) write_all(answer, "more\n");
  };
  Limits few;
  few.answer = Bytes(1000);
  EXPECT_TRUE(run_under_keeper({answer_for_ever, {}, few}, Seconds(0)).answered_too_much);
}

TEST(RunKept, is_over_when_its_harvest_is_too_large) {
  auto const harvest_for_ever = [](int answer, std::string const&) {
    while (write_all(answer, "more\n")) {
    }
  };
  Limits few;
  few.answer = Bytes(1000);
  EXPECT_TRUE(run_under_keeper({[](int, std::string const&) {}, harvest_for_ever, few}, Seconds(0)).answered_too_much);
}

TEST(RunKept, work_holds_no_descriptor_of_its_callers_but_the_answer) {
  Pipe const callers = make_pipe();
  ChildEnd const end = run_under_keeper({[](int answer, std::string const&) {
                                          std::string open;
                                          for (int each = 0; each < 1000; ++each) {
                                            if (fcntl(each, F_GETFD) >= 0 && each != answer)
                                              open += std::to_string(each) + " ";
                                          }
                                          write_all(answer, open);
                                        }},
                                        Seconds(0));
  EXPECT_EQ(text_of(end), "0 1 2 ");
}

TEST(RunKept, removes_what_lies_deep_and_what_is_closed_to_all) {
  OwnTmpdir const tmp;
  ChildEnd const end = run_under_keeper({[](int, std::string const& own) {
                                          bool made = chdir(own.c_str()) == 0;
                                          for (int depth = 0; depth < 5000 && made; ++depth) {
                                            made = mkdir("moved-1", 0700) == 0 && chdir("moved-1") == 0;
                                          }
                                          made = made && mkdir("closed", 0700) == 0 && mkdir("closed/in", 0) == 0 &&
                                                 chmod("closed", 0) == 0 && symlink("/", "root") == 0;
                                          made = made && mkdir((own + "/moved-0").c_str(), 0) == 0;
                                          if (!made || chmod(own.c_str(), 0) != 0) throw std::runtime_error("not made");
                                        }},
                                        Seconds(0));
  EXPECT_EQ(end.status, 0) << end.printed;
  EXPECT_TRUE(fs::is_empty(tmp.path()));
}

TEST(RunKept, takes_a_relative_folder_for_temporary_files_and_none_that_is_missing) {
  OwnTmpdir const tmp;
  auto const tell = [](int answer, std::string const& own) { write_all(answer, own); };
  OwnTmpdir::use(fs::relative(tmp.path()));
  EXPECT_EQ(fs::path(text_of(run_under_keeper({tell}, Seconds(0)))).parent_path(),
            fs::absolute(fs::relative(tmp.path())));
  OwnTmpdir::use("");
  EXPECT_EQ(fs::path(text_of(run_under_keeper({tell}, Seconds(0)))).parent_path(), "/tmp");
  OwnTmpdir::use(tmp.path() / "none");
  EXPECT_THROW(run_under_keeper({tell}, Seconds(0)), InputError);
}

TEST(RunKept, leaves_nothing_where_its_caller_is_killed_while_it_harvests) {
  OwnTmpdir const tmp;
  auto const kill_the_caller = [](int answer, std::string const&) {
    kill(getppid(), SIGKILL);
    write_all(answer, std::string(1 << 20, 'x'));
  };
  Child caller = fork_child([&] { run_under_keeper({[](int, std::string const&) {}, kill_the_caller}, Seconds(0)); });
  EXPECT_TRUE(WIFSIGNALED(caller.wait().status));
  EXPECT_TRUE(tmp.soon_empty());
}

TEST(RunKept, leaves_nothing_wherever_its_caller_is_killed) {
  OwnTmpdir const tmp;
  std::mt19937 random(1);
  std::uniform_int_distribution<useconds_t> wait(0, 4000);
  for (int round = 0; round < 200; ++round) {
    Child caller = fork_child([&] {
      for (;;) run_under_keeper({[](int, std::string const&) {}}, Seconds(0));
    });
    usleep(wait(random));
    caller.signal(round % 2 == 0 ? SIGKILL : SIGTERM);
    EXPECT_TRUE(WIFSIGNALED(caller.wait().status));
  }
  EXPECT_TRUE(tmp.soon_empty());
}

}  // namespace
}  // namespace rondo
