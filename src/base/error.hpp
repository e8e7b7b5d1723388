#pragma once

// The kinds of errors: bad input is an InputError, and a bug of Rondo is a ContractViolation. (The third kind, a broken
// schedule, is a list of violations in schedule/.)

#include <stdexcept>
#include <string>
#include <string_view>

namespace rondo {

/// Bad input from outside: a scenario, an argument or a file. Its text is one line that names file, place, value and
/// what is accepted. The command line prints it and exits with 2. A zero byte, which would end the text in C, is shown
/// as \x00.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::string const& text);
};

/// Calls `act`, and puts the place in front of the text of an InputError that it throws.
template <typename Act>
auto at_place(std::string_view place, Act const& act) {
  try {
    return act();
  } catch (InputError const& error) {
    throw InputError(std::string(place) + ": " + error.what());
  }
}

/// A bug of Rondo: a precondition that only Rondo's own code can break.
class ContractViolation : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws ContractViolation with the caller's file and line unless `condition` holds. (std::source_location is not
/// used, because clang 14, on which our clang-tidy is based, lacks it.)
void expects(bool condition, char const* what, char const* file = __builtin_FILE(), int line = __builtin_LINE());

/// `text` for a one-line message: printable (base/printable.hpp), and cut to at most `limit` bytes at a character.
std::string excerpt(std::string_view text, std::size_t limit = 60);

}  // namespace rondo
