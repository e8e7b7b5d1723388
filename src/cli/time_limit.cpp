// Ends the program by SIGALRM. A signal reaches work that never returns to our code, such as a parser or a solver.

#include "cli/time_limit.hpp"

#include <fmt/format.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <string>

#include "base/printable.hpp"
#include "cli/commands.hpp"
#include "process/descriptor.hpp"

namespace rondo::cli {
namespace {

/// The line that is printed at the end. It is prepared, because a signal handler must not allocate memory.
std::string& last_line() {
  static std::string line;
  return line;
}

void handle_alarm(int) {
  // If this cannot be written, there is nowhere else to report it.
  write_all(STDERR_FILENO, last_line());
  _exit(failed_point);
}

/// Makes the system send SIGALRM after this real time; 0 cancels it.
void set_timer(Seconds left) {
  itimerval timer = {};
  /// setitimer takes whole seconds and microseconds below a million.
  double const whole = std::floor(std::min(left.value, 1e9));
  timer.it_value.tv_sec = static_cast<time_t>(whole);
  timer.it_value.tv_usec = static_cast<suseconds_t>(std::clamp((left.value - whole) * 1e6, 0.0, 999'999.0));
  setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace

TimeLimit::TimeLimit(Seconds limit, std::string const& message) {
  if (limit <= Seconds(0)) return;
  last_line() = message + "\n";
  std::signal(SIGALRM, handle_alarm);
  set_timer(limit);
}

TimeLimit::~TimeLimit() { set_timer(Seconds(0)); }

TimeLimit loading_limit(Seconds timeout) {
  Seconds const limit = timeout > Seconds(0) ? std::max(timeout + Seconds(1), Seconds(5)) : Seconds(0);
  return {limit, fmt::format("--timeout: the scenarios are not read after {}", print(limit))};
}

TimeLimit point_limit(Seconds timeout, std::string const& file) {
  return {timeout, fmt::format("{}: timeout after {}", printable(file), print(timeout))};
}

}  // namespace rondo::cli
