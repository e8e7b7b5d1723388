#pragma once

// Makes text of others (titles, paths, the output of programs) safe for a terminal, a log, a table, XML and HTML.
// No other code knows which characters must not be written directly.

#include <string>
#include <string_view>

namespace rondo {

/// The text on one line, without anything that a terminal interprets. Control characters (C0, DEL, C1), marks that
/// change the direction of writing, line separators, invisible marks and bytes that are no UTF-8 are written as
/// , \x1b or \u{202e}. Everything else is unchanged, including backslashes, so an escaped text is not escaped
/// again.
std::string printable(std::string_view text);

/// UTF-8 JSON text with the same value, without anything that a terminal interprets: such characters in its strings are
/// written as \u202e. Line ends between its parts are kept.
std::string printable_json(std::string_view json);

/// Whether the whole text is UTF-8.
bool is_utf8(std::string_view text);

/// The largest number of bytes, at most `most`, after which the text can be cut without splitting a character.
std::size_t whole_characters(std::string_view text, std::size_t most);

/// The text of an element, or of an attribute in double quotes. It is printable (base/printable.hpp): characters that
/// XML 1.0 does not allow (control characters, U+FFFE and U+FFFF, bytes that are no UTF-8) are escaped, as are tabs and
/// line ends, which an attribute would lose.
std::string xml_text(std::string_view text);

/// As xml_text, for text that is already printable or never shown: only &, < and " are escaped.
std::string xml_escaped(std::string_view text);

/// The text of a comment. Two hyphens would end it, so they are separated by a space.
std::string xml_comment(std::string_view text);

}  // namespace rondo
