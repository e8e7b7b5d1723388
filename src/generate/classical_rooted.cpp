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

using problem::Classical;

/// Up the tree is a gather, down the tree a scatter.
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
Schedule along(Tree tree, Classical const& problem, Direction direction) {
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

Tree binomial_of(Classical const& problem) { return binomial_tree(problem.ranks, problem.distances); }
Tree knomial_of(Classical const& problem) { return knomial_tree(problem.ranks, radix_of(problem)); }
Tree bine_of(Classical const& problem) { return bine_tree(problem.ranks, problem.distances); }

}  // namespace

Schedule gather_linear(Classical const& problem) { return along(linear_tree(problem.ranks), problem, Direction::up); }
Schedule gather_binomial(Classical const& problem) { return along(binomial_of(problem), problem, Direction::up); }
Schedule gather_knomial(Classical const& problem) { return along(knomial_of(problem), problem, Direction::up); }
Schedule gather_bine(Classical const& problem) { return along(bine_of(problem), problem, Direction::up); }

Schedule scatter_linear(Classical const& problem) {
  return along(linear_tree(problem.ranks), problem, Direction::down);
}
Schedule scatter_linear_nb(Classical const& problem) {
  return along(linear_tree(problem.ranks, radix_of(problem)), problem, Direction::down);
}
Schedule scatter_binomial(Classical const& problem) { return along(binomial_of(problem), problem, Direction::down); }
Schedule scatter_knomial(Classical const& problem) { return along(knomial_of(problem), problem, Direction::down); }
Schedule scatter_bine(Classical const& problem) { return along(bine_of(problem), problem, Direction::down); }

/// The root sends each rank an empty message, and the rank answers with its block.
Schedule gather_linear_sync(Classical const& problem) {
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

}  // namespace rondo::generate::classical
