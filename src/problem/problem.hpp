#pragma once

// What is communicated, and by which algorithm: one value type a family. A scenario is read into one, MPI programs make
// one of their calls; from it alone generate/ makes a schedule and the promise that it must keep, and theory/ predicts.

#include <variant>

#include "problem/classical.hpp"
#include "problem/custom.hpp"
#include "problem/graph_collectives.hpp"
#include "problem/intergroup.hpp"
#include "problem/isomorphic.hpp"
#include "problem/programs.hpp"

namespace rondo::problem {

using Problem = std::variant<Isomorphic, Intergroup, Neighbor, SparseOnGraph, SparseExchange, GraphProgram, Bisection,
                             UserProgram, Classical, Custom>;

Kind kind(Problem const& problem);
/// The word of its algorithm; of a user's program the library whose collectives SMPI imitates.
std::string algorithm(Problem const& problem);
/// p
int ranks(Problem const& problem);
/// How the sparse exchanges of the problem are carried out; null where it has no sparse exchanges.
ExchangeWays const* exchange_ways(Problem const& problem);

}  // namespace rondo::problem
