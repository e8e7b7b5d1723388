#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace rondo {

/// Bad input from outside: a scenario, an argument, a file. One line that names file, place, value and what is
/// accepted; the command line prints it and exits with 2.
/// A zero byte, at which C would end the line, is shown as \x00.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::string const& text);
};

/// A bug of ours: a precondition that only our own code can break.
class ContractViolation : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws ContractViolation with the caller's place unless `condition` holds.
// (std::source_location would say the same, but clang 14, on which our clang-tidy stands, does not know it.)
void expects(bool condition, char const* what, char const* file = __builtin_FILE(), int line = __builtin_LINE());

/// `text` cut to at most `limit` bytes, between characters, for a one-line message: printable (base/printable.hpp).
std::string excerpt(std::string_view text, std::size_t limit = 60);

}  // namespace rondo
