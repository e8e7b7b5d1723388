#pragma once

// The one way in which Rondo reads JSON files.

#include <cstdint>
#include <string>
#include <string_view>

#include "json/value.hpp"

namespace rondo::json {

/// Most bytes of a file that is read as one document.
inline constexpr std::uint64_t largest_file = std::uint64_t{64} << 20;

/// The value of a JSON text, which may contain comments; `name` stands for the file in messages. Throws InputError that
/// names the place for malformed JSON, and also for texts that JSON allows but nobody needs: the same key twice, and
/// numbers, strings and nestings beyond Rondo's limits.
Json parse_json(std::string_view text, std::string const& name);

}  // namespace rondo::json
