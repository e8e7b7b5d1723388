#pragma once

// What terminals say of themselves.

#include <cstddef>
#include <optional>

namespace rondo::cli {

/// How many characters a line of the terminal behind this descriptor has; unset where it is none, or does not say.
std::optional<std::size_t> terminal_width(int descriptor);

}  // namespace rondo::cli
