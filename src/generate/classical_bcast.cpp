// Broadcast: all ranks get the vector of the root.

#include <algorithm>

#include "base/error.hpp"
#include "base/index.hpp"
#include "generate/classical.hpp"
#include "generate/classical_butterflies.hpp"
#include "generate/classical_circulant.hpp"
#include "generate/classical_double_tree.hpp"
#include "generate/classical_exchanges.hpp"
#include "generate/classical_trees.hpp"
#include "generate/classical_writer.hpp"

namespace rondo::generate::classical {
namespace {

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

}  // namespace

Schedule bcast(problem::Classical const& problem) {
  using enum problem::ClassicalAlgorithm;
  Cut const cut = cut_of(problem);
  Writer writer(problem, cut);
  Relative const rank(problem.ranks, problem.root);
  int ports = 0;
  if (problem.algorithm == circulant) {
    circulant_bcast(writer, rank, cut);
    return std::move(writer).finish(1);
  }
  Tree const tree = tree_of(problem);
  switch (problem.algorithm) {
    case split_binary:
      halves_down(writer, tree, rank, cut);
      break;
    case scatter_allgather:
    case scatter_ring_allgather:
      scatter_parts(writer, tree, rank, cut);
      problem.algorithm == scatter_allgather ? classical::recursive_doubling(writer, rank, cut.parts)
                                             : classical::ring(writer, rank, cut.parts);
      ports = 1;
      break;
    case bine_scatter_allgather:
      scatter_parts(writer, tree, rank, cut);
      bine_allgather(writer, tree, rank, cut);
      ports = 1;
      break;
    case double_tree:
      double_tree_bcast(writer, rank, cut);
      break;
    default:
      bool const in_turn = cut.parts.size() == 1 && problem.children == problem::Children::in_turn;
      if (in_turn) {
        whole_down(writer, tree, rank);
      } else {
        segments_down(writer, tree, rank, cut);
      }
      if (problem.algorithm == pipeline) ports = 1;
      if (in_turn && (problem.algorithm == binomial || problem.algorithm == bine)) ports = 1;
  }
  return std::move(writer).finish(ports);
}

}  // namespace rondo::generate::classical
