#pragma once

// The key `hierarchy` of collectives on all ranks: the collectives on groups of ranks from which one is built.

#include "problem/classical.hpp"
#include "scenario/read.hpp"

namespace rondo::scenario {

extern char const* const hierarchy_schema;

/// The host of each rank.
std::vector<int> host_of_each(Platform const& machine, int ranks_needed);

/// The hierarchy. `machine` tells which ranks share a host.
problem::Hierarchy read_hierarchy(Place const& hierarchy, int ranks, Platform const& machine);

/// The key as one would write it, with all phases by name.
Json hierarchy_json(problem::Hierarchy const& hierarchy);

/// Throws InputError with the place unless the problem's hierarchy fits.
void check_hierarchy(Place const& hierarchy, problem::Classical const& problem);

}  // namespace rondo::scenario
