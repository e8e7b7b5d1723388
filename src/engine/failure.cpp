// Finds the cause of a child's end. Memory comes first: a lack of it shows in many ways, such as a crash in SimGrid.

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

/// Whether the output contains a message that an allocator prints before it gives up: C++'s exception, SimGrid's
/// xbt_malloc and its stacks, tcmalloc, and the system's own messages.
bool reports_memory(std::string_view printed) {
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

/// Whether a line only says where SimGrid was, advises on options that Rondo has set, or is a crash_line.
bool is_trace(std::string_view line) {
  return line.starts_with("Try to enable SMPI variable privatization") || line.starts_with("Segmentation fault.") ||
         line.starts_with("  ->") || line.starts_with("Backtrace") || line.starts_with("    #") ||
         line.starts_with("Current backtrace") || line.starts_with(crash_line);
}

/// Reports the signal or exit code of a child, in the form of waitpid.
std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) {
    return fmt::format("the simulation was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  }
  return fmt::format("the simulation ended with exit code {} and no result", WEXITSTATUS(status));
}

/// " in rank 2" if the output names the rank that crashed, else "".
std::string crashed_rank(std::string_view printed) {
  auto const begin = printed.find(crash_line);
  if (begin == std::string_view::npos || (begin > 0 && printed[begin - 1] != '\n')) return "";
  std::string_view const number = printed.substr(begin + crash_line.size());
  return fmt::format(" in rank {}", number.substr(0, number.find_first_not_of("0123456789")));
}

}  // namespace

/// The name of a failure in records.
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

/// The last line that the child printed, without SimGrid's stack traces; it often names the cause.
std::string last_meaningful_line(std::string const& printed) {
  // SimGrid's advice on a segmentation fault, which mostly concerns options that Rondo has set, would hide earlier
  // output.
  std::istringstream lines(printed.substr(0, printed.find("Access violation or Bus error detected")));
  std::string line, last;
  while (std::getline(lines, line)) {
    if (line.find_first_not_of(" \t\r") != std::string::npos && !is_trace(line)) last = line;
  }
  return excerpt(last, 200);
}

/// The reason why a child ended without an answer: its deadline, memory, or what it printed last.
Failed failure_of(ChildEnd const& end, Seconds timeout) {
  if (end.timed_out) return {Failure::timeout, fmt::format("timeout after {}", print(timeout))};
  std::string const words = last_meaningful_line(end.printed);
  std::string const last_line = words.empty() ? "" : fmt::format(": {}", words);
  bool const killed = WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGKILL;
  if (reports_memory(end.printed)) return {Failure::out_of_memory, "out of memory" + last_line};
  // Only the kernel kills our children, and it does so to reclaim memory.
  if (killed) return {Failure::out_of_memory, "out of memory, or the simulation was killed" + last_line};
  return {Failure::crash, how_it_ended(end.status) + crashed_rank(end.printed) + last_line};
}

}  // namespace rondo
