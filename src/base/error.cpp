#include "base/error.hpp"

#include <fmt/format.h>

namespace rondo {

void expects(bool condition, char const* what, char const* file, int line) {
  if (!condition) {
    throw ContractViolation(fmt::format("{}:{}: expected {}", file, line, what));
  }
}

std::string excerpt(std::string_view text, std::size_t limit) {
  std::string shown(text.substr(0, limit));
  for (char& character : shown) {
    auto const code = static_cast<unsigned char>(character);
    if (code < 0x20 || code == 0x7f) character = '?';
  }
  if (text.size() > limit) shown += fmt::format("... ({} characters)", text.size());
  return shown;
}

}  // namespace rondo
