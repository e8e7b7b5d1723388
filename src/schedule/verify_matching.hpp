#pragma once

// The partners of transfers, fast: the matching of messages asks for one for every message.

#include <optional>
#include <vector>

#include "schedule/verify_parts.hpp"

namespace rondo::verification {

/// Computes Subject::partner for many transfers of one rank after another. It adds offsets to coordinates without a
/// division.
class Partners {
 public:
  explicit Partners(Subject const& subject);
  std::optional<Rank> of(Rank rank, Transfer const& transfer);

 private:
  Subject const& subject_;
  bool relative_;  ///< partners are at offsets of a torus that has them
  std::vector<int> extents_;
  std::vector<int> offsets_;  ///< the schedule's offsets, wrapped into the extents
  Rank rank_{-1};
  std::vector<int> coordinates_;  ///< the coordinates of rank_
};

}  // namespace rondo::verification
