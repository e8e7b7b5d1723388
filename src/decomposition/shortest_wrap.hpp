#pragma once

// Equivalent offsets for the same neighbors. On a torus a multiple of the extents may be added to an offset.

#include "topology/mesh.hpp"
#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo {

/// The neighborhood with coordinate 0 in the dimensions of one rank, in which every offset leads to the same rank.
Neighborhood without_idle_dimensions(Torus const& torus, Neighborhood const& neighborhood);

/// The equivalent neighborhood with the fewest rounds D of dimension-wise routing in each dimension and, of those, the
/// smallest volume V. A coordinate with residue r modulo the extent p becomes 0, r or r - p; if r and r - p are equally
/// good, r. Coordinates of open dimensions are not changed. See docs/notes.md#shortest-wrap.
Neighborhood shortest_wrap(Torus const& torus, Neighborhood const& neighborhood,
                           Boundary const& boundary = Boundary::periodic);

}  // namespace rondo
