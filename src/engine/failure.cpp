#include "engine/failure.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <array>
#include <csignal>
#include <cstring>
#include <sstream>
#include <string_view>

#include "base/error.hpp"

namespace rondo {

namespace {

/// What allocators say before they give up: C++'s exception, SimGrid's xbt_malloc and its stacks, tcmalloc and the
/// system's own words.
bool tells_of_memory(std::string_view printed) {
  constexpr std::array signs{"bad_alloc",
                             "Memory allocation of",
                             "Cannot allocate memory",
                             "allocation failed",
                             "Failed to allocate stack",
                             "Could not map",
                             "out-of-memory",
                             "out of memory"};
  for (std::string_view const sign : signs) {
    if (printed.find(sign) != std::string_view::npos) return true;
  }
  return false;
}

/// A line of SimGrid that says where it was, or advises on options that Rondo has set; or crash_line.
bool is_trace(std::string_view line) {
  return line.starts_with("Try to enable SMPI variable privatization") || line.starts_with("Segmentation fault.") ||
         line.starts_with("  ->") || line.starts_with("Backtrace") || line.starts_with("    #") ||
         line.starts_with("Current backtrace") || line.starts_with(crash_line);
}

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) {
    return fmt::format("the simulation was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  }
  return fmt::format("the simulation ended with exit code {} and no result", WEXITSTATUS(status));
}

/// " in rank 2", or nothing.
std::string crashed_rank(std::string_view printed) {
  auto const begin = printed.find(crash_line);
  if (begin == std::string_view::npos || (begin > 0 && printed[begin - 1] != '\n')) return "";
  std::string_view const number = printed.substr(begin + crash_line.size());
  return fmt::format(" in rank {}", number.substr(0, number.find_first_not_of("0123456789")));
}

}  // namespace

std::string to_string(Failure failure) {
  switch (failure) {
    case Failure::deadlock:
      return "deadlock";
    case Failure::crash:
      return "crash";
    case Failure::timeout:
      return "timeout";
    case Failure::overflow:
      return "overflow";
    case Failure::out_of_memory:
      return "out of memory";
    case Failure::wrong_data:
      return "wrong data";
    case Failure::exited:
      return "exit";
    case Failure::unreceived:
      return "unreceived messages";
  }
  return "unknown";
}

std::string last_words(std::string const& printed) {
  // SimGrid's advice on a segmentation fault, most of it on options that Rondo has set, hides what was said before.
  std::istringstream lines(printed.substr(0, printed.find("Access violation or Bus error detected")));
  std::string line, last;
  while (std::getline(lines, line)) {
    if (line.find_first_not_of(" \t\r") != std::string::npos && !is_trace(line)) last = line;
  }
  return excerpt(last, 200);
}

Failed failure_of(ChildEnd const& end, Seconds timeout) {
  if (end.timed_out) return {Failure::timeout, fmt::format("timeout after {}", print(timeout))};
  std::string const words = last_words(end.printed);
  std::string const said = words.empty() ? "" : fmt::format(": {}", words);
  bool const killed = WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGKILL;
  if (tells_of_memory(end.printed)) return {Failure::out_of_memory, "out of memory" + said};
  // Nobody but the kernel kills our children: that is how it takes memory back.
  if (killed) return {Failure::out_of_memory, "out of memory, or the simulation was killed" + said};
  return {Failure::crash, how_it_ended(end.status) + crashed_rank(end.printed) + said};
}

}  // namespace rondo
