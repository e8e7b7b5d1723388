#pragma once

// Luby's maximal independent set, and a coloring by it, of the graph whose vertices are the ranks [Ibanez15, Section
// 5.1]; and whether they are right.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/ids.hpp"
#include "base/random.hpp"
#include "mpi/exchange/sparse_exchange.hpp"
#include "mpi/runtime/reductions.hpp"

namespace rondo::mpi {

/// This rank as a vertex. Each neighbor lists this rank as its neighbor too. No rank is its own neighbor or listed
/// twice.
struct Vertex {
  SparseExchange& exchange;
  Reductions& reductions;  ///< over the same ranks
  std::span<Rank const> neighbors;
  std::size_t beside = 0;  ///< bytes that travel with each message beside its own, the same at all ranks
};

struct IndependentSet {
  bool member = false;
  int rounds = 0;  ///< the same at all ranks: two exchanges each; a reduction before each, and one more
};

/// Collective. A maximal independent set among the vertices that take part, by Luby's Algorithm 3 with Y = I' and its
/// neighbors (the paper prints other sets there). The same in every run for the same numbers of `random`, which should
/// differ between ranks. Throws MpiFailure.
IndependentSet independent_set(Vertex const& vertex, bool takes_part, Random& random);

struct Coloring {
  int color = -1;  ///< from 0
  int colors = 0;  ///< the number of colors over all ranks
  int rounds = 0;  ///< rounds of Luby's algorithm, over all colors; one reduction each, two a color, and one more
};

/// Collective. A color for each rank, other than those of its neighbors: a maximal independent set of what is left gets
/// the next color, until nothing is left. So a rank has neighbors of every color before its own.
Coloring coloring(Vertex const& vertex, Random& random);

/// Collective: whether this rank sees the set to be independent and maximal. What is wrong with it, or nothing.
std::string wrong_in_set(Vertex const& vertex, bool member);
/// Collective: whether this rank sees a color of its own that none of its neighbors has, and among them every color
/// before it. What is wrong, or nothing.
std::string wrong_in_coloring(Vertex const& vertex, int color);

}  // namespace rondo::mpi
