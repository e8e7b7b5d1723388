#pragma once

// What messages at the same time share: the NIC of a host, or the memory within one. Several pairs of ranks exchange
// messages at once; the time of one of them shows the bandwidth of all.

#include <cstdint>
#include <vector>

#include "base/units.hpp"

namespace rondo::fit {

/// The time of a message in one direction while `pairs` messages of this size are under way in the same direction.
struct PairsTime {
  std::int64_t pairs = 1;
  std::int64_t bytes = 0;
  Seconds time;
};

struct SharedBandwidth {
  BytesPerSecond value{0};
  bool filled = false;     ///< otherwise the value is only what the most pairs used, and there may be more
  double worst_error = 0;  ///< the largest |predicted / measured - 1| of a row
};

/// The bandwidth C that P messages of n bytes share. They take a + n max(1/b, P/C), where b is the bandwidth of one
/// message alone, which takes a + n/b. C is the one of the values that single rows give, from b to P b, that meets all
/// rows best (fit/robust.hpp). `rows` have one size. They must include the row of one pair and a row of several.
SharedBandwidth shared_bandwidth(std::vector<PairsTime> const& rows, BytesPerSecond alone);

}  // namespace rondo::fit
