#pragma once

// Linear timing of messages that share nothing, in exact fractions: docs/model.md again, for chains that are too long
// for reference.cpp.

#include <vector>

#include "native_schedules.hpp"

namespace rondo::testing {

/// The finish of each rank in seconds, rounded once. Every message has both its ends in one round, no link or NIC is
/// shared, and no rank is left waiting.
std::vector<double> exact_finish(int ranks, std::vector<PlannedMessage> const& planned, Platform const& platform);

}  // namespace rondo::testing
