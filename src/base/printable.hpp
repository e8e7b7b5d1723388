#pragma once

// Text of others (titles, paths, the words of programs) on its way to a terminal, a log or a table.

#include <string>
#include <string_view>

namespace rondo {

/// The text on one line, with nothing in it that a terminal obeys: control characters (C0, DEL, C1), marks that turn
/// the direction of writing, line separators, invisible marks and bytes that are no UTF-8 stand there as \n, \x1b or
/// \u{202e}. Everything else is as it was, a backslash too, so that a text which was escaped is not escaped again.
std::string printable(std::string_view text);

/// JSON text, which is UTF-8, of the same value with nothing in it that a terminal obeys: \u202e in its strings in
/// place of those characters. Line ends between its parts stay.
std::string printable_json(std::string_view json);

/// Whether the text is UTF-8 from its first byte to its last.
bool is_utf8(std::string_view text);

/// How many of the first `most` bytes hold whole characters: a cut there leaves no part of one behind.
std::size_t whole_characters(std::string_view text, std::size_t most);

}  // namespace rondo
