#pragma once

// The key `hierarchy` of collectives on all ranks: of which collectives on groups of ranks one is put together.

#include "problem/classical.hpp"
#include "scenario/read.hpp"

namespace rondo::scenario {

extern char const* const hierarchy_schema;

/// By rank, the number of its host.
std::vector<int> host_of_each(Platform const& machine, int ranks_needed);

/// `machine` says which ranks share a host.
problem::Hierarchy read_hierarchy(Place const& hierarchy, int ranks, Platform const& machine);

/// The key as it would be written, all phases by name.
Json hierarchy_json(problem::Hierarchy const& hierarchy);

/// Throws InputError, with the place, unless the hierarchy that the problem has fits.
void check_hierarchy(Place const& hierarchy, problem::Classical const& problem);

}  // namespace rondo::scenario
