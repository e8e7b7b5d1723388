#pragma once

// Lower bounds of times by lengths of links: the dual of a flow of all pairs at once.

#include <cstdint>
#include <vector>

#include "optimum/demand.hpp"

namespace rondo::optimum {

/// By link of the network; no negative ones.
using Lengths = std::vector<std::int64_t>;

/// Whatever the lengths, and by whatever routes: bytes that one rank owes another pass links of at least the shortest
/// distance between the two, so that all bytes together use the sum of bytes times distance. In T seconds links carry
/// at most T times the sum of capacity times length. The quotient of both sums, in seconds; 0 where nothing can be
/// said. Links of any capacity count with length 0.
double seconds_by_lengths(Network const& network, Demand const& demand, Lengths const& lengths);

/// Good lengths for blocks that pairs of ranks owe each other; empty where there are none, or it would take too long.
/// They grow where shortest ways meet, again and again, as in approximations of concurrent flows (Garg and Koenemann).
/// In small networks they are the best ones, by a linear program.
Lengths find_lengths(Network const& network, Demand const& demand);

}  // namespace rondo::optimum
