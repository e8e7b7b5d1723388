#pragma once

// Simulated time, and the length of a moment (docs/model.md). Both engines use the same definitions, so that they
// decide ties in the same way. NicGaps holds the gaps between messages on NICs, under flow timing. Each NIC counts
// for itself in each direction. It lets a message pass when the message departs, but no sooner than a gap after the
// previous message. The bytes of a message flow once all its NICs have let it pass.

#include <algorithm>
#include <vector>

#include "base/ids.hpp"
#include "base/units.hpp"
#include "platform/paths.hpp"

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

/// The gaps that a NIC keeps between messages.
class NicGaps {
 public:
  NicGaps(Paths const& paths, Platform const& platform, int hosts)
      : paths_(paths),
        gap_(platform.nic_gap),
        nics_(platform.nics),
        out_(has_gaps() ? at(hosts * nics_) : 0),
        in_(out_) {}

  /// The time from which a message that departs now may flow. The gap of each of its NICs starts at the time at which
  /// that NIC lets it pass.
  Instant pass(Instant now, Rank from, Rank to, SizeClass size) {
    if (!has_gaps()) return now;
    int const source = paths_.host(from), target = paths_.host(to);
    if (source == target) return now;
    Instant last = now;
    for (int flow = 0; flow < paths_.flows(from, to, size); ++flow) {
      NicPair const nics = paths_.nics(from, to, size, flow);
      last = std::max(
          {last, pass(out_[at(source * nics_ + nics.out)], now), pass(in_[at(target * nics_ + nics.in)], now)});
    }
    return last;
  }

 private:
  bool has_gaps() const { return gap_ > Seconds(0); }
  Instant pass(Instant& free, Instant now) const {
    Instant const passes = std::max(free, now);
    free = passes + gap_;
    return passes;
  }

  Paths const& paths_;
  Seconds gap_;
  int nics_;
  std::vector<Instant> out_, in_;  ///< by NIC: the time from which the next message may pass
};

}  // namespace rondo
