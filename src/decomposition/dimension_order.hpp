#pragma once

#include <cstdint>
#include <vector>

#include "topology/mesh.hpp"
#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo {

/// How a block moves along a dimension: in single hops between immediate neighbors, or straight to its coordinate.
enum class Hops : std::uint8_t { unit, direct };

/// 0 .. d-1.
std::vector<int> given_dimension_order(int dimensions);

/// Up to this many dimensions the best order is found among all d!.
inline constexpr int exact_order_dimensions = 5;

/// The order in which the allgather's prefix trie sends the fewest blocks: the lexicographically first of the best for
/// d <= exact_order_dimensions; beyond, dimensions with the fewest zeros first, a rule of thumb whose volume is within
/// a few percent of the best for many offsets, and up to a quarter more for few (docs/notes.md#dimension-orders).
/// All-to-all volumes do not depend on the order. Straight hops take coordinates modulo the extents of closed
/// dimensions.
std::vector<int> best_dimension_order(Torus const& torus, Neighborhood const& neighborhood, Hops hops = Hops::unit,
                                      Boundary const& boundary = Boundary::periodic);

/// "In decreasing number of neighbors having the same coordinate value" [Traeff16, Section 3.2]: the dimension whose
/// most frequent coordinate is shared by the most neighbors first, ties as given. It can be far from best.
std::vector<int> paper_dimension_order(Neighborhood const& neighborhood);

}  // namespace rondo
