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

/// The length of each link of a network. None is negative.
using Lengths = std::vector<std::int64_t>;

/// The distance of a vertex that no source reaches.
inline constexpr std::int64_t out_of_reach = std::numeric_limits<std::int64_t>::max();

/// The links at each vertex, in their direction or all turned round.
class Adjacency {
 public:
  /// If `turned`, each link leads from its end to its start.
  explicit Adjacency(Network const& network, bool turned = false);

  /// A link, seen from the vertex at one of its ends.
  struct Step {
    int vertex = 0;        ///< at the other end of the link
    std::size_t link = 0;  ///< its index in Network::links
  };
  /// The links that leave a vertex, and those that lead to it.
  std::span<Step const> from(int vertex) const { return from_[static_cast<std::size_t>(vertex)]; }
  std::span<Step const> into(int vertex) const { return into_[static_cast<std::size_t>(vertex)]; }
  /// The vertex that a link leaves.
  int tail(std::size_t link) const { return tails_[link]; }
  std::size_t vertices() const { return from_.size(); }

 private:
  std::vector<std::vector<Step>> from_, into_;
  std::vector<int> tails_;  ///< by link
};

/// Shortest distances from one or more sources. clear() must be called first, then add_source() for each source, then
/// measure(). Sources may be added later, and measured with the same lengths.
class Distances {
 public:
  explicit Distances(Adjacency const& ways) : ways_(ways) {}

  /// Removes all sources: every vertex is out of reach.
  void clear();
  /// Makes a vertex a source. Distances change only when they are measured.
  void add_source(int vertex);
  /// Computes the distances from all sources.
  void measure(Lengths const& lengths);

  std::vector<std::int64_t> distance;  ///< by vertex; out_of_reach if no source reaches it
  std::vector<std::int64_t> by;        ///< by vertex: the last link of the way to it; -1: none
  /// The vertices whose distances the last measure() found or shortened, the nearest first.
  std::vector<int> order;

 private:
  using Entry = std::pair<std::int64_t, int>;  ///< a distance and a vertex
  Adjacency const& ways_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
};

}  // namespace rondo::optimum
