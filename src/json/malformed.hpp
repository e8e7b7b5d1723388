#pragma once

// What is said of a text that is no JSON.

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "json/value.hpp"

namespace rondo::json {

/// The words of the JSON parser without its own place: "[...] parse error at line 3, column 14: syntax error" ->
/// "syntax error"; "[...] number overflow" -> "number overflow".
std::string parser_words(Json::exception const& error);
/// What is said of a text that is no JSON: "NAME:LINE:COLUMN: why", with what was most likely meant.
InputError malformed(std::string const& name, std::string_view text, Json::parse_error const& error);

}  // namespace rondo::json
