#pragma once

// The fewest rounds of combining on k ports, by trying all: it knows the rules and no algorithm of ours.

#include <vector>

#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo::lane_sequences {

/// By neighbor: the hops that its block takes one after the other, each a number for its dimension and direction, or
/// for its dimension and coordinate (`direct`). Hops that lead to the rank itself are left out.
using Hops = std::vector<std::vector<int>>;
Hops unit_hops(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& order);
Hops direct_hops(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& order);

/// In a round all ranks use at most `ports` of the numbers, each by one message with any number of blocks, and each
/// block may take its next hop. All choices are tried, round by round, from every state that can be reached.
int fewest_rounds(Hops const& hops, int ports);

}  // namespace rondo::lane_sequences
