// Fits the bandwidth that several messages share to their times, by the loss that forgives outliers.

#include "fit/sharing.hpp"

#include <algorithm>
#include <cmath>

#include "fit/robust.hpp"

namespace rondo::fit {
namespace {

/// One size, and the bandwidth of a message of it alone.
struct OneSize {
  double bytes, alone;
  double start;  ///< the time of a message without its bytes

  double time(double pairs, double shared) const { return start + bytes * std::max(1 / alone, pairs / shared); }
  /// The shared bandwidth by which a row takes its time.
  double shared_in(PairsTime const& row) const {
    double const pairs = static_cast<double>(row.pairs);
    double const flowing = row.time.value - start;
    double const most = pairs * alone;
    return flowing > 0 ? std::clamp(pairs * bytes / flowing, alone, most) : most;
  }
};

double loss(OneSize const& size, std::vector<PairsTime> const& rows, double shared) {
  double sum = 0;
  for (PairsTime const& row : rows) {
    sum += robust_loss(std::log(size.time(static_cast<double>(row.pairs), shared) / row.time.value));
  }
  return sum;
}

}  // namespace

SharedBandwidth shared_bandwidth(std::vector<PairsTime> const& rows, BytesPerSecond alone) {
  auto const one = std::ranges::find(rows, 1, &PairsTime::pairs);
  double const bytes = static_cast<double>(one->bytes);
  // At most the whole time is the bytes', whatever other rows say of the bandwidth.
  double const bandwidth = std::max(alone.value, bytes / one->time.value);
  OneSize const size{bytes, bandwidth, one->time.value - bytes / bandwidth};
  double best = 0, least = HUGE_VAL;
  for (PairsTime const& row : rows) {
    if (row.pairs == 1) continue;
    double const shared = size.shared_in(row), here = loss(size, rows, shared);
    if (here < least) best = shared, least = here;
  }
  SharedBandwidth result{BytesPerSecond(best)};
  for (PairsTime const& row : rows) {
    double const pairs = static_cast<double>(row.pairs);
    // A difference of less than 5 % is no sign of sharing.
    result.filled = result.filled || best < 0.95 * pairs * bandwidth;
    result.worst_error = std::max(result.worst_error, std::abs(size.time(pairs, best) / row.time.value - 1));
  }
  return result;
}

}  // namespace rondo::fit
