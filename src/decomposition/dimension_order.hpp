#pragma once

// The order in which dimension-wise algorithms use the dimensions. It decides the volume of an allgather, because
// blocks with the same coordinates so far travel as one.

#include <cstdint>
#include <vector>

#include "topology/mesh.hpp"
#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo {

/// How a block moves along a dimension: in single hops between immediate neighbors, or directly to its coordinate.
enum class Hops : std::uint8_t { unit, direct };

/// The order 0 .. d-1.
std::vector<int> given_dimension_order(int dimensions);

/// Up to this many dimensions all d! orders are considered.
inline constexpr int exact_order_dimensions = 5;

/// The order in which the allgather's prefix trie sends the fewest blocks. For d <= exact_order_dimensions it is the
/// lexicographically first of the best orders. For more dimensions those with the fewest zeros come first, a heuristic
/// whose volume is within a few percent of the best for many offsets, and up to a quarter more for few
/// (docs/notes.md#dimension-orders). All-to-all volumes do not depend on the order. For direct hops, coordinates count
/// modulo the extents of closed dimensions.
std::vector<int> best_dimension_order(Torus const& torus, Neighborhood const& neighborhood, Hops hops = Hops::unit,
                                      Boundary const& boundary = Boundary::periodic);

/// The paper's rule, "in decreasing number of neighbors having the same coordinate value" [Traeff16, Section 3.2]: the
/// dimension whose most frequent coordinate is shared by the most neighbors comes first; ties keep the given order. The
/// result can be far from the best.
std::vector<int> paper_dimension_order(Neighborhood const& neighborhood);

}  // namespace rondo
