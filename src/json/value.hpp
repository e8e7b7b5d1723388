#pragma once

// The type of JSON values. All code that reads or writes JSON uses this folder: values, places in them as JSON
// pointers, and the parser with its messages.

#include <nlohmann/json.hpp>

namespace rondo::json {

/// Objects keep the order in which they are written.
using Json = nlohmann::ordered_json;

}  // namespace rondo::json
