#pragma once

// Computes a maximal independent set of a graph whose vertices are the ranks, by Luby's algorithm, and colors the graph
// by such sets [Ibanez15, Section 5.1]. Other functions check both results.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/ids.hpp"
#include "base/random.hpp"
#include "mpi/exchange/sparse_exchange.hpp"
#include "mpi/runtime/short_messages.hpp"

namespace rondo::mpi {

/// This rank as a vertex. Each neighbor must list this rank as its neighbor too. No rank may be its own neighbor or be
/// listed twice.
struct Vertex {
  SparseExchange& exchange;
  Reductions& reductions;  ///< over the same ranks
  std::span<Rank const> neighbors;
  std::size_t extra_bytes = 0;  ///< added to each message without meaning, to make it longer; the same at all ranks
};

/// The result at one rank.
struct IndependentSet {
  bool member = false;  ///< whether this rank is in the set
  /// The same at all ranks. Each round takes one reduction and two exchanges, and the end takes one more reduction.
  int rounds = 0;
};

/// Collective. Finds a maximal independent set of the vertices that take part, by Luby's Algorithm 3 with Y = I' and
/// its neighbors (the paper prints other sets for Y). The numbers of `random` determine the result. If two active
/// neighbors draw the same number, neither joins in this round; if they always do, the function may never return.
/// Throws MpiFailure.
IndependentSet independent_set(Vertex const& vertex, bool takes_part, Random& random);

/// The result at one rank.
struct Coloring {
  int color = -1;  ///< from 0
  int colors = 0;  ///< the number of colors over all ranks
  /// The rounds of Luby's algorithm over all colors. The coloring takes rounds + 2 colors + 1 reductions.
  int rounds = 0;
};

/// Collective. Gives each rank a color that none of its neighbors has: a maximal independent set of the ranks without
/// color gets the next color, until all have one. So a rank has neighbors of every color before its own.
Coloring coloring(Vertex const& vertex, Random& random);

/// Collective. Checks that the set is independent at this rank, and that this rank or a neighbor is in it. So a vertex
/// that did not take part may be a fault. Returns the first fault, or an empty text.
std::string fault_in_set(Vertex const& vertex, bool member);
/// Collective. Checks that this rank has a color that none of its neighbors has, and that its neighbors have every
/// color before it. Returns the first fault, or an empty text.
std::string fault_in_coloring(Vertex const& vertex, int color);

}  // namespace rondo::mpi
