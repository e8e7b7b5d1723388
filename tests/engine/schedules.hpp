#pragma once

#include <vector>

#include "engine/engine.hpp"
#include "schedule/collective.hpp"
#include "schedule/schedule.hpp"

namespace rondo::testing {

/// A schedule built by hand and the collective it carries out.
struct Case {
  Schedule schedule;
  Collective collective;
};

/// What is wrong with a schedule.
enum class Flaw {
  none,
  swapped,  ///< blocks 0 and 1 are put into each other's place
  unsent,   ///< the last block is received but not sent
  cut,      ///< the last block is received with half its size
};

/// On a ring of `ranks`, block i goes straight to the rank `distances[i]` further on, one block a round; no distance
/// is a multiple of `ranks`.
Case ring_shift(int ranks, std::vector<int> const& distances, Bytes block, Flaw flaw = Flaw::none);

/// The same with all messages in one round.
Case posted_ring_shift(int ranks, std::vector<int> const& distances, Bytes block);

/// Blocks to the next rank and the one after it, combined: the second goes over the next rank, in two rounds. `sizes`,
/// unless empty, are those of the two blocks.
Case combined_ring(int ranks, Bytes block, std::vector<Bytes> const& sizes = {});

/// One block that each rank copies to itself.
Case self_copy(int ranks, Bytes block);

/// Fully connected, 1 us and 1 GB/s, one port.
Platform machine(int hosts);

/// The timing of a simulation that must succeed; a failed one is a failed test.
Timing simulate(Case const& what, Platform const& platform, Payload payload = Payload::automatic);
/// The failure of a simulation that must fail.
Outcome<Timing> simulate_failure(Case const& what, Platform const& platform, EngineOptions const& options = {});

}  // namespace rondo::testing

/// Relative 1e-9, the exactness that linear timing promises.
#define EXPECT_SECONDS(actual, expected) EXPECT_NEAR((actual).value, (expected).value, 1e-9 * (expected).value)
