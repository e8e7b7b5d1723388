// The texts of errors. They quote input, which may be long and may hold zero bytes; what() ends at the first of those.

#include "base/error.hpp"

#include <fmt/format.h>

#include "base/printable.hpp"

namespace rondo {
namespace {

std::string without_zero_bytes(std::string text) {
  for (std::size_t position = text.find('\0'); position != std::string::npos; position = text.find('\0', position))
    text.replace(position, 1, "\\x00");
  return text;
}

}  // namespace

InputError::InputError(std::string const& text) : std::runtime_error(without_zero_bytes(text)) {}

void expects(bool condition, char const* what, char const* file, int line) {
  if (!condition) {
    throw ContractViolation(fmt::format("{}:{}: expected {}", file, line, what));
  }
}

std::string excerpt(std::string_view text, std::size_t limit) {
  std::string shown = printable(text.substr(0, whole_characters(text, limit)));
  if (text.size() > limit) shown += fmt::format("... ({} characters)", text.size());
  return shown;
}

}  // namespace rondo
