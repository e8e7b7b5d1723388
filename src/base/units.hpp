#pragma once

// Times, sizes, bandwidths and rates of computing as types of their own. Inside the program they are in base units.
// Text, in JSON and in output, has units such as "1us". Percentages are read here too. Sums and products of counts
// are checked for overflow, and integers are divided with rounding up.

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace rondo {

/// Seconds of simulated or measured time.
struct Seconds {
  double value = 0;
  constexpr Seconds() = default;
  constexpr explicit Seconds(double v) : value(v) {}
  friend constexpr auto operator<=>(Seconds, Seconds) = default;
};

/// A number of bytes, with 64 bits so that sums over all ranks fit.
struct Bytes {
  std::int64_t value = 0;
  constexpr Bytes() = default;
  constexpr explicit Bytes(std::int64_t v) : value(v) {}
  friend constexpr auto operator<=>(Bytes, Bytes) = default;
};

/// A bandwidth.
struct BytesPerSecond {
  double value = 0;
  constexpr BytesPerSecond() = default;
  constexpr explicit BytesPerSecond(double v) : value(v) {}
  friend constexpr auto operator<=>(BytesPerSecond, BytesPerSecond) = default;
};

constexpr Seconds operator+(Seconds a, Seconds b) { return Seconds(a.value + b.value); }
constexpr Seconds operator-(Seconds a, Seconds b) { return Seconds(a.value - b.value); }
constexpr Seconds operator*(double factor, Seconds t) { return Seconds(factor * t.value); }
constexpr Seconds operator/(Bytes n, BytesPerSecond b) { return Seconds(static_cast<double>(n.value) / b.value); }
/// Throws InputError because a sum or product of sizes has reached 2^63 bytes.
[[noreturn]] void sizes_overflow();
/// Sums and products of counts that may be bytes. They throw InputError as those of sizes do.
constexpr std::int64_t checked_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) sizes_overflow();
  return sum;
}
constexpr std::int64_t checked_product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) sizes_overflow();
  return product;
}
constexpr Bytes operator+(Bytes a, Bytes b) { return Bytes(checked_sum(a.value, b.value)); }
constexpr Bytes operator*(std::int64_t factor, Bytes n) { return Bytes(checked_product(factor, n.value)); }
constexpr Bytes& operator+=(Bytes& a, Bytes b) { return a = a + b; }

/// The largest size of a block, a segment or an envelope. With it, the bytes of all messages of a small problem fit
/// into 64 bits.
inline constexpr Bytes largest_size{std::int64_t{1} << 40};

inline namespace literals {
// A quotient is rounded once, so 100_ns equals the number that "100ns" is read as.
constexpr Seconds operator""_us(unsigned long long v) { return Seconds(static_cast<double>(v) / 1e6); }
constexpr Seconds operator""_ns(unsigned long long v) { return Seconds(static_cast<double>(v) / 1e9); }
constexpr Bytes operator""_B(unsigned long long v) { return Bytes(static_cast<std::int64_t>(v)); }
constexpr Bytes operator""_KiB(unsigned long long v) { return Bytes(static_cast<std::int64_t>(v) << 10); }
constexpr Bytes operator""_MiB(unsigned long long v) { return Bytes(static_cast<std::int64_t>(v) << 20); }
constexpr BytesPerSecond operator""_GBps(unsigned long long v) { return BytesPerSecond(1e9 * static_cast<double>(v)); }
}  // namespace literals

/// Reads "1us", "2.5ms", "0s": a decimal number >= 0, of at most 1e12 s, followed by s, ms, us, ns or ps. Throws
/// InputError that says what is accepted; the caller adds the place.
Seconds parse_seconds(std::string_view text);
/// Reads "64B", "1KiB", "4MiB", "1kB", "1.5KiB": a whole number of bytes in B, kB, MB, GB, TB, KiB, MiB, GiB or TiB.
Bytes parse_bytes(std::string_view text);
/// Reads "1GBps", "800Mbps": bytes (B) or bits (b) per second with a decimal or binary prefix; greater than 0 and
/// finite.
BytesPerSecond parse_bandwidth(std::string_view text);

/// The nearest number of four decimal digits. More digits would exceed the precision of measurements.
double in_four_digits(double value);

/// The shortest text with a unit that reads well: "1us", "64KiB", "1GBps". Sizes are printed exactly, and
/// parse(print(x)) == x.
std::string print(Seconds time);
std::string print(Bytes size);
std::string print(BytesPerSecond bandwidth);

/// Reads "6ns/B": a time as parse_seconds reads it, for each byte. Throws InputError that says what is accepted.
Seconds parse_seconds_per_byte(std::string_view text);

/// Floating-point operations that a processor carries out in a second.
struct OperationsPerSecond {
  double value = 0;
  constexpr OperationsPerSecond() = default;
  constexpr explicit OperationsPerSecond(double v) : value(v) {}
};

/// "10Gflops": operations a second in flops, kflops, Mflops, Gflops, Tflops; at least 1, finite. Throws InputError that
/// says what is accepted; the caller puts the place before it.
OperationsPerSecond parse_flops(std::string_view text);

/// Reads "2%" or "0.5%" as a fraction of 1: a decimal number from 0 to 100. Throws InputError that says what is
/// accepted.
double parse_percent(std::string_view text);

/// a / b, rounded up, for a >= 0 and b > 0.
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

}  // namespace rondo
