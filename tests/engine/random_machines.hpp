#pragma once

// What both engines are compared on: random machines and messages, and the comparison.

#include <string>
#include <vector>

#include "base/random.hpp"
#include "folder.hpp"
#include "native_schedules.hpp"
#include "platform/platform.hpp"

namespace rondo::testing {

template <typename Value>
Value one_of(Random& random, std::vector<Value> const& values) {
  return values[random.below(values.size())];
}

Placement random_placement(Random& random, int hosts, int each);
/// Any routing that the platform's topology and links have, and links that have failed but leave its hosts joined.
Routing random_routing(Random& random, Platform const& platform);
/// Any topology, placement, sharing and routing, with linear timing.
Platform random_machine(Random& random);
/// The same with flow timing, any of its costs and thresholds.
Platform random_flow_machine(Random& random);
/// The machine with hosts that have an inside: several NICs and ranks, rails, islands; under flow timing also gaps on
/// NICs and a handshake. `routing` stays.
Platform with_insides(Random& random, Platform platform);
/// Any distributions of times from nothing to many start-ups, of CPUs, calculations and latencies.
MachineNoise random_noise(Random& random);
/// Files that SimGrid reads, with links of their own and at least 12 hosts: backbones, fat pipes, links of a torus.
std::vector<std::string> platform_files(test::Folder const& folder);
/// Messages in one or more rounds, of any number a rank, in the order of sources or in any order; their sizes are few
/// or all different.
std::vector<PlannedMessage> random_messages(Random& random, int ranks);

/// What SMPI says of it, without payload.
Timing smpi_timing(Schedule const& schedule, Platform const& platform);
/// Both engines carry the same messages, and every rank finishes at one time on both, to 1e-9 of the makespan.
void expect_agreement(Schedule const& schedule, Platform const& platform);

}  // namespace rondo::testing
