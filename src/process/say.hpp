#pragma once

// Rondo's messages on standard error: progress, remarks and the one line of an error. They are a log: if they cannot
// be written (the stream is closed, the disk is full, the reader has gone), they are dropped, and the program goes on.

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "process/descriptor.hpp"

namespace rondo {

/// Writes the text to standard error at once and as it is. It never fails.
template <typename... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
  write_all(STDERR_FILENO, fmt::format(format, std::forward<Values>(values)...));
}

}  // namespace rondo
