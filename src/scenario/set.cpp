// Changes a document by `--set /pointer=value`.

#include <fmt/format.h>

#include <filesystem>

#include "json/pointer.hpp"
#include "json/text.hpp"
#include "scenario/load.hpp"
#include "scenario/validate.hpp"

namespace rondo::scenario {
namespace {

std::string const origin = command_line;

/// The value as JSON if the text can be parsed, otherwise as a string.
Json stated_value(std::string const& text) {
  if (is_json(text)) return parse_json(text, origin);
  Json value = text;
  try {
    (void)value.dump();
  } catch (Json::type_error const&) {
    throw error_at(origin, "", fmt::format("expected UTF-8 text, got \"{}\"", excerpt(text)));
  }
  return value;
}

/// Refuses a swept pointer, because the sweep would silently overwrite the value.
void refuse_swept(Json const& document, std::string const& pointer) {
  Json const sweep = document.value("sweep", Json::object());
  auto const refuse = [&](Json const& map, std::string const& place) {
    if (!map.is_object() || !map.contains(pointer)) return;
    throw error_at(origin, pointer,
                   fmt::format("it is swept; set its values instead: {}=[...]", excerpt(child(place, pointer))));
  };
  refuse(sweep, "/sweep");
  for (std::size_t i = 0; sweep.is_array() && i < sweep.size(); ++i) {
    refuse(sweep[i], child("/sweep", std::to_string(i)));
  }
}

}  // namespace

/// Sets one value. A value that is not JSON is taken as a string, so that `/block=64B` needs no quotes. A swept pointer
/// is refused, because the sweep would overwrite it.
void apply_set(Json& document, std::string_view assignment) {
  std::size_t const equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw error_at(origin, "", fmt::format("expected /pointer=value, got \"{}\"", excerpt(assignment)));
  }
  std::string const pointer(assignment.substr(0, equals));
  Tokens const tokens = match(document, pointer, origin, "");
  refuse_swept(document, pointer);
  Json value = stated_value(std::string(assignment.substr(equals + 1)));
  bool const names_machine = tokens == Tokens{"machine"} && value.is_string();
  // The name of a file on the command line is relative to the working directory, not to the scenario's folder.
  if (names_machine && !value.get_ref<std::string const&>().empty())
    value = std::filesystem::absolute(value.get<std::string>()).string();
  put(document, tokens, std::move(value));
  if (names_machine) inline_machine(document, origin);
}

}  // namespace rondo::scenario
