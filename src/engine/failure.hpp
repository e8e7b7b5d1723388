#pragma once

#include <string>

#include "engine/answer.hpp"
#include "process/run_in_child.hpp"

namespace rondo {

/// What to report of a child that ended without an answer: its kind and one line that says how it ended and the last
/// meaningful line it printed.
Failed failure_of(ChildEnd const& end, Seconds timeout);

/// The last line of `printed` that tells something: no blank line, no stack trace. Cut to a readable length.
std::string last_words(std::string const& printed);

}  // namespace rondo
