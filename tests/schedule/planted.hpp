#pragma once

// Schedules that are right, for tests to plant one fault in.

#include <string>
#include <vector>

#include "draft.hpp"
#include "schedule/verify.hpp"

namespace rondo::testing {

using Texts = std::vector<std::string>;

inline IsomorphicAlltoall ring(int ranks, std::vector<std::vector<int>> const& offsets) {
  return {Torus({ranks}), Neighborhood(1, offsets)};
}

inline Texts texts(Verdict const& verdict) {
  Texts lines;
  for (Violation const& each : verdict.violations) lines.push_back(each.text);
  return lines;
}

inline Texts faults(Draft const& draft, Collective const& collective, MachineLimits const& allowed = {}) {
  return texts(verify(draft.schedule(), collective, allowed));
}

/// Four ranks: block 0 goes one rank on in round 1, block 1 goes two ranks on in round 2.
inline IsomorphicAlltoall const two_shifts = ring(4, {{1}, {2}});
inline Draft two_shifts_draft() {
  return expanded(straightforward(two_shifts.torus, two_shifts.neighborhood, 8_B).schedule());
}

/// Four ranks: block 0 goes two ranks on, in round 1 to the intermediate buffer of the next rank, in round 2 from
/// there.
inline IsomorphicAlltoall const relay = ring(4, {{2}});
inline Draft relay_draft() { return expanded(hop_by_hop(relay.torus, relay.neighborhood, 8_B).schedule()); }

/// Two ranks: blocks 0 and 1 go to the other rank in one message.
inline IsomorphicAlltoall const exchange = ring(2, {{1}, {-1}});
inline Draft exchange_draft() {
  Draft draft = blank({2}, 2, 8_B);
  for (int r : {0, 1}) {
    draft.of(r).round(1).sends = {{1 - r, {send_slot(0), send_slot(1)}}};
    draft.of(r).round(1).receives = {{1 - r, {receive_slot(0), receive_slot(1)}}};
  }
  return draft;
}

}  // namespace rondo::testing
