#pragma once

// The gaps between messages on NICs, under flow timing. Each NIC counts for itself in each direction. It lets a message
// pass when the message departs, but no sooner than a gap after the previous message. The bytes of a message flow once
// all its NICs have let it pass.

#include <algorithm>
#include <vector>

#include "base/index.hpp"
#include "engine/instant.hpp"
#include "platform/paths.hpp"

namespace rondo {

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
