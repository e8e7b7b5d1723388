#pragma once

// A Promise is a collective without the algorithm that keeps it. Schedules from elsewhere are checked against it. A
// Custom problem is such a schedule, which Rondo did not generate, in rounds or as tasks, together with its promise.

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "problem/classical.hpp"
#include "problem/graph_collectives.hpp"
#include "problem/intergroup.hpp"
#include "problem/isomorphic.hpp"
#include "topology/stated_promise.hpp"

namespace rondo::problem {

/// A collective by its name, whose algorithm is not read, or a promise that is written out.
/// `generate::collective_of` (generate/generate.hpp) states it slot by slot.
struct Promise {
  std::variant<Isomorphic, Intergroup, Neighbor, SparseOnGraph, Classical, StatedPromise> of;
  /// Into how many pieces each block is cut: one number for all blocks, or one for each rank (in an inter-group
  /// allgather for each sender). Empty: every block is whole.
  std::vector<int> pieces = {};
  Bytes block{0};  ///< m, of a block that is not cut
};

/// The number of ranks, p.
int ranks(Promise const& promise);
/// The name of the collective; "stated" for a promise that is written out.
std::string name(Promise const& promise);
/// Whether the promised collective is timed as benchmarks do it (Classical::benchmark); false for all other kinds. If
/// so, Rondo's own algorithms for it are timed in the same way.
bool is_benchmark(Promise const& promise);
/// The bytes of a block before it is cut; `block` if the promise is written out. Sizes must be numbers and graphs must
/// have been made.
Bytes bytes(Promise const& promise, Content const& whole);

/// Stands in the place of a file's path if the schedule is already in memory, as when the Python module hands it over.
inline constexpr char const* schedule_in_memory = "(schedule)";

/// The algorithms of the collectives in a trace, as far as the scenario chooses them.
using CollectiveAlgorithms = std::map<ClassicalCollective, ClassicalAlgorithm>;

/// A schedule in a file (run/formats). The file is read when the problem is made ready to run.
struct Custom {
  std::string schedule;            ///< the path of the file
  std::string name;                ///< what stands in the place of an algorithm
  std::optional<Promise> promise;  ///< unset: a file of tasks that stands for itself, whose ranks are stated
  int ranks = 1;
  std::optional<Bytes> block = {};  ///< m; unset: the file says how large its messages are
  CollectiveAlgorithms collectives = {};
};

inline Kind kind_of(Custom const& /*problem*/) { return Kind::custom; }

}  // namespace rondo::problem
