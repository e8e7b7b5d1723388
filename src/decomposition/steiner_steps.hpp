#pragma once

#include "decomposition/decomposition.hpp"
#include "decomposition/dimension_order.hpp"
#include "topology/mesh.hpp"
#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo {

/// The limit of the exact search: orders of the steps times D times 3^targets.
inline constexpr double most_steiner_work = 1e7;

/// For the allgather in D rounds of single hops between immediate neighbors, in which all ranks go the same way in each
/// round: an order of the D steps, and for each neighbor the rounds in which its block moves. Blocks that have moved in
/// the same rounds so far are one; the order and the rounds are chosen so that the fewest blocks are sent, which
/// refutes the volume-optimality of Proposition 2 [Traeff16, Section 3.2]: {(1,1),(2,2)} needs 4 blocks, the prefix
/// trie 5 (docs/notes.md#volume-of-an-allgather).
///
/// D rounds leave no choice of the steps, only of their order: P_j times +e_j and N_j times -e_j. Within the limit all
/// orders are searched, each for its smallest tree (`least`: no other such schedule of D rounds sends less). Beyond,
/// the tree of an order is found from the last round back: a block stays where it is unless it can only have come with
/// this step, or where it would come from holds it anyway; starting from the tries of several dimension orders and from
/// their steps dealt round robin, neighboring steps are exchanged as long as that helps. Never more than the smallest
/// trie of these orders: the stated one, the given, the best and the paper's (dimension_order.hpp); up to 5 dimensions
/// the best is that of all. `least` then only if as many blocks are sent as there are targets or rounds.
///
/// Offsets are integers: ways that lead around the torus are taken as they are given. Dimensions of one rank count as
/// 0.
///
/// With open dimensions, on a mesh, a block that would take a step and its opposite may pass ranks that are not there:
/// if the tree has one, it is the smallest trie instead.
Decomposition steiner_steps(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& stated_order,
                            Boundary const& boundary = Boundary::periodic);
inline Decomposition steiner_steps(Torus const& torus, Neighborhood const& neighborhood) {
  return steiner_steps(torus, neighborhood, given_dimension_order(torus.dimensions()));
}

}  // namespace rondo
