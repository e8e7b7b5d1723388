// Collectives with a root that join nothing: in a broadcast all ranks get the vector of the root; in a gather the
// root gets the block of every rank; in a scatter every rank gets its block from the root.

#include <algorithm>

#include "base/ids.hpp"
#include "generate/classical.hpp"
#include "generate/classical_patterns.hpp"
#include "generate/classical_writer.hpp"

namespace rondo::generate::classical {
namespace {

using problem::Classical;

/// Sends the whole vector down in the rounds of the tree.
void whole_down(Writer& writer, Tree const& tree, Relative const& rank) {
  for (int t = 1; t <= tree.rounds(); ++t) {
    writer.begin_round();
    for (int v = 0; v < tree.nodes(); ++v) {
      for (int const child : tree.children[at(v)]) {
        if (tree.round[at(child)] == t) writer.message(rank(v), rank(child), 0);
      }
    }
  }
}

/// Calls send(node, child, part) for each message of a pipeline: a node of depth d sends part t - 1 - d to all its
/// children in round t.
template <typename Send>
void pipeline_rounds(Writer& writer, Tree const& tree, int parts, Send const& send) {
  for (int t = 1; t < tree.height() + parts; ++t) {
    writer.begin_round();
    for (int v = 0; v < tree.nodes(); ++v) {
      int const part = t - 1 - tree.depth[at(v)];
      if (part < 0 || part >= parts) continue;
      for (int const child : tree.children[at(v)]) send(v, child, at(part));
    }
  }
}

void segments_down(Writer& writer, Tree const& tree, Relative const& rank, Cut const& cut) {
  pipeline_rounds(writer, tree, static_cast<int>(cut.parts.size()),
                  [&](int v, int child, std::size_t part) { writer.message(rank(v), rank(child), cut.parts[part]); });
}

/// Sends the first half of the parts to odd nodes, which are below the first child of the root, and the second half to
/// even nodes, below the second child. Then pairs of an odd and an even node exchange their halves.
void halves_down(Writer& writer, Tree const& tree, Relative const& rank, Cut const& cut) {
  std::size_t const parts = cut.parts.size() / 2;
  pipeline_rounds(writer, tree, static_cast<int>(parts), [&](int v, int child, std::size_t part) {
    writer.message(rank(v), rank(child), cut.parts[part + (child % 2 == 0 ? parts : 0)]);
  });
  int const p = tree.nodes();
  if (p == 1) return;
  Pieces halves[2];
  for (std::size_t k = 0; k < cut.parts.size(); ++k) {
    halves[k / parts].insert(halves[k / parts].end(), cut.parts[k].begin(), cut.parts[k].end());
  }
  writer.begin_round();
  for (int v = 1; v + 1 < p; v += 2) {
    writer.message(rank(v), rank(v + 1), halves[0]);
    writer.message(rank(v + 1), rank(v), halves[1]);
  }
  if (p % 2 == 0) writer.message(rank(0), rank(p - 1), halves[1]);
}

/// Sends each node the parts of its subtree.
void scatter_parts(Writer& writer, Tree const& tree, Relative const& rank, Cut const& cut) {
  auto const below = subtrees(tree);
  for (int t = 1; t <= tree.rounds(); ++t) {
    writer.begin_round();
    for (int child = 1; child < tree.nodes(); ++child) {
      if (tree.round[at(child)] != t) continue;
      Pieces pieces;
      for (int const v : below[at(child)])
        pieces.insert(pieces.end(), cut.parts[at(v)].begin(), cut.parts[at(v)].end());
      writer.message(rank(tree.parent[at(child)]), rank(child), pieces);
    }
  }
}

/// Runs the Bine butterfly in reverse after the scatter. A node that got its parts in round t of the scatter already
/// has all parts of later rounds, so they are not sent to it again.
void bine_allgather(Writer& writer, Tree const& tree, Relative const& rank, Cut const& cut) {
  int const rounds = tree.rounds();
  int const p = tree.nodes();
  Butterfly const butterfly{rounds, [p](int v, int s) { return bine_partner(v, s, p); }, rank};
  for (int s = rounds - 1; s >= 0; --s) {
    writer.begin_round();
    for (int v = 0; v < p; ++v) {
      int const to = butterfly.partner(v, s);
      if (to == 0 || s >= tree.round[at(to)]) continue;
      Pieces pieces;
      for (int const node : reached(butterfly, v, s + 1)) {
        pieces.insert(pieces.end(), cut.parts[at(node)].begin(), cut.parts[at(node)].end());
      }
      writer.message(rank(v), rank(to), pieces);
    }
  }
}

/// The whole vector goes down the tree if there is one part, and children are served in turn. `ports_in_turn` holds
/// then, and `ports` otherwise.
Schedule down(Classical const& problem, Tree const& tree, int ports_in_turn = 0, int ports = 0) {
  Cut const cut = cut_of(problem);
  bool const in_turn = cut.parts.size() == 1 && problem.children == problem::Children::in_turn;
  return written(problem, cut, in_turn ? ports_in_turn : ports, [&](Writer& writer) {
    Relative const rank(problem.ranks, problem.root);
    in_turn ? whole_down(writer, tree, rank) : segments_down(writer, tree, rank, cut);
  });
}

/// Scatters the parts down the tree, and then does `gather(writer, rank, cut)`.
template <typename Gather>
Schedule in_parts(Classical const& problem, Tree const& tree, Gather const& gather) {
  Cut const cut = cut_of(problem);
  return written(problem, cut, 1, [&](Writer& writer) {
    Relative const rank(problem.ranks, problem.root);
    scatter_parts(writer, tree, rank, cut);
    gather(writer, rank, cut);
  });
}

}  // namespace

Schedule bcast_linear(Classical const& problem) { return down(problem, linear_tree(problem.ranks)); }
Schedule bcast_chain(Classical const& problem) { return down(problem, chain_tree(problem.ranks, radix_of(problem))); }
Schedule bcast_pipeline(Classical const& problem) { return down(problem, chain_tree(problem.ranks, 1), 1, 1); }
Schedule bcast_binary(Classical const& problem) { return down(problem, binary_tree(problem.ranks)); }
Schedule bcast_binomial(Classical const& problem) {
  return down(problem, binomial_tree(problem.ranks, problem.distances), 1);
}
Schedule bcast_knomial(Classical const& problem) {
  return down(problem, knomial_tree(problem.ranks, radix_of(problem)));
}
Schedule bcast_bine(Classical const& problem) { return down(problem, bine_tree(problem.ranks, problem.distances), 1); }

/// Each half of the vector goes down one half of a binary tree; then ranks of the two halves exchange what they lack.
Schedule bcast_split_binary(Classical const& problem) {
  Cut const cut = cut_of(problem);
  return written(problem, cut, 0, [&](Writer& writer) {
    halves_down(writer, binary_tree(problem.ranks), {problem.ranks, problem.root}, cut);
  });
}

Schedule bcast_scatter_allgather(Classical const& problem) {
  return in_parts(
      problem, binomial_tree(problem.ranks, problem::Distances::falling),
      [](Writer& writer, Relative const& rank, Cut const& cut) { recursive_doubling(writer, rank, cut.parts); });
}
Schedule bcast_scatter_ring_allgather(Classical const& problem) {
  return in_parts(problem, binomial_tree(problem.ranks, problem::Distances::falling),
                  [](Writer& writer, Relative const& rank, Cut const& cut) { ring(writer, rank, cut.parts); });
}
/// A scatter down a bine tree and an allgather along the same tree.
Schedule bcast_bine_scatter_allgather(Classical const& problem) {
  Tree const tree = bine_tree(problem.ranks, problem::Distances::rising);
  return in_parts(problem, tree, [&](Writer& writer, Relative const& rank, Cut const& cut) {
    bine_allgather(writer, tree, rank, cut);
  });
}

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
