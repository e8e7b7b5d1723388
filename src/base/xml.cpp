// Escapes text for XML. Three characters have entities; a comment has none, but may not contain "--".

#include "base/xml.hpp"

#include "base/printable.hpp"

namespace rondo {
namespace {

/// Replaces every `what` by `with`. The replacements are searched too, so that "---" becomes "- - -".
void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t position = text.find(what); position != std::string::npos; position = text.find(what, position)) {
    text.replace(position, what.size(), with);
  }
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string result;
  for (char const c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string xml_text(std::string_view text) { return xml_escaped(printable(text)); }

std::string xml_comment(std::string_view text) {
  std::string result = printable(text);
  replace_all(result, "--", "- -");
  return result;
}

}  // namespace rondo
