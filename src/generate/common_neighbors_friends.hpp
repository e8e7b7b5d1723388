#pragma once

// The friends of each rank, for common_neighbors.cpp alone. Finding them takes most of the time of the algorithm.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "topology/process_graph.hpp"

namespace rondo::generate {

/// The edges to distinct neighbors that are still to be combined, as ascending lists of targets and sources of each
/// rank.
class ActiveEdges {
 public:
  using RankList = std::vector<std::int32_t>;

  explicit ActiveEdges(ProcessGraph const& graph);

  int ranks() const { return static_cast<int>(targets_.size()); }
  RankList const& targets(std::int32_t rank) const { return targets_[static_cast<std::size_t>(rank)]; }
  RankList const& sources(std::int32_t rank) const { return sources_[static_cast<std::size_t>(rank)]; }
  /// The targets that two ranks have in common, in ascending order.
  RankList common_targets(std::int32_t a, std::int32_t b) const;
  std::int64_t count() const;

  /// Removes the edges from each rank to the ranks in removed[rank], which are in ascending order.
  void remove(std::vector<RankList> const& removed);

  /// The number of 64-bit words in a row of the bit matrix; 0 without a matrix, which would be larger than the lists.
  std::size_t words() const { return words_; }
  /// The targets of a rank as bits, in words() words.
  std::uint64_t const* bits(std::int32_t rank) const { return &bits_[static_cast<std::size_t>(rank) * words_]; }

 private:
  std::vector<RankList> targets_, sources_;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> bits_;
};

/// Another rank with at least theta common neighbors, and their number.
struct Friend {
  std::uint32_t common = 0;
  std::int32_t rank = 0;
};

/// The friends of each rank, sorted by rank. They are kept up to date while edges are removed, which only lowers the
/// numbers of common neighbors.
class FriendTable {
 public:
  FriendTable(ActiveEdges const& active, int theta);

  int ranks() const { return static_cast<int>(friends_.size()); }
  std::span<Friend const> of(std::int32_t rank) const { return friends_[static_cast<std::size_t>(rank)]; }
  /// The number of friendships, each counted at both ranks.
  std::int64_t count() const;

  /// Must be called after each `active.remove(removed)`.
  void update(ActiveEdges const& active, std::vector<ActiveEdges::RankList> const& removed);

 private:
  class Tally;
  void recount(ActiveEdges const& active, std::int32_t rank);
  void drop_below_theta(std::int32_t rank);

  std::uint32_t theta_;
  std::vector<std::vector<Friend>> friends_;
};

}  // namespace rondo::generate
