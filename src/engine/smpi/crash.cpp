// Reports the rank of a crash from the signal handler, before the handler that was there goes on.

#include "engine/smpi/crash.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>

#include "engine/failure.hpp"
#include "engine/smpi/actors.hpp"

namespace rondo {

namespace {

constexpr std::array fatal = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

std::array<struct sigaction, fatal.size()> before;  // the previous handlers, in the order of `fatal`

/// Writes the line without allocating memory, because the heap may be damaged.
void say_rank(int rank) {
  std::array<char, crash_line.size() + 16> line{'\n'};
  char* end = std::copy(crash_line.begin(), crash_line.end(), line.begin() + 1);
  end = std::to_chars(end, line.end() - 1, rank).ptr;
  *end++ = '\n';
  [[maybe_unused]] auto const written = write(STDERR_FILENO, line.data(), static_cast<std::size_t>(end - line.data()));
}

/// A signal handler: says which rank has crashed, and lets the signal take its course.
void tell(int number, siginfo_t* info, void* /*context*/) {
  for (std::size_t i = 0; i < fatal.size(); ++i) {
    if (fatal[i] == number) sigaction(number, &before[i], nullptr);
  }
  if (int const rank = rank_here(); rank >= 0) say_rank(rank);
  // A fault happens again when the handler returns. A signal that a process has sent does not, so it is raised again.
  if (info->si_code <= 0) std::raise(number);
}

}  // namespace

void report_rank_of_crash() {
  struct sigaction action {};
  action.sa_sigaction = tell;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigfillset(&action.sa_mask);
  for (std::size_t i = 0; i < fatal.size(); ++i) sigaction(fatal[i], &action, &before[i]);
}

}  // namespace rondo
