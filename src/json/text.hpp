#pragma once

#include <string_view>

#include "json/value.hpp"

namespace rondo::json {

/// The value of a JSON text without comments; throws Json::parse_error. Each file that calls Json::parse itself
/// compiles the parser anew, which takes about a second; this one is compiled once.
Json json_of(std::string_view text);

/// Whether the text is JSON without comments.
bool is_json(std::string_view text);

}  // namespace rondo::json
