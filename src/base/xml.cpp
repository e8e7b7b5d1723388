#include "base/xml.hpp"

namespace rondo {
namespace {

/// Replaces every `what` by `with`, in what has been replaced too.
void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
    text.replace(at, what.size(), with);
  }
}

std::string without_forbidden(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  for (char const* forbidden : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}) replace_all(result, forbidden, " ");
  return result;
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string result;
  for (char const c : without_forbidden(text)) {
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

std::string xml_comment(std::string_view text) {
  std::string result = without_forbidden(text);
  replace_all(result, "--", "- -");
  return result;
}

}  // namespace rondo
