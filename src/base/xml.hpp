#pragma once

// Text inside of XML and HTML: the one place that knows which characters must not stand there as they are.

#include <string>
#include <string_view>

namespace rondo {

/// Text of an element or of an attribute in double quotes. What XML 1.0 has no place for (control characters, U+FFFE
/// and U+FFFF) becomes a space, and so do tabs and line ends, which an attribute would lose.
std::string xml_text(std::string_view text);

/// Text of a comment, which two hyphens would end: they are told apart by a space.
std::string xml_comment(std::string_view text);

}  // namespace rondo
