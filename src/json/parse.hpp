#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "json/value.hpp"

namespace rondo::json {

/// Most bytes of a file that is read as one document.
inline constexpr std::uint64_t largest_file = std::uint64_t{64} << 20;

/// The value of a JSON text, in which comments may stand; `name` stands for the file in messages. Throws InputError
/// that names the place also for what JSON lets pass: the same key twice, and numbers, strings and depths that nobody
/// needs.
Json parse_json(std::string_view text, std::string const& name);

}  // namespace rondo::json
