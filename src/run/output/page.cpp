// Fills the frame page.html, whose parts stand in double braces.

#include "run/output/page.hpp"

#include <map>

#include "base/printable.hpp"
#include "run/output/assets.hpp"

namespace rondo {
namespace {

/// JSON for a script element. Such an element ends at the first "</script", wherever that stands, so it is
/// escaped, and so is everything that an editor or a terminal would obey.
std::string in_script(nlohmann::ordered_json const& data) {
  std::string result;
  for (char const c : printable_json(data.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace))) {
    if (c == '<') {
      result += "\\u003c";
    } else {
      result += c;
    }
  }
  return result;
}

std::string joined(std::initializer_list<std::string_view> assets) {
  std::string text;
  for (std::string_view const name : assets) text += std::string(asset(name)) + "\n";
  return text;
}

}  // namespace

/// Fills in the template; the data are JSON in a script element.
std::string html_page(std::string const& title, nlohmann::ordered_json const& data,
                      std::initializer_list<std::string_view> styles, std::initializer_list<std::string_view> scripts) {
  std::map<std::string_view, std::string> const parts = {
      {"title", xml_text(title)}, {"style", joined(styles)}, {"data", in_script(data)}, {"script", joined(scripts)}};
  std::string result;
  std::string_view rest = asset("page.html");
  // Inserted texts are not searched again.
  for (std::size_t open = rest.find("{{"); open != std::string_view::npos; open = rest.find("{{")) {
    std::size_t const close = rest.find("}}", open);
    result += rest.substr(0, open);
    result += parts.at(rest.substr(open + 2, close - open - 2));
    rest.remove_prefix(close + 2);
  }
  return result.append(rest);
}

}  // namespace rondo
