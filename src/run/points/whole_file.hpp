#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace rondo {

/// Throws InputError unless write_whole may write there: before long work is done in vain. No input is written over
/// (base/inputs.hpp).
void expect_writable(std::string const& path, bool force);

/// Writes a file that appears whole or not at all: it gets its name when it is written. Throws InputError if the file
/// exists and `force` is not set, or cannot be written. What is no regular file (a terminal, a pipe) is written
/// directly, if forced.
void write_whole(std::string const& path, std::string_view text, bool force);

/// Takes a text piece by piece.
using TextSink = std::function<void(std::string_view)>;
/// Writes the text that `produce` hands to the sink; whatever it throws, there is no file.
void write_whole(std::string const& path, std::function<void(TextSink const&)> const& produce, bool force);

}  // namespace rondo
