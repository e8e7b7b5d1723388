#pragma once

// What Rondo says on standard error: progress, remarks and the one line of an error. It is a log: where it cannot be
// written (closed, a full disk, a reader that has gone) the words are dropped, and nothing ends for want of them.

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "process/descriptor.hpp"

namespace rondo {

/// Writes the text to standard error as it is, at once. It never fails.
template <typename... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
  write_all(STDERR_FILENO, fmt::format(format, std::forward<Values>(values)...));
}

}  // namespace rondo
