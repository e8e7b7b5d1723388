#pragma once

// The text that the process still writes when a signal interrupts it. A signal handler may do little more than write
// and end, so the text is prepared beforehand.

#include <string>

namespace rondo {

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
