#pragma once

// Which of several algorithms is the fastest at which block sizes: the search alone, over times that someone else
// knows.
//
// Sizes are looked at on a grid, `per_doubling` of them in each doubling of the size. Between two neighbors of the grid
// at which different algorithms are best, the change is found to the byte by bisection; from there the rest of the way
// to the upper neighbor is searched in the same manner, so that an algorithm that is best only in between is found
// where the bisection meets it. What begins and ends between two neighbors at which the same algorithm is best is not
// seen: that is the resolution. Curves that cross once in a cell need no more than that.

#include <cstddef>
#include <functional>
#include <vector>

#include "base/units.hpp"

namespace rondo {

struct SizeSearch {
  Bytes from{1}, to{1};  ///< both are looked at; 1 <= from <= to
  int per_doubling = 2;
  double tie = 1e-12;  ///< times that differ by no more than this, relative to the lesser, are equal
  /// Where algorithms change is found to this part of the size, on the side where the lower one may not be the best any
  /// more; 0: to the byte.
  double resolution = 0;
};

/// An algorithm, by its number, that is the fastest at both ends of a range of sizes, both included. If several are as
/// fast, it is the one with the lowest number.
struct BestRange {
  Bytes from, to;
  std::size_t algorithm = 0;
  bool operator==(BestRange const&) const = default;
};

using TimeOf = std::function<Seconds(std::size_t algorithm, Bytes size)>;

/// Whether a time is no longer than another, but for a tie.
bool as_fast(Seconds time, Seconds other, double tie);

/// The sizes of the grid, ascending and each once, `from` and `to` among them.
std::vector<Bytes> grid(SizeSearch const& search);

/// The ranges in ascending order; they cover all sizes from `from` to `to`.
std::vector<BestRange> best_ranges(SizeSearch const& search, std::size_t algorithms, TimeOf const& time);

}  // namespace rondo
