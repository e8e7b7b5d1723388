#pragma once

// Dynamic sparse exchange for MPI programs in C++, and what is made of it: Luby's maximal independent set, a coloring
// of the graph of the ranks, and the bisection of a point cloud [Ibanez15]. Programs link with librondo_mpi, as those
// that include rondo/sparse_exchange.h do.

#include "mpi/exchange/independent_set.hpp"
#include "mpi/exchange/point_bisection.hpp"
#include "mpi/exchange/sparse_exchange.hpp"
