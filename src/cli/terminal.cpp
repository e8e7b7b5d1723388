// Asks the system for the size of a terminal.

#include "cli/terminal.hpp"

#include <sys/ioctl.h>

namespace rondo::cli {

std::optional<std::size_t> terminal_width(int descriptor) {
  struct winsize size = {};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

}  // namespace rondo::cli
