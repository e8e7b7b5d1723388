#pragma once

// Estimates how many messages a classical collective will send, without its schedule: few messages are counted one
// by one, large numbers are extrapolated from smaller numbers of ranks.

#include <optional>

#include "problem/classical.hpp"

namespace rondo {

/// The estimate, over all ranks.
struct EstimatedCounts {
  double messages = 0;
  double pieces = 0;    ///< blocks in them, or pieces of a vector
  double compared = 0;  ///< theory::MessageCounts::compared
  bool counted = true;  ///< else from smaller numbers of ranks: close where they grow as powers of ranks
};

/// Unset for numbers of ranks that the algorithm does not accept, and if even few ranks send too many messages to
/// count.
std::optional<EstimatedCounts> estimate_counts(problem::Classical problem);

}  // namespace rondo
