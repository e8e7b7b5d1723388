#pragma once

// Rondo's messages on standard error (progress, remarks and the one line of an error), and the text that the process
// still writes when a signal interrupts it. Messages are a log: if they cannot be written (the stream is closed, the
// disk is full, the reader has gone), they are dropped, and the program goes on. A signal handler may do little more
// than write and end, so the text for an interrupt is prepared beforehand.

#include <fmt/format.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "process/descriptor.hpp"

namespace rondo {

/// Writes the text to standard error at once and as it is. It never fails.
template <typename... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
  write_all(STDERR_FILENO, fmt::format(format, std::forward<Values>(values)...));
}

/// From now on SIGINT and SIGTERM end this process, and the processes that it forks, with this exit code.
void install_interrupt_handler(int exit_code);

/// The text that this process writes before it ends in this way; processes that it forks do not write it.
struct InterruptReport {
  std::string output;  ///< to standard output
  std::string error;   ///< to standard error
};

/// Replaces the report. Whenever the signal comes, either the old or the new report is written as a whole.
void set_interrupt_report(InterruptReport report);

}  // namespace rondo
