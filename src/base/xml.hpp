#pragma once

// Text inside of XML and HTML: the one place that knows which characters must not stand there as they are.

#include <string>
#include <string_view>

namespace rondo {

/// Text of an element or of an attribute in double quotes. It is printable (base/printable.hpp): what XML 1.0 has no
/// place for (control characters, U+FFFE and U+FFFF, bytes that are no UTF-8) is escaped, and so are tabs and line
/// ends, which an attribute would lose.
std::string xml_text(std::string_view text);

/// As xml_text, for text that is printable or that nobody is shown: only &, < and " are escaped.
std::string xml_escaped(std::string_view text);

/// Text of a comment, which two hyphens would end: they are told apart by a space.
std::string xml_comment(std::string_view text);

}  // namespace rondo
