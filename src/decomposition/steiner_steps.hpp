#pragma once

// An allgather with less volume than the prefix trie of [Traeff16], in the same number of rounds: the routes of a block
// form a small tree that does not follow one order of dimensions.

#include "decomposition/routes.hpp"
#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo {

/// The limit of the exact search: the number of orders of the steps, times D, times 3^targets.
inline constexpr double most_steiner_work = 1e7;

/// Steps for the allgather in D rounds of single hops between immediate neighbors, in which all ranks send in the same
/// direction in each round: an order of the D steps, and for each neighbor the rounds in which its block moves. Blocks
/// that have moved in the same rounds so far are one block. The order and the rounds are chosen to send the fewest
/// blocks. This refutes the volume-optimality of Proposition 2 [Traeff16, Section 3.2]: {(1,1),(2,2)} needs 4 blocks,
/// the prefix trie 5 (docs/notes.md#volume-of-an-allgather).
///
/// With D rounds the steps are fixed, P_j times +e_j and N_j times -e_j, and only their order is free. Within the limit
/// all orders are searched, each for its smallest tree (`is_smallest`: no other such schedule of D rounds sends less).
/// Beyond the limit the tree of an order is built from the last round backwards: a block stays where it is, unless it
/// can only have arrived by this step, or unless its source holds the block anyway. The search starts from the tries of
/// several dimension orders, and from their steps dealt in turns, and swaps neighboring steps as long as that helps.
/// The result is never larger than the smallest trie of these orders: the stated, the given, the best and the paper's
/// (routes.hpp). Up to 5 dimensions the best order is the best of all. Beyond the limit `is_smallest` only holds if as
/// many blocks are sent as there are targets or rounds.
///
/// Offsets are integers: a route that leads around the torus is used as given. Dimensions of one rank count as 0.
///
/// With open dimensions, on a mesh, a block that takes a step and its opposite may pass ranks that do not exist. If the
/// tree has such a block, the smallest trie is used instead.
Decomposition steiner_steps(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& stated_order,
                            Boundary const& boundary = Boundary::periodic);
inline Decomposition steiner_steps(Torus const& torus, Neighborhood const& neighborhood) {
  return steiner_steps(torus, neighborhood, given_dimension_order(torus.dimensions()));
}

}  // namespace rondo
