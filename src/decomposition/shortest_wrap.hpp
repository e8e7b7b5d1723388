#pragma once

// Other offsets for the same neighbors. On a torus an offset may be changed by any multiple of the extents.

#include "topology/mesh.hpp"
#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo {

/// The neighborhood with coordinate 0 in the dimensions of one rank, where every offset leads to the same place.
Neighborhood without_idle_dimensions(Torus const& torus, Neighborhood const& neighborhood);

/// The equivalent neighborhood with the fewest rounds D of dimension-wise routing and, of those, the least volume V,
/// in each dimension: a coordinate of residue r modulo the extent p becomes 0, r or r - p; r if
/// both serve as well. Along open dimensions nothing changes. docs/notes.md#shortest-wrap.
Neighborhood shortest_wrap(Torus const& torus, Neighborhood const& neighborhood,
                           Boundary const& boundary = Boundary::periodic);

}  // namespace rondo
