#pragma once

// The text that the process still writes when a signal interrupts it. A signal handler may do little more than write
// and end, so that the text is prepared beforehand.

#include <string>

namespace rondo {

/// From now on SIGINT and SIGTERM end this process, and the processes that it forks, with this exit code.
void end_when_interrupted(int exit_code);

/// The text that this process writes before it ends in this way; processes that it forks do not write it.
struct LastWords {
  std::string output;  ///< to standard output
  std::string error;   ///< to standard error
};

/// Replaces the last words. Whenever the signal comes, either the old or the new ones are written as a whole.
void set_last_words(LastWords words);

}  // namespace rondo
