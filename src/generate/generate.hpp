#pragma once

// The catalogue of schedule generators: pure functions from a problem to a Schedule.

#include <vector>

#include "base/units.hpp"
#include "schedule/schedule.hpp"
#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo::generate {

/// Round i sends block i straight to R (+) C^i: s rounds less those of self offsets, which are local copies
/// [Traeff16, Listing 4].
Schedule isomorphic_alltoall_straightforward(Torus const& torus, Neighborhood const& neighborhood, Bytes block);

/// Message combining along the dimensions in `dimension_order`, hop by hop between immediate neighbors: D rounds and V
/// blocks, without copies: a block alternates between the receive and the intermediate buffer so that its last hop
/// ends in the receive buffer [Traeff16, Algorithm 1, corrected: a block leaves the send buffer on its first hop only].
/// Dimensions of extent 1 need no hops. `dimension_order` is a permutation of 0 .. d-1.
Schedule isomorphic_alltoall_torus(Torus const& torus, Neighborhood const& neighborhood, Bytes block,
                                   std::vector<int> const& dimension_order);

}  // namespace rondo::generate
