#pragma once

// The errors for a text that is no JSON.

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "json/value.hpp"

namespace rondo::json {

/// The words of the JSON parser without its own place: "[...] parse error at line 3, column 14: syntax error" ->
/// "syntax error"; "[...] number overflow" -> "number overflow".
std::string parser_message(Json::exception const& error);
/// The error "NAME:LINE:COLUMN: why", with the most likely mistake if Rondo recognizes it.
InputError malformed(std::string const& name, std::string_view text, Json::parse_error const& error);

/// Throws InputError for UTF-16 and for a zero byte, which the parser would take for the end of the text.
void expect_no_zero_byte(std::string_view text, std::string const& name);

}  // namespace rondo::json
