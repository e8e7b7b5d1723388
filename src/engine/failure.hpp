#pragma once

// Why a simulating child process ended without an answer. Its exit status and the text that it printed decide between a
// crash, a time-out and a lack of memory.

#include <string>
#include <string_view>

#include "engine/answer.hpp"
#include "process/run_in_child.hpp"

namespace rondo {

/// The beginning of the line by which a rank that crashes names itself on standard error. Its number follows.
constexpr std::string_view crash_line = "rondo: a crash in rank ";

/// The report on a child that ended without an answer: the kind of failure, and one line with the way it ended, the
/// rank if it is known, and the last meaningful line that it printed.
Failed failure_of(ChildEnd const& end, Seconds timeout);

/// The last line of `printed` that is neither blank nor part of a stack trace. It is cut to a readable length.
std::string last_meaningful_line(std::string const& printed);

}  // namespace rondo
