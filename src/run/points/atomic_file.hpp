#pragma once

// Writes files that are complete whenever another process reads them: a reader sees the old file or the new one.

#include <functional>
#include <string>
#include <string_view>

namespace rondo {

/// Throws InputError unless write_atomically may write to this path, so that long work is not done in vain. An input is
/// never overwritten (base/file.hpp).
void expect_writable(std::string const& path, bool force);

/// Writes a file that appears as a whole or not at all: it gets its name after it has been written. Throws InputError
/// if the file exists and `force` is not set, or if it cannot be written. Anything but a regular file (a terminal, a
/// pipe) is written directly, if forced.
void write_atomically(std::string const& path, std::string_view text, bool force);

/// Receives a text piece by piece.
using TextSink = std::function<void(std::string_view)>;
/// Writes the text that `produce` gives to the sink. If `produce` throws, no file appears.
void write_atomically(std::string const& path, std::function<void(TextSink const&)> const& produce, bool force);

}  // namespace rondo
