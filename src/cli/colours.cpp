#include "cli/colours.hpp"

#include <fmt/color.h>
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
  using enum fmt::terminal_color;
  auto const shown = colour == Colour::green ? green : colour == Colour::yellow ? yellow : red;
  return fmt::format(fmt::fg(shown), "{}", text);
}

}  // namespace rondo::cli
