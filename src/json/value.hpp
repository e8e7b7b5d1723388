#pragma once

// The values of JSON texts. Everything that Rondo reads or writes as JSON stands on this folder: values, their places
// as JSON pointers, and the parser with its messages.

#include <nlohmann/json.hpp>

namespace rondo::json {

/// Objects keep the order in which they are written.
using Json = nlohmann::ordered_json;

}  // namespace rondo::json
