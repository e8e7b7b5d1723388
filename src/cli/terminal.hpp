#pragma once

// The width of a terminal, to which tables and progress lines are fitted.

#include <cstddef>
#include <optional>

namespace rondo::cli {

/// How many characters a line of the terminal behind this descriptor has; unset if it is no terminal, or does not tell.
std::optional<std::size_t> terminal_width(int descriptor);

}  // namespace rondo::cli
