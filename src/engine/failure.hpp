#pragma once

#include <string>
#include <string_view>

#include "engine/answer.hpp"
#include "process/run_in_child.hpp"

namespace rondo {

/// What begins the line by which a rank that crashes names itself on standard error, before its number.
constexpr std::string_view crash_line = "rondo: a crash in rank ";

/// What to report of a child that ended without an answer: its kind and one line that says how it ended, in which
/// rank where that is known, and the last meaningful line it printed.
Failed failure_of(ChildEnd const& end, Seconds timeout);

/// The last line of `printed` that tells something: no blank line, no stack trace. Cut to a readable length.
std::string last_words(std::string const& printed);

}  // namespace rondo
