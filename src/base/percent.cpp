// Reads a percentage, such as a tolerance.

#include "base/percent.hpp"

#include <fmt/format.h>

#include <charconv>

#include "base/error.hpp"

namespace rondo {

double parse_percent(std::string_view text) {
  double percent = 0;
  char const* const end = text.data() + text.size();
  auto const [rest, error] = std::from_chars(text.data(), end, percent);
  bool const whole = error == std::errc() && std::string_view(rest, static_cast<std::size_t>(end - rest)) == "%";
  if (whole && percent >= 0 && percent <= 100) return percent / 100;
  throw InputError(fmt::format("expected a percentage from 0% to 100%, such as 2%, got \"{}\"", excerpt(text)));
}

}  // namespace rondo
