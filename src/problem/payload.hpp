#pragma once

// How the SMPI engine treats the data of messages.

#include <cstdint>

#include "base/enum_names.hpp"

namespace rondo {

/// verified: every byte is moved and checked against its origin.
/// timing: the same messages are sent, but no payload is stored or copied.
/// automatic: `verified` if the payload does not exceed the bounds of engine/engine.hpp, otherwise `timing`.
enum class Payload : std::uint8_t { automatic, verified, timing };
template <>
inline constexpr auto enum_names<Payload> = value_names<Payload>;

}  // namespace rondo
