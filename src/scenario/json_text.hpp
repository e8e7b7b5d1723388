#pragma once

#include <string_view>

#include "scenario/scenario.hpp"

namespace rondo::scenario {

/// What the JSON text says, which has no comments; throws Json::parse_error. Files that call Json::parse themselves
/// compile the parser anew, each for a second.
Json json_of(std::string_view text);

bool is_json(std::string_view text);

}  // namespace rondo::scenario
