#pragma once

// What the process still says when it is interrupted. A signal's handler may do little more than write and end, so that
// its words are made beforehand.

#include <string>

namespace rondo {

/// From here on SIGINT and SIGTERM end this process, and what it forks, with this exit code.
void end_when_interrupted(int exit_code);

/// What this process, and none that it forks, writes before it is so ended.
struct LastWords {
  std::string output;  ///< to standard output
  std::string error;   ///< to standard error
};

/// Replaces its last words; whenever the signal comes, those before or these are written, whole.
void set_last_words(LastWords words);

}  // namespace rondo
