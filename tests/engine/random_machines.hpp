#pragma once

// What both engines are compared on: random machines and messages, and the comparison.

#include <vector>

#include "base/random.hpp"
#include "native_schedules.hpp"
#include "platform/platform.hpp"

namespace rondo::testing {

template <typename Value>
Value one_of(Random& random, std::vector<Value> const& values) {
  return values[random.below(values.size())];
}

Placement random_placement(Random& random, int hosts, int each);
/// Any topology, placement and sharing, with linear timing.
Platform random_machine(Random& random);
/// The same with flow timing, any of its costs and thresholds.
Platform random_flow_machine(Random& random);
/// Messages in one or more rounds, of any number a rank, in the order of sources or in any order; their sizes are few
/// or all different.
std::vector<PlannedMessage> random_messages(Random& random, int ranks);

/// What SMPI says of it, without payload.
Timing smpi_timing(Schedule const& schedule, Platform const& platform);
/// Both engines carry the same messages, and every rank finishes at one time on both, to 1e-9 of the makespan.
void expect_agreement(Schedule const& schedule, Platform const& platform);

}  // namespace rondo::testing
