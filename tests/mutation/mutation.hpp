#pragma once

// Included before every file of a scratch copy that mutation.sh makes: which of the planted faults is alive.

#include <cstdlib>

namespace rondo {

inline bool mutated(int number) {
  static int const alive = [] {
    char const* const text = std::getenv("RONDO_MUTATION");
    return text == nullptr ? 0 : std::atoi(text);
  }();
  return alive == number;
}

}  // namespace rondo
