// Reads and prints quantities with units. A number is read exactly and rounded once, so "0.1us" and "100ns" are
// equal.

#include "base/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"

namespace rondo {
namespace {

/// A unit is `factor` * 10^`power` of the base unit. The factor is a power of two, so scaling by it is exact.
struct Unit {
  std::string_view name;
  int power;
  double factor = 1;
};

constexpr double Ki = 1024;
constexpr std::array time_units = {Unit{"s", 0}, Unit{"ms", -3}, Unit{"us", -6}, Unit{"ns", -9}, Unit{"ps", -12}};
constexpr std::array size_units = {Unit{"B", 0},
                                   Unit{"kB", 3},
                                   Unit{"MB", 6},
                                   Unit{"GB", 9},
                                   Unit{"TB", 12},
                                   Unit{"KiB", 0, Ki},
                                   Unit{"MiB", 0, Ki* Ki},
                                   Unit{"GiB", 0, Ki* Ki* Ki},
                                   Unit{"TiB", 0, Ki* Ki* Ki* Ki}};
constexpr std::array bandwidth_units = {Unit{"TBps", 12},
                                        Unit{"GBps", 9},
                                        Unit{"MBps", 6},
                                        Unit{"kBps", 3},
                                        Unit{"Bps", 0},
                                        Unit{"KiBps", 0, Ki},
                                        Unit{"MiBps", 0, Ki* Ki},
                                        Unit{"GiBps", 0, Ki* Ki* Ki},
                                        Unit{"TiBps", 0, Ki* Ki* Ki* Ki},
                                        Unit{"bps", 0, 1.0 / 8},
                                        Unit{"kbps", 3, 1.0 / 8},
                                        Unit{"Mbps", 6, 1.0 / 8},
                                        Unit{"Gbps", 9, 1.0 / 8},
                                        Unit{"Tbps", 12, 1.0 / 8},
                                        Unit{"Kibps", 0, Ki / 8},
                                        Unit{"Mibps", 0, Ki* Ki / 8},
                                        Unit{"Gibps", 0, Ki* Ki* Ki / 8},
                                        Unit{"Tibps", 0, Ki* Ki* Ki* Ki / 8}};

constexpr std::array flops_units = {Unit{"Tflops", 12}, Unit{"Gflops", 9}, Unit{"Mflops", 6}, Unit{"kflops", 3},
                                    Unit{"flops", 0}};

/// The kind of quantity that is being read, for messages.
struct Quantity {
  std::string_view wanted;
  std::span<Unit const> units;
};
constexpr Quantity a_time = {"a time such as \"1us\"", time_units};
constexpr Quantity a_time_per_byte = {"a time for each byte such as \"6ns/B\"", time_units};
constexpr Quantity a_size = {"a size such as \"64KiB\"", size_units};
constexpr Quantity a_bandwidth = {"a bandwidth such as \"1GBps\"", bandwidth_units};
constexpr Quantity a_rate = {"operations per second such as \"10Gflops\"", flops_units};

[[noreturn]] void refuse(Quantity const& quantity, std::string_view text, std::string_view reason) {
  throw InputError(fmt::format("expected {}, got \"{}\": {}", quantity.wanted, excerpt(text), reason));
}

/// The parts of a decimal number, as written, and the unit after it.
struct Number {
  std::string_view whole;
  std::string_view fraction;
  int exponent = 0;
  Unit unit;
};

bool is_digit(char c) { return '0' <= c && c <= '9'; }

std::string_view take_digits(std::string_view& rest) {
  std::size_t n = 0;
  while (n < rest.size() && is_digit(rest[n])) ++n;
  std::string_view const digits = rest.substr(0, n);
  rest.remove_prefix(n);
  return digits;
}

/// Removes "e-6" from the front of `rest`. If there is no exponent, `rest` is left to the unit.
int take_exponent(Quantity const& quantity, std::string_view text, std::string_view& rest) {
  if (rest.empty() || (rest[0] != 'e' && rest[0] != 'E')) return 0;
  std::size_t const sign = rest.size() > 1 && (rest[1] == '+' || rest[1] == '-') ? 1 : 0;
  if (rest.size() <= 1 + sign || !is_digit(rest[1 + sign])) return 0;
  rest.remove_prefix(1 + sign);
  std::string_view const digits = take_digits(rest);
  int exponent = 0;
  auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  if (error != std::errc() || exponent > 100000) refuse(quantity, text, "the number is out of range");
  return digits.data()[-1] == '-' ? -exponent : exponent;
}

bool same_letter(unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); }

/// Whether two units only differ in the case of letters, except for b and B, which distinguish bits from bytes.
bool same_unit(std::string_view a, std::string_view b) {
  auto const same = [](unsigned char x, unsigned char y) { return x == 'b' || x == 'B' ? x == y : same_letter(x, y); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

/// A spelling that others use in a unit, and ours.
struct Spelling {
  std::string_view theirs, ours;
};
/// They are tried in this order, so a word must precede its own beginnings.
constexpr Spelling spellings[] = {
    {" ", ""},       {"\u00b5", "u"}, {"\u03bc", "u"}, {"per", "/"},     {"seconds", "s"}, {"second", "s"},
    {"secs", "s"},   {"sec", "s"},    {"/s", "ps"},    {"millis", "ms"}, {"milli", "ms"},  {"micros", "us"},
    {"micro", "us"}, {"nanos", "ns"}, {"nano", "ns"},  {"picos", "ps"},  {"pico", "ps"},   {"kilo", "k"},
    {"mega", "M"},   {"giga", "G"},   {"tera", "T"},   {"kibi", "Ki"},   {"mebi", "Mi"},   {"gibi", "Gi"},
    {"tebi", "Ti"},  {"bytes", "B"},  {"byte", "B"},   {"bits", "b"},    {"bit", "b"},
};

/// `name` with our spellings instead of those of others.
std::string respelt(std::string_view name) {
  std::string plain(name);
  for (Spelling const& each : spellings) {
    for (;;) {
      auto const found = std::search(plain.begin(), plain.end(), each.theirs.begin(), each.theirs.end(), same_letter);
      if (found == plain.end()) break;
      plain.replace(found, found + static_cast<std::ptrdiff_t>(each.theirs.size()), each.ours);
    }
  }
  return plain;
}

/// The unit that others write in this way: "M" is MB, "GB" and "GB/s" are GBps, "Gbit/s" is Gbps, "µs", "usec" and
/// "micro" are us, "kilo" is kB; empty for any other word. The case of letters only matters if both cases name a unit,
/// and to distinguish bits from bytes.
std::string_view written_elsewhere(Quantity const& quantity, std::string_view name) {
  std::string const plain = respelt(name);
  auto const equal = [](std::string_view a, std::string_view b) { return a == b; };
  auto const among = [&](auto const& same) -> std::string_view {
    for (char const* ending : {"", "B", "ps", "Bps"}) {
      for (Unit const& unit : quantity.units) {
        if (same(plain + ending, unit.name)) return unit.name;
      }
    }
    return {};
  };
  std::string_view const exact = among(equal);
  return exact.empty() ? among(same_unit) : exact;
}

/// The unit by its name. Throws InputError with the accepted units.
Unit find_unit(Quantity const& quantity, std::string_view text, std::string_view name) {
  std::vector<std::string> names;
  for (Unit const& unit : quantity.units) {
    if (unit.name == name) return unit;
    names.emplace_back(unit.name);
  }
  std::string const accepted = listed(names, ", ");
  if (name.empty()) refuse(quantity, text, fmt::format("the unit is missing (one of {})", accepted));
  constexpr std::size_t longest = 20;
  std::string_view const meant = name.size() > longest ? std::string_view() : written_elsewhere(quantity, name);
  std::string const hint = meant.empty() ? did_you_mean(name, names) : did_you_mean({std::string(meant)});
  refuse(quantity, text, fmt::format("unknown unit \"{}\"{} (one of {})", excerpt(name, longest), hint, accepted));
}

Number read_number(Quantity const& quantity, std::string_view text) {
  std::string_view rest = text;
  Number number{};
  number.whole = take_digits(rest);
  if (number.whole.empty()) {
    refuse(quantity, text, text.starts_with('-') ? "it is negative" : "it does not start with a decimal number");
  }
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    number.fraction = take_digits(rest);
    if (number.fraction.empty()) refuse(quantity, text, "a digit is missing behind the point");
  }
  number.exponent = take_exponent(quantity, text, rest);
  number.unit = find_unit(quantity, text, rest);
  return number;
}

/// The double nearest to the decimal number. The power of ten of the unit is added to the exponent, so the number is
/// only rounded once.
double nearest(Quantity const& quantity, std::string_view text) {
  Number const number = read_number(quantity, text);
  std::string const decimal = fmt::format("{}.{}e{}", number.whole, number.fraction.empty() ? "0" : number.fraction,
                                          number.exponent + number.unit.power);
  double value = 0;
  auto const [end, error] = std::from_chars(decimal.data(), decimal.data() + decimal.size(), value);
  value *= number.unit.factor;
  if (error != std::errc() || !std::isfinite(value)) refuse(quantity, text, "the number is out of range");
  return value;
}

/// The shortest digits that identify the double, as d.ddd * 10^exponent.
struct Decimal {
  std::string digits;
  int exponent;
};

Decimal shortest(double value) {
  std::array<char, 32> buffer{};
  auto const [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
  std::string_view const text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  std::size_t const e = text.find('e');
  std::string digits(1, text[0]);
  if (e > 2) digits += text.substr(2, e - 2);
  std::string_view const power = text.substr(text[e + 1] == '+' ? e + 2 : e + 1);
  int exponent = 0;
  std::from_chars(power.data(), power.data() + power.size(), exponent);
  return {digits, exponent};
}

/// The digits with a decimal point. Powers that would need many zeros are written with an exponent.
std::string with_point(Decimal const& decimal, int exponent) {
  std::string digits = decimal.digits;
  auto const places = static_cast<std::size_t>(std::abs(exponent));
  if (exponent < -3 || exponent > 14) {
    if (digits.size() > 1) digits.insert(1, ".");
    return fmt::format("{}e{}", digits, exponent);
  }
  if (exponent < 0) return "0." + std::string(places - 1, '0') + digits;
  if (digits.size() <= places) return digits + std::string(places + 1 - digits.size(), '0');
  if (digits.size() > places + 1) digits.insert(places + 1, ".");
  return digits;
}

/// Prints in the largest decimal unit in which the number is at least 1, else in the smallest unit. `units` descend in
/// size.
std::string print_decimal(double value, std::span<Unit const> units) {
  if (!std::isfinite(value) || value == 0) return fmt::format("{}{}", value, units.front().name);
  if (value < 0) return "-" + print_decimal(-value, units);
  Decimal const decimal = shortest(value);
  Unit chosen = units.back();
  for (std::size_t i = units.size(); i-- > 0;) {
    if (units[i].power <= decimal.exponent) chosen = units[i];
  }
  return with_point(decimal, decimal.exponent - chosen.power) + std::string(chosen.name);
}

std::int64_t multiplier(Unit const& unit) {
  auto result = static_cast<std::int64_t>(unit.factor);
  for (int i = 0; i < unit.power; ++i) result *= 10;
  return result;
}

/// Divides one of the two numbers by `prime`; returns false if neither is a multiple of it.
bool cancel(std::int64_t prime, std::int64_t& a, std::int64_t& b) {
  std::int64_t& divided = a % prime == 0 ? a : b;
  if (divided % prime != 0) return false;
  divided /= prime;
  return true;
}

/// Limits what is read, so that sums and products stay far below the range of a double.
constexpr double most_seconds = 1e12;

}  // namespace

Seconds parse_seconds(std::string_view text) {
  double const value = nearest(a_time, text);
  if (value > most_seconds) refuse(a_time, text, fmt::format("it is more than {:g}s", most_seconds));
  return Seconds(value);
}

Seconds parse_seconds_per_byte(std::string_view text) {
  constexpr std::string_view per_byte = "/B";
  if (!text.ends_with(per_byte)) refuse(a_time_per_byte, text, "it does not end in /B");
  double const value = nearest(a_time_per_byte, text.substr(0, text.size() - per_byte.size()));
  if (value > most_seconds) refuse(a_time_per_byte, text, fmt::format("it is more than {:g}s/B", most_seconds));
  return Seconds(value);
}

Bytes parse_bytes(std::string_view text) {
  Number const number = read_number(a_size, text);
  if (number.exponent != 0) refuse(a_size, text, "a size has no exponent");
  std::string_view fraction = number.fraction;
  while (fraction.ends_with('0')) fraction.remove_suffix(1);
  std::string const digits = std::string(number.whole) + std::string(fraction);
  std::int64_t count = 0;
  auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (error != std::errc()) refuse(a_size, text, "the number is out of range (it must be below 2^63 bytes)");
  std::int64_t unit = multiplier(number.unit);
  for (std::size_t i = 0; i < fraction.size(); ++i) {
    if (!cancel(2, count, unit) || !cancel(5, count, unit)) refuse(a_size, text, "not a whole number of bytes");
  }
  if (count > std::numeric_limits<std::int64_t>::max() / unit) {
    refuse(a_size, text, "the number is out of range (it must be below 2^63 bytes)");
  }
  return Bytes(count * unit);
}

BytesPerSecond parse_bandwidth(std::string_view text) {
  double const value = nearest(a_bandwidth, text);
  if (value == 0) refuse(a_bandwidth, text, "it must be greater than 0");
  if (value < 1 / most_seconds) refuse(a_bandwidth, text, fmt::format("it is less than {:g}Bps", 1 / most_seconds));
  return BytesPerSecond(value);
}

OperationsPerSecond parse_flops(std::string_view text) {
  double const value = nearest(a_rate, text);
  if (value < 1) refuse(a_rate, text, "it is less than 1flops");
  return OperationsPerSecond(value);
}

double in_four_digits(double value) {
  if (value == 0) return 0;
  double const unit = std::pow(10, std::floor(std::log10(value)) - 3);
  return unit < 1 ? std::round(value / unit) / std::round(1 / unit) : std::round(value / unit) * unit;
}

std::string print(Seconds time) { return print_decimal(time.value, time_units); }

std::string print(Bytes size) {
  std::string best = fmt::format("{}B", size.value);
  if (size.value == 0) return best;
  for (Unit const& unit : size_units) {
    std::int64_t const factor = multiplier(unit);
    if (size.value % factor != 0) continue;
    std::string candidate = fmt::format("{}{}", size.value / factor, unit.name);
    if (candidate.size() < best.size()) best = std::move(candidate);
  }
  return best;
}

std::string print(BytesPerSecond bandwidth) {
  return print_decimal(bandwidth.value, std::span(bandwidth_units).first(5));
}

void sizes_overflow() { throw InputError("sizes add up to 2^63 bytes or more"); }

double parse_percent(std::string_view text) {
  double percent = 0;
  char const* const end = text.data() + text.size();
  auto const [rest, error] = std::from_chars(text.data(), end, percent);
  bool const whole = error == std::errc() && std::string_view(rest, static_cast<std::size_t>(end - rest)) == "%";
  if (whole && percent >= 0 && percent <= 100) return percent / 100;
  throw InputError(fmt::format("expected a percentage from 0% to 100%, such as 2%, got \"{}\"", excerpt(text)));
}

}  // namespace rondo
