#pragma once

// A schedule that Rondo did not generate, and what it promises.

#include <string>

#include "problem/promise.hpp"

namespace rondo::problem {

/// The schedule in a file (run/formats/schedule_json.hpp), read when it is made ready to run.
struct Custom {
  std::string schedule;  ///< the path of the file
  std::string name;      ///< what stands in the place of an algorithm
  Promise promise;
  int ranks = 1;
};

inline Kind kind_of(Custom const& /*problem*/) { return Kind::custom; }

}  // namespace rondo::problem
