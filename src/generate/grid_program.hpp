#pragma once

#include <vector>

#include "schedule/schedule.hpp"
#include "topology/neighborhood.hpp"

namespace rondo::generate {

/// As isomorphic_on_mesh for one rank, on a grid some of whose dimensions are closed: blocks are left out where they
/// would pass the ends of others. No list: none is closed, a mesh.
Program isomorphic_on_grid(Schedule const& periodic, Neighborhood const& neighborhood, Rank rank,
                           std::vector<bool> const& closed);

}  // namespace rondo::generate
