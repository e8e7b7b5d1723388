#pragma once

// Shortest distances over the links of a network, for any lengths of links that are not negative.

#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "topology/network.hpp"

namespace rondo::optimum {

/// By link of a network; no negative ones.
using Lengths = std::vector<std::int64_t>;

/// The distance of a vertex that no source reaches.
inline constexpr std::int64_t out_of_reach = std::numeric_limits<std::int64_t>::max();

/// The links at each vertex, in their direction or all turned round.
class Adjacency {
 public:
  explicit Adjacency(Network const& network, bool turned = false);

  struct Step {
    int vertex = 0;  ///< at the other end of the link
    std::size_t link = 0;
  };
  std::span<Step const> from(int vertex) const { return from_[static_cast<std::size_t>(vertex)]; }
  std::span<Step const> into(int vertex) const { return into_[static_cast<std::size_t>(vertex)]; }
  int tail(std::size_t link) const { return tails_[link]; }
  std::size_t vertices() const { return from_.size(); }

 private:
  std::vector<std::vector<Step>> from_, into_;
  std::vector<int> tails_;  ///< by link
};

/// Shortest distances from one or more vertices, to which others may be added.
class Distances {
 public:
  explicit Distances(Adjacency const& ways) : ways_(ways) {}

  /// From no vertex.
  void clear();
  void add_source(int vertex);
  void measure(Lengths const& lengths);

  std::vector<std::int64_t> distance;
  std::vector<std::int64_t> by;  ///< the last link of the way to a vertex; -1: none
  std::vector<int> order;        ///< vertices, the nearest first; of one measuring

 private:
  using Entry = std::pair<std::int64_t, int>;
  Adjacency const& ways_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
};

}  // namespace rondo::optimum
