#pragma once

// Blocks that several ranks want, and vectors to which several ranks contribute. Whatever a schedule does, the links
// that carry a byte of them hold a tree.

#include <cstdint>
#include <optional>
#include <vector>

#include "optimum/demand.hpp"
#include "optimum/distances.hpp"

namespace rondo::optimum {

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
