#pragma once

// Shortest distances and short trees over the links of a network, for any lengths of links that are not negative.
// A tree stands for a block that several ranks want, or a vector to which several ranks contribute. Whatever a
// schedule does, the links that carry a byte of it hold a tree.

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "optimum/demand.hpp"
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

/// Bytes that come from one of `roots` to each of `ends`; if it is turned, from each of `ends` to one of `roots`.
struct Tree {
  bool turned = false;
  std::vector<int> roots, ends;  ///< in ascending order; no rank is in both
  std::int64_t bytes = 0;
};

/// A tree for each item, those with the same ranks together. Of a reduction it is one with the most ends: from all who
/// contribute to one who is owed the result, or from one who contributes to all whose results need it.
std::vector<Tree> trees_of(Demand const& demand);

/// The ways that the bytes of trees take from their roots, by whether they are turned.
class TreeWays {
 public:
  explicit TreeWays(Network const& network) : ways_(network), turned_(network, true) {}
  Adjacency const& of(Tree const& tree) const { return tree.turned ? turned_ : ways_; }

 private:
  Adjacency ways_, turned_;
};

/// How long trees are that bytes take.
struct TreeLength {
  /// No tree is shorter, if a link counts in the direction of the bytes alone: the distance of the farthest end, or a
  /// sum of cuts that all trees cross, as long together on each link as it is (dual ascent [Wong84]).
  std::int64_t at_least = 0;
  /// The links of a tree that is short, if not the shortest one.
  std::vector<std::size_t> links = {};
};
/// Whether the links of a tree are listed.
enum class TreeLinks : std::uint8_t { wanted, left_out };
/// Unset where there is no tree.
std::optional<TreeLength> length_of(Adjacency const& ways, Tree const& tree, Lengths const& lengths,
                                    TreeLinks links = TreeLinks::wanted);

}  // namespace rondo::optimum
