#pragma once

// The ways on which blocks reach neighbors. A Decomposition is the value that all decompositions of a neighborhood
// produce, and from which generate makes a schedule. On a torus a multiple of the extents may be added to an offset,
// so shortest_wrap chooses between equivalent offsets. The order in which dimension-wise algorithms use the
// dimensions decides the volume of an allgather, because blocks with the same coordinates so far travel as one.

#include <cstdint>
#include <vector>

#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo {

/// Steps that all ranks take one after the other, and the steps that the block of each neighbor takes. Neighbor i is at
/// the sum of steps[u] over all u in uses[i]. An offset that leads back to the rank itself uses no step.
struct Decomposition {
  std::vector<std::vector<int>> steps;  ///< d integers each
  std::vector<std::vector<int>> uses;   ///< one list for each neighbor, ascending
  bool is_smallest = false;             ///< whether an exact search proved that it is the smallest
};

/// The neighborhood with coordinate 0 in the dimensions of one rank, in which every offset leads to the same rank.
Neighborhood without_idle_dimensions(Torus const& torus, Neighborhood const& neighborhood);

/// The equivalent neighborhood with the fewest rounds D of dimension-wise routing in each dimension and, of those, the
/// smallest volume V. A coordinate with residue r modulo the extent p becomes 0, r or r - p; if r and r - p are equally
/// good, r. Coordinates of open dimensions are not changed. See docs/notes.md#shortest-wrap.
Neighborhood shortest_wrap(Torus const& torus, Neighborhood const& neighborhood,
                           Boundary const& boundary = Boundary::periodic);

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
