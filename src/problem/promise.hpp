#pragma once

// A promise by itself, apart from the algorithm that keeps it: what schedules from elsewhere are held against.

#include <variant>
#include <vector>

#include "problem/classical.hpp"
#include "problem/graph_collectives.hpp"
#include "problem/intergroup.hpp"
#include "problem/isomorphic.hpp"
#include "topology/stated_promise.hpp"

namespace rondo::problem {

/// A collective by its name, of which the algorithm does not count, or a promise written out. `generate::promise`
/// (generate/promised.hpp) says what it is slot by slot.
struct Promise {
  std::variant<Isomorphic, Intergroup, Neighbor, SparseOnGraph, Classical, StatedPromise> of;
  /// In how many pieces each block is cut: one number for all, or one for each rank (of an inter-group allgather for
  /// each sender). Empty: every block is whole.
  std::vector<int> pieces = {};
  Bytes block{0};  ///< m, of a block that is not cut
};

/// p
int ranks(Promise const& promise);
/// The word of the collective, "stated" for a promise written out.
std::string name(Promise const& promise);
/// Whether the promised collective is timed as benchmarks do, as its built-in algorithms are then.
bool is_benchmark(Promise const& promise);
/// The bytes of a block before it is cut, where sizes are no expressions any more and graphs are made.
Bytes bytes(Promise const& promise, Content const& whole);

}  // namespace rondo::problem
