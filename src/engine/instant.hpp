#pragma once

// Simulated time, and the length of a moment (docs/model.md). Both engines use the same definitions, so that they
// decide ties in the same way.

#include "base/units.hpp"

namespace rondo {

/// Two events belong to one moment if their times differ by at most this fraction of the time. A moment opens at the
/// time of its first event. It includes every event that is known then and due at most this fraction later.
inline constexpr double moment_length = 1e-12;

/// A time in seconds with 77 bits: a double and its rounding error. Sums of the same durations in different orders are
/// equal on paper, so they must differ by much less than the length of a moment. Doubles alone drift apart by 1e-16 of
/// the time with each addition. With the rounding error added, a chain of 2^32 messages drifts by at most 2e-14. The
/// remaining error is the rounding of single durations, 3e-16 of the time, which does not add up.
struct Instant {
  double value = 0;
  float rest = 0;  ///< at most half of the last bit of `value`

  constexpr Instant() = default;
  constexpr Instant(double seconds, float lacking = 0) : value(seconds), rest(lacking) {}
};

constexpr bool operator<(Instant a, Instant b) { return a.value != b.value ? a.value < b.value : a.rest < b.rest; }
constexpr bool operator>(Instant a, Instant b) { return b < a; }
constexpr bool operator==(Instant a, Instant b) { return a.value == b.value && a.rest == b.rest; }

/// Adds without loss [Knuth, The Art of Computer Programming 2, 4.2.2, Theorem B]: `lost` is the rounding error of the
/// sum, which goes into `rest`.
inline Instant operator+(Instant time, double seconds) {
  constexpr double most = 1e50;  // past it a float does not hold what is lacking; infinity stays what it is
  double const sum = time.value + seconds;
  if (!(sum <= most)) return sum;
  double const added = sum - time.value;
  double const lost = (time.value - (sum - added)) + (seconds - added) + time.rest;
  double const value = sum + lost;
  return {value, static_cast<float>(lost - (value - sum))};
}
inline Instant operator+(Instant time, Seconds duration) { return time + duration.value; }

/// The seconds from `since` to a later time.
inline double operator-(Instant time, Instant since) {
  return (time.value - since.value) + (static_cast<double>(time.rest) - static_cast<double>(since.rest));
}

/// The latest time that belongs to the moment that opens at `first`.
constexpr double moment_end(Instant first) { return first.value * (1 + moment_length); }

}  // namespace rondo
