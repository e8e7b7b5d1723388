#pragma once

// The key `hierarchy` of collectives on all ranks: the collectives on groups of ranks from which one is built.

#include "problem/classical.hpp"
#include "scenario/read.hpp"

namespace rondo::scenario {

/// The JSON schema of the key, as text.
extern char const* const hierarchy_schema;

/// The host of each of the first `ranks_needed` ranks. Ranks that the machine does not have get host 0, because another
/// check refuses them.
std::vector<int> host_of_each(Platform const& machine, int ranks_needed);

/// Reads the hierarchy. With the groups "host", `machine` tells which of the `ranks` ranks share a host. Throws
/// InputError with the place for a name that is no algorithm or phase.
problem::Hierarchy read_hierarchy(Place const& hierarchy, int ranks, Platform const& machine);

/// The hierarchy in the form of the key. A level with one algorithm for all phases is that word; any other level is an
/// object by phase. Groups without a list of sizes are "host".
Json hierarchy_json(problem::Hierarchy const& hierarchy);

/// Throws InputError with the place unless the groups and phases of the problem's hierarchy fit its collective and its
/// number of ranks.
void check_hierarchy(Place const& hierarchy, problem::Classical const& problem);

}  // namespace rondo::scenario
