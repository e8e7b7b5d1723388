// Maps the numbers of actors to ranks. The handler of a fatal signal reports the rank of a crash before the handler
// that was there goes on.

#include "engine/smpi/actors.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <simgrid/s4u/Actor.hpp>
#include <utility>
#include <vector>

#include "engine/answer.hpp"

namespace rondo {

namespace {

std::vector<int> ranks_of_actors;  // by the actor's number; -1 for what is no rank
std::function<void(Rank)> resumed;

}  // namespace

void note_actor(long pid, Rank rank) {
  auto const place = static_cast<std::size_t>(pid);
  if (place >= ranks_of_actors.size()) ranks_of_actors.resize(place + 1, -1);
  ranks_of_actors[place] = rank.value;
}

int rank_of_actor(long pid) {
  auto const place = static_cast<std::size_t>(pid);
  return pid >= 0 && place < ranks_of_actors.size() ? ranks_of_actors[place] : -1;
}

int rank_here() { return rank_of_actor(simgrid::s4u::this_actor::get_pid()); }

void call_when_resumed(std::function<void(Rank)> work) { resumed = std::move(work); }

void tell_resumed() {
  if (!resumed) return;
  if (int const rank = rank_here(); rank >= 0) resumed(Rank(rank));
}

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
