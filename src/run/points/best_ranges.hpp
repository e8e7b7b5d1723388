#pragma once

// Finds which of several algorithms is the fastest at which block sizes. This is the search alone; the caller provides
// the times.
//
// An algorithm keeps its range until another one is faster by more than `tolerance`, so that curves which cross often
// and differ little make one range. All algorithms are timed at checked sizes: those of a grid, `per_doubling` of them
// in each doubling of the size, and one between each two neighbors of the grid in one range. If an algorithm does not
// hold its range at a size between, that size joins the grid and the ranges are made anew, so that the search looks
// closer there.
//
// Between two ranges there is a cut-off: the size at which the two algorithms cross, found to the byte by bisection
// between two checked sizes. If they cross more than once and differ by no more than the tolerance there, one byte
// would be too precise: the cut-off then names the sizes between which they cross, and lies at a checked size.
//
// At each checked size of a range, its algorithm is slower than the fastest one by at most the tolerance. Between two
// checked sizes nothing is guaranteed.

#include <cstddef>
#include <functional>
#include <vector>

#include "base/units.hpp"

namespace rondo {

/// The sizes to search, and when two times count as equal.
struct SizeSearch {
  Bytes from{1}, to{1};  ///< both are looked at; 1 <= from <= to
  int per_doubling = 2;
  double tie = 1e-12;  ///< times that differ by no more than this, relative to the lesser, are equal
  /// Changes between algorithms are found with this relative resolution; the error is on the side where the algorithm
  /// of the lower range may no longer be the best. 0: to the byte.
  double resolution = 0;
  double tolerance = 0;  ///< of the lesser time: an algorithm keeps its range until another is faster by more
};

/// A range of sizes with both ends, and the number of its algorithm. Of equally fast algorithms the one with the lowest
/// number is taken.
struct BestRange {
  Bytes from, to;
  std::size_t algorithm = 0;
  /// For the cut-off at the lower end: how often the two algorithms cross within the tolerance, and the checked sizes
  /// between which they do. 0 for the first range, 1 for a single crossing.
  int crossings = 0;
  Bytes cross_from{0}, cross_to{0};
  bool operator==(BestRange const& other) const {
    return from == other.from && to == other.to && algorithm == other.algorithm;
  }
};

using TimeOf = std::function<Seconds(std::size_t algorithm, Bytes size)>;
/// Receives the sizes at which all algorithms are timed next, so that they can be simulated together.
using TimesDue = std::function<void(std::vector<Bytes> const& sizes)>;

/// Whether a time is no longer than another, except for a tie.
bool as_fast(Seconds time, Seconds other, double tie);

/// The sizes of the grid, ascending and each once, with `from` and `to`.
std::vector<Bytes> grid(SizeSearch const& search);

/// The ranges in ascending order. They cover all sizes from `from` to `to`.
std::vector<BestRange> best_ranges(SizeSearch const& search, std::size_t algorithms, TimeOf const& time,
                                   TimesDue const& due = {});

}  // namespace rondo
