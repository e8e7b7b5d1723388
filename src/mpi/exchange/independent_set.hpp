#pragma once

// Luby's maximal independent set of the graph whose vertices are the ranks, a coloring by such sets [Ibanez15,
// Section 5.1], and checks of both.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/ids.hpp"
#include "base/random.hpp"
#include "mpi/exchange/sparse_exchange.hpp"
#include "mpi/runtime/reductions.hpp"

namespace rondo::mpi {

/// This rank as a vertex. Each neighbor must list this rank as its neighbor too. No rank may be its own neighbor or be
/// listed twice.
struct Vertex {
  SparseExchange& exchange;
  Reductions& reductions;  ///< over the same ranks
  std::span<Rank const> neighbors;
  std::size_t beside = 0;  ///< bytes that travel with each message beside its own, the same at all ranks
};

/// The result at one rank.
struct IndependentSet {
  bool member = false;
  int rounds = 0;  ///< the same at all ranks: two exchanges each; a reduction before each, and one more
};

/// Collective. A maximal independent set of the vertices that take part, by Luby's Algorithm 3 with Y = I' and its
/// neighbors (the paper prints other sets there). The result is the same in every run for the same numbers of `random`,
/// which should differ between ranks. Throws MpiFailure.
IndependentSet independent_set(Vertex const& vertex, bool takes_part, Random& random);

/// The result at one rank.
struct Coloring {
  int color = -1;  ///< from 0
  int colors = 0;  ///< the number of colors over all ranks
  int rounds = 0;  ///< rounds of Luby's algorithm, over all colors; one reduction each, two a color, and one more
};

/// Collective. Gives each rank a color that none of its neighbors has: a maximal independent set of the ranks without
/// color gets the next color, until all have one. So a rank has neighbors of every color before its own.
Coloring coloring(Vertex const& vertex, Random& random);

/// Collective. Checks from this rank's view that the set is independent and maximal. Returns what is wrong, or nothing.
std::string wrong_in_set(Vertex const& vertex, bool member);
/// Collective. Checks that this rank has a color that none of its neighbors has, and that its neighbors have every
/// color before it. Returns what is wrong, or nothing.
std::string wrong_in_coloring(Vertex const& vertex, int color);

}  // namespace rondo::mpi
