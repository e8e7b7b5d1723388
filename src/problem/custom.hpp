#pragma once

// A schedule that Rondo did not generate, in rounds or as tasks, together with its promise.

#include <map>
#include <optional>
#include <string>

#include "problem/promise.hpp"

namespace rondo::problem {

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
