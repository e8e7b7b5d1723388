// The work to compute a schedule: Proposition 1 [Traeff16] promises O(sD) operations. Here they are the instructions
// that the processor carries out, counted one by one as a debugger does, so that no clock and no load of the machine
// counts.

#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "generate/generate.hpp"
#include "problems.hpp"
#include "sanitized.hpp"

namespace rondo {
namespace {

/// The instructions of `work` in a process of its own; none where the system does not allow to trace it,
/// and with sanitizers, whose instructions are not those of the work.
template <typename Work>
std::optional<std::int64_t> instructions(Work work) {
  if (test::sanitized) return std::nullopt;
  pid_t const child = fork();
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(1);
    std::raise(SIGSTOP);
    work();
    std::raise(SIGSTOP);
    _exit(0);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return std::nullopt;
  for (std::int64_t count = 0;; ++count) {
    if (ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr) != 0 || waitpid(child, &status, 0) != child) break;
    if (WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP) continue;
    bool const done = WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP;
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    if (done) return count;
    break;
  }
  return std::nullopt;
}

std::optional<std::int64_t> instructions_of(problem::Isomorphic const& problem) {
  auto const schedule = [&] { generate::isomorphic_dimension_wise(problem); };
  schedule();  // what is set up once is not counted
  return instructions(schedule);
}

/// An all-to-all of s blocks that all take D hops in one dimension: V is sD.
problem::Isomorphic alltoall_of(int s, int rounds) {
  Neighborhood const same(1, std::vector<std::vector<int>>(static_cast<std::size_t>(s), {rounds}));
  return test::alltoall(Torus({1024}), same, Bytes(8), {0});
}

/// An allgather to s neighbors of which each is a hop further along the first dimension than the one before, and all
/// lie `hops` along the second, where no two of them share a hop: W is s (hops + 1), and D is s + hops.
problem::Isomorphic allgather_of(int s, int hops) {
  std::vector<std::vector<int>> offsets;
  for (int i = 1; i <= s; ++i) offsets.push_back({i, hops});
  return test::allgather(Torus({1024, 1024}), Neighborhood(2, offsets), Bytes(8), {0, 1});
}

/// A problem, and the blocks that a rank sends in its schedule, at most sD.
struct Case {
  problem::Isomorphic problem;
  int entries;
};

/// From case to case the instructions for each entry that is added do not grow: what they take is linear in the
/// entries. A part that is quadratic would double its share of them where the entries double; a tenth is left to
/// vectors that grow.
void expect_linear(std::vector<Case> const& cases) {
  double entries = 0, work = 0, last = 0;
  for (Case const& each : cases) {
    auto const count = instructions_of(each.problem);
    if (!count) GTEST_SKIP() << "no process may be traced here";
    double const added = (static_cast<double>(*count) - work) / (each.entries - entries);
    if (last > 0) {
      EXPECT_LE(added, 1.1 * last) << each.entries << " entries";
    }
    entries = each.entries, work = static_cast<double>(*count), last = added;
  }
}

Case alltoall_case(int s, int rounds) { return {alltoall_of(s, rounds), s * rounds}; }
Case allgather_case(int s, int hops) { return {allgather_of(s, hops), s * (hops + 1)}; }

TEST(LongScheduleWork, of_an_alltoall_is_linear_in_its_sd_entries) {
  expect_linear({alltoall_case(8, 16), alltoall_case(16, 16), alltoall_case(32, 16)});
}

TEST(LongScheduleWork, is_linear_in_the_hops_of_a_block_too) {
  expect_linear({alltoall_case(8, 16), alltoall_case(8, 32), alltoall_case(8, 64)});
}

TEST(LongScheduleWork, of_an_allgather_is_linear_in_its_entries_of_which_there_are_at_most_sd) {
  expect_linear({allgather_case(4, 7), allgather_case(8, 7), allgather_case(16, 7)});
  expect_linear({allgather_case(4, 7), allgather_case(4, 15), allgather_case(4, 31)});
}

TEST(LongScheduleWork, takes_no_more_an_entry_for_the_larger_neighborhoods_of_the_papers_table) {
  auto const per_entry = [](int d, int r) -> std::optional<double> {
    Torus const torus(std::vector<int>(static_cast<std::size_t>(d), 4));
    std::vector<int> order(static_cast<std::size_t>(d));
    std::iota(order.begin(), order.end(), 0);
    auto const count = instructions_of(test::alltoall(torus, moore(d, r), Bytes(8), order));
    if (!count) return std::nullopt;
    return static_cast<double>(*count) / (static_cast<double>(moore(d, r).size()) * 2 * d * r);
  };
  auto const small = per_entry(2, 1);
  if (!small) GTEST_SKIP() << "no process may be traced here";
  for (auto const& [d, r] : {std::pair{2, 3}, {3, 1}, {3, 2}}) {
    auto const larger = per_entry(d, r);
    ASSERT_TRUE(larger);
    EXPECT_LE(*larger, *small) << "d = " << d << ", r = " << r;
  }
}

}  // namespace
}  // namespace rondo
