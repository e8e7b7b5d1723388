#pragma once

// Lower bounds of times by lengths of links. They are the dual of a flow of all pairs at the same time.

#include "optimum/demand.hpp"
#include "optimum/ways.hpp"

namespace rondo::optimum {

/// Whatever the lengths, and by whatever routes: bytes that one rank owes another pass links of at least the shortest
/// distance between the two. Bytes that several ranks want, or to which several contribute, pass links that together
/// have at least the length of a tree between these ranks. In T seconds links carry at most T times the sum of capacity
/// times length. The quotient of both sums, in seconds; 0 where nothing can be said. Links of any capacity count with
/// length 0.
double seconds_by_lengths(Network const& network, Demand const& demand, Lengths const& lengths);

/// Good lengths for what ranks owe each other; empty where there are none that say more than cuts, or it would take too
/// long. They grow where short ways and trees meet, again and again, as in approximations of concurrent flows (Garg and
/// Koenemann). In small networks they are improved by a linear program; for blocks between pairs these are the best
/// ones.
Lengths find_lengths(Network const& network, Demand const& demand);

}  // namespace rondo::optimum
