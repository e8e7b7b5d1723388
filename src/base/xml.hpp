#pragma once

// Escapes text for XML and HTML. No other code knows which characters must not be written directly.

#include <string>
#include <string_view>

namespace rondo {

/// The text of an element, or of an attribute in double quotes. It is printable (base/printable.hpp): characters that
/// XML 1.0 does not allow (control characters, U+FFFE and U+FFFF, bytes that are no UTF-8) are escaped, as are tabs and
/// line ends, which an attribute would lose.
std::string xml_text(std::string_view text);

/// As xml_text, for text that is already printable or never shown: only &, < and " are escaped.
std::string xml_escaped(std::string_view text);

/// The text of a comment. Two hyphens would end it, so they are separated by a space.
std::string xml_comment(std::string_view text);

}  // namespace rondo
