#pragma once

// JSON texts without comments, as programs write them, for callers that need no places in error messages.

#include <string_view>

#include "json/value.hpp"

namespace rondo::json {

/// The value of a JSON text without comments; throws Json::parse_error. Every source that calls Json::parse compiles
/// the parser anew, which takes about a second. This function is compiled once.
Json json_of(std::string_view text);

/// Whether the text is JSON without comments.
bool is_json(std::string_view text);

}  // namespace rondo::json
