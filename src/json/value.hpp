#pragma once

// The type of JSON values, and the functions that make a value of a text. parse_json is the one way in which Rondo
// reads JSON files. json_of reads texts without comments, as programs write them, for callers that need no places in
// error messages. Places in values are JSON pointers (json/pointer.hpp).

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace rondo::json {

/// Objects keep the order in which they are written.
using Json = nlohmann::ordered_json;

/// The value of a JSON text without comments; throws Json::parse_error. Every source that calls Json::parse compiles
/// the parser anew, which takes about a second. This function is compiled once.
Json json_of(std::string_view text);

/// Whether the text is JSON without comments.
bool is_json(std::string_view text);

/// Most bytes of a file that is read as one document.
inline constexpr std::uint64_t largest_file = std::uint64_t{64} << 20;

/// The value of a JSON text, which may contain comments; `name` stands for the file in messages. Throws InputError that
/// names the place for malformed JSON, and also for texts that JSON allows but nobody needs: the same key twice, and
/// numbers, strings and nestings beyond Rondo's limits.
Json parse_json(std::string_view text, std::string const& name);

}  // namespace rondo::json
