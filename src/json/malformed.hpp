#pragma once

// Makes the errors for texts that are not valid JSON.

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "json/value.hpp"

namespace rondo::json {

/// Returns the JSON parser's message without its code and position, cut to 200 characters: "[...] parse error at line
/// 3, column 14: syntax error" -> "syntax error"; "[...] number overflow" -> "number overflow".
std::string parser_message(Json::exception const& error);
/// Makes the error "NAME:LINE:COLUMN: why", with the most likely mistake if Rondo recognizes it. If the text begins
/// with a letter or a digit, the error is "NAME: expected JSON, ..." without a position.
InputError malformed(std::string const& name, std::string_view text, Json::parse_error const& error);

/// Throws InputError for UTF-16 and for a zero byte, which the parser would take for the end of the text.
void expect_no_zero_byte(std::string_view text, std::string const& name);

}  // namespace rondo::json
