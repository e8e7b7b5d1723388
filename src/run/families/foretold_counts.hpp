#pragma once

// How many messages a classical collective will send, without its schedule: of few message by message, of many from
// smaller numbers of ranks.

#include <optional>

#include "problem/classical.hpp"

namespace rondo {

struct ForetoldCounts {
  double messages = 0;
  double pieces = 0;    ///< blocks in them, or pieces of a vector
  double compared = 0;  ///< theory::MessageCounts::compared
  bool counted = true;  ///< else from smaller numbers of ranks: close where they grow as powers of ranks
};

/// Unset for numbers of ranks that the algorithm does not know, and for more messages than are counted among few ranks.
std::optional<ForetoldCounts> foretold_counts(problem::Classical problem);

}  // namespace rondo
