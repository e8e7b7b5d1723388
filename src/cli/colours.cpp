// Colours in the output of a terminal, unless NO_COLOR or a simple terminal forbids them.

#include "cli/colours.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

namespace rondo::cli {

bool colours_wanted(std::string_view color) {
  if (color != "auto") return color == "always";
  char const* const forbidden = std::getenv("NO_COLOR");
  char const* const terminal = std::getenv("TERM");
  bool const can = terminal != nullptr && std::string_view(terminal) != "dumb";
  return can && (forbidden == nullptr || *forbidden == '\0') && ::isatty(STDOUT_FILENO) == 1;
}

std::string coloured(std::string_view text, Colour colour) {
  // ECMA-48, section 8.3.117: 31 to 33 are red, green and yellow, 0 restores the usual colour.
  int const shown = colour == Colour::green ? 32 : colour == Colour::yellow ? 33 : 31;
  return fmt::format("\x1b[{}m{}\x1b[0m", shown, text);
}

}  // namespace rondo::cli
