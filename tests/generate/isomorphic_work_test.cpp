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

std::optional<double> instructions_per_entry(Torus const& torus, Neighborhood const& neighborhood, int rounds) {
  std::vector<int> order(static_cast<std::size_t>(torus.dimensions()));
  std::iota(order.begin(), order.end(), 0);
  auto const problem = test::alltoall(torus, neighborhood, Bytes(8), order);
  auto const schedule = [&] { generate::isomorphic_dimension_wise(problem); };
  schedule();  // what is set up once is not counted
  auto const count = instructions(schedule);
  if (!count) return std::nullopt;
  return static_cast<double>(*count) / (static_cast<double>(neighborhood.size()) * rounds);
}

/// s blocks that all take D hops in one dimension: V is sD, so that none of the sD operations is spared.
std::optional<double> of_blocks(int s, int rounds) {
  return instructions_per_entry(
      Torus({1024}), Neighborhood(1, std::vector<std::vector<int>>(static_cast<std::size_t>(s), {rounds})), rounds);
}

// From s D = 256 to 4096 the instructions for each of the s D entries fall: they are those of the smallest case at
// most.
TEST(ScheduleWork, is_bounded_by_a_constant_times_s_times_d) {
  auto const small = of_blocks(16, 16);
  if (!small) GTEST_SKIP() << "no process may be traced here";
  struct Case {
    int s, rounds;
  };
  for (auto const [s, rounds] : {Case{64, 16}, {16, 64}, {32, 32}}) {
    auto const larger = of_blocks(s, rounds);
    ASSERT_TRUE(larger);
    EXPECT_LE(*larger, *small) << "s = " << s << ", D = " << rounds;
  }
}

TEST(LongScheduleWork, is_so_for_the_neighborhoods_of_the_papers_table) {
  auto const small = instructions_per_entry(Torus({4, 4}), moore(2, 1), 4);
  if (!small) GTEST_SKIP() << "no process may be traced here";
  struct Case {
    int d, r;
  };
  for (auto const [d, r] : {Case{2, 3}, {3, 1}, {3, 2}}) {
    auto const larger =
        instructions_per_entry(Torus(std::vector<int>(static_cast<std::size_t>(d), 4)), moore(d, r), 2 * d * r);
    ASSERT_TRUE(larger);
    EXPECT_LE(*larger, *small) << "d = " << d << ", r = " << r;
  }
}

}  // namespace
}  // namespace rondo
