#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/units.hpp"

namespace rondo::native {

/// Simulated time in whole ticks, so that sums that are equal are equal whatever their order: ports that fall free "at
/// the same time" on paper do so here.
using Ticks = std::int64_t;

/// A tick is a power of ten of a second, since inputs are decimal: the finest with which the sum of all durations fits,
/// and the last bits of a double, which differ from one computation of a duration to another, are far below one tick.
class Clock {
 public:
  Clock(Seconds longest, Seconds sum) {
    constexpr int finest = 21;        // 10^22 is the last power of ten that a double holds
    constexpr double exact = 0x1p43;  // uses 43 of the 53 bits of a double
    constexpr double most = 0x1p62;
    double const limit = std::min(exact / std::max(longest.value, 1e-30), most / std::max(sum.value, 1e-30));
    per_second_ = std::pow(10.0, std::min(finest, static_cast<int>(std::floor(std::log10(limit)))));
  }

  Ticks ticks(Seconds time) const { return std::llround(time.value * per_second_); }
  Seconds seconds(Ticks ticks) const { return Seconds(static_cast<double>(ticks) / per_second_); }

 private:
  double per_second_;
};

}  // namespace rondo::native
