// Gather, in which the root gets the block of every rank, and scatter, in which every rank gets its block from the
// root.

#include <algorithm>

#include "base/index.hpp"
#include "generate/classical.hpp"
#include "generate/classical_exchanges.hpp"
#include "generate/classical_trees.hpp"
#include "generate/classical_writer.hpp"

namespace rondo::generate::classical {
namespace {

enum class Direction : std::uint8_t { up, down };

/// The largest number of messages that a node sends down in one round.
int most_at_once(Tree const& tree) {
  int most = 0;
  for (auto const& children : tree.children) {
    for (int const child : children) {
      auto const same = [&](int other) { return tree.round[at(other)] == tree.round[at(child)]; };
      most = std::max(most, static_cast<int>(std::count_if(children.begin(), children.end(), same)));
    }
  }
  return most;
}

/// Sends the blocks of each subtree between its node and the parent: down in the rounds of the tree, or up in the
/// reverse order.
Schedule along(Tree tree, problem::Classical const& problem, Direction direction) {
  if (problem.children == problem::Children::at_once) tree.round = tree.depth;
  Writer writer(problem, {});
  Relative const rank(problem.ranks, problem.root);
  auto const below = subtrees(tree);
  int const rounds = tree.rounds();
  for (int t = 1; t <= rounds; ++t) {
    writer.begin_round();
    int const level = direction == Direction::down ? t : rounds + 1 - t;
    for (int v = 0; v < tree.nodes(); ++v) {
      for (int const child : tree.children[at(v)]) {
        if (tree.round[at(child)] != level) continue;
        Pieces pieces;
        for (int const node : below[at(child)]) pieces.push_back(piece_of(rank(node)));
        direction == Direction::down ? writer.message(rank(v), rank(child), pieces)
                                     : writer.message(rank(child), rank(v), pieces);
      }
    }
  }
  return std::move(writer).finish(most_at_once(tree) <= 1 ? 1 : 0);
}

/// The root sends each rank an empty message, and the rank answers with its block.
Schedule one_by_one(problem::Classical const& problem) {
  Writer writer(problem, {});
  Relative const rank(problem.ranks, problem.root);
  for (int v = 1; v < problem.ranks; ++v) {
    writer.begin_round();
    writer.message(problem.root, rank(v), Pieces());
    writer.begin_round();
    writer.message(rank(v), problem.root, piece_of(rank(v)));
  }
  return std::move(writer).finish(1);
}

}  // namespace

Schedule gather(problem::Classical const& problem) {
  if (problem.algorithm == problem::ClassicalAlgorithm::linear_sync) return one_by_one(problem);
  return along(tree_of(problem), problem, Direction::up);
}

Schedule scatter(problem::Classical const& problem) { return along(tree_of(problem), problem, Direction::down); }

}  // namespace rondo::generate::classical
