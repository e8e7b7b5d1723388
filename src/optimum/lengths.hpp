#pragma once

// Lower bounds of times by lengths of links. They are the dual of a flow of all pairs at the same time.

#include "optimum/demand.hpp"
#include "optimum/distances.hpp"

namespace rondo::optimum {

/// The bound that these lengths give, in seconds; 0 if they give none. Whatever the lengths and the routes are, bytes
/// from one rank to another pass links of at least the shortest distance between the two. Bytes that several ranks
/// want, or to which several contribute, pass links that together have at least the length of a tree between these
/// ranks. In T seconds the links carry at most T times the sum of capacity times length. The bound is the quotient of
/// the two sums. Links without a limit of capacity count with length 0.
double seconds_by_lengths(Network const& network, Demand const& demand, Lengths const& lengths);

/// Good lengths for the bytes that ranks owe each other; empty if none give a larger bound than cuts do, or if the
/// search would take too long. Lengths grow where short routes and trees meet, again and again, as in approximations of
/// concurrent flows (Garg and Koenemann). In small networks a linear program improves them; for blocks between pairs
/// these are the best ones.
Lengths find_lengths(Network const& network, Demand const& demand);

}  // namespace rondo::optimum
