#pragma once

// Simulated time, and how long a moment lasts (docs/model.md): the same for both engines.

#include "base/units.hpp"

namespace rondo {

/// Two events are one moment if their times differ by at most this part of themselves. A moment opens at the time of
/// its first event and takes in every event that is known then and is due at most this part of the time later.
inline constexpr double moment_length = 1e-12;

/// A time in seconds to 77 bits: a double and what it lacks. Sums of durations in one order or another, which are equal
/// on paper, must stay much nearer to each other than a moment lasts. Doubles alone drift apart by 1e-16 of the time
/// with each addition; here a chain of 2^32 messages drifts by 2e-14 at most, so that what is left is the rounding of
/// single durations, which does not add up: 3e-16 of the time.
struct Instant {
  double value = 0;
  float rest = 0;  ///< at most half of the last bit of `value`

  constexpr Instant() = default;
  constexpr Instant(double seconds, float lacking = 0) : value(seconds), rest(lacking) {}
};

constexpr bool operator<(Instant a, Instant b) { return a.value != b.value ? a.value < b.value : a.rest < b.rest; }
constexpr bool operator>(Instant a, Instant b) { return b < a; }
constexpr bool operator==(Instant a, Instant b) { return a.value == b.value && a.rest == b.rest; }

/// Knuth, The Art of Computer Programming 2, 4.2.2, theorem B, tells what an addition of doubles loses.
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

/// The last time of the moment that opens then.
constexpr double moment_end(Instant first) { return first.value * (1 + moment_length); }

}  // namespace rondo
