// In a reduce the root gets the reduction of the vectors of all ranks. In a scan rank r gets the reduction of the
// vectors of ranks 0 to r. In an exscan its own vector is left out.

#include <algorithm>
#include <cstdlib>

#include "base/ids.hpp"
#include "generate/classical.hpp"
#include "generate/classical_patterns.hpp"
#include "generate/classical_reducer.hpp"

namespace rondo::generate::classical {
namespace {

using problem::Classical;

/// On which side the contributions of a child are joined, so that the order of ranks is kept.
Join side(int child, int node) { return child > node ? Join::after : Join::before; }

/// Grows a tree in which node v is rank v. The ranks first .. top-1 are below `top`, in two halves. The upper half is
/// below top - 1. The lower half, which may be larger by one, is below its own last rank [OMPI, in-order binary tree].
void grow_in_order(Tree& tree, int first, int top) {
  int const lower = (top - first + 1) / 2;
  auto const attach = [&](int child, int from) {
    tree.parent[at(child)] = top;
    tree.children[at(top)].push_back(child);
    tree.depth[at(child)] = tree.round[at(child)] = tree.depth[at(top)] + 1;
    grow_in_order(tree, from, child);
  };
  if (top > first + lower) attach(top - 1, first + lower);
  if (lower > 0) attach(first + lower - 1, first);
}

/// A tree in which every subtree is a run of consecutive ranks, so that contributions are joined in the order of ranks.
Tree tree_in_order(int ranks) {
  Tree tree{std::vector(at(ranks), -1), std::vector<std::vector<int>>(at(ranks)), std::vector(at(ranks), 0),
            std::vector(at(ranks), 0)};
  grow_in_order(tree, 0, ranks - 1);
  return tree;
}

/// Sends whole vectors up the tree, in the reverse order of its rounds.
void whole_up(Reducer& reducer, Tree const& tree, Relative const& rank, Pieces const& all) {
  for (int t = tree.rounds(); t >= 1; --t) {
    reducer.begin_round();
    for (int v = 0; v < tree.nodes(); ++v) {
      for (int const child : tree.children[at(v)]) {
        if (tree.round[at(child)] == t) reducer.message(rank(child), rank(v), all, side(child, v));
      }
    }
  }
}

/// Segment s leaves a node of depth d in round height - d + 1 + s.
void segments_up(Reducer& reducer, Tree const& tree, Relative const& rank, Cut const& cut) {
  int const parts = static_cast<int>(cut.parts.size());
  std::vector<std::vector<int>> nearest_first = tree.children;  // so that runs of ranks meet their neighbors
  for (int v = 0; v < tree.nodes(); ++v) {
    std::sort(nearest_first[at(v)].begin(), nearest_first[at(v)].end(),
              [&](int a, int b) { return std::abs(a - v) < std::abs(b - v); });
  }
  for (int t = 1; t < tree.height() + parts; ++t) {
    reducer.begin_round();
    for (int v = 0; v < tree.nodes(); ++v) {
      for (int const child : nearest_first[at(v)]) {
        int const part = t - 1 - (tree.height() - tree.depth[at(child)]);
        if (part < 0 || part >= parts) continue;
        reducer.message(rank(child), rank(v), cut.parts[at(part)], side(child, v));
      }
    }
  }
}

/// Halves the vectors at distances 1, 2, 4, ... among the ranks that remain after folding. Then the root gathers the
/// result [Rabenseifner04].
void halves_and_gather(Reducer& reducer, Classical const& problem, Cut const& cut) {
  Folded folded(problem.ranks, Folded::Node::even);
  Pieces const all = cut.all();
  if (folded.removed() > 0) {
    reducer.begin_round();
    for (int i = 0; i < folded.removed(); ++i) reducer.message(2 * i + 1, 2 * i, all, Join::after);
  }
  int const q = folded.nodes();
  for (int mask = 1; mask < q; mask *= 2) {
    reducer.begin_round();
    for (int v = 0; v < q; ++v) {
      int const partner = v ^ mask;
      reducer.message(folded.rank(v), folded.rank(partner), halved(cut, q, partner, 2 * mask), side(v, partner));
    }
  }
  // If the root was folded onto a neighbor, it takes the place of node 0.
  bool const was_folded = problem.root < 2 * folded.removed() && problem.root % 2 != 0;
  int const top = was_folded ? 0 : folded.node(problem.root);
  if (was_folded) {
    reducer.begin_round();
    reducer.message(folded.rank(0), problem.root, halved(cut, q, 0, q), Join::none);
    folded.replace(0, problem.root);
  }
  for (int mask = q / 2; mask >= 1; mask /= 2) {
    reducer.begin_round();
    for (int v = 0; v < q; ++v) {
      bool const sends = v / (2 * mask) == top / (2 * mask) && (v & mask) != (top & mask);
      if (sends) reducer.message(folded.rank(v), folded.rank(v ^ mask), halved(cut, q, v, 2 * mask), Join::none);
    }
  }
}

/// Up a tree whose node 0 is the rank `first`, whole if there is one part and children are served in turn;
/// `ports_in_turn` holds then, and `ports` otherwise. `top`, at which the tree ends, sends the result to the root.
Schedule up(Classical const& problem, Tree const& tree, int first, int top, int ports_in_turn, int ports) {
  Cut const cut = cut_of(problem);
  Relative const rank(problem.ranks, first);
  bool const in_turn = cut.parts.size() == 1 && problem.children == problem::Children::in_turn;
  return reduced(problem, cut.sizes, in_turn ? ports_in_turn : ports, [&](Reducer& reducer) {
    in_turn ? whole_up(reducer, tree, rank, cut.all()) : segments_up(reducer, tree, rank, cut);
    if (top == problem.root) return;
    reducer.begin_round();
    reducer.message(top, problem.root, cut.all(), Join::none);
  });
}

/// Up to the root. If the order of contributions matters, up to rank 0, from which the tree is in rank order.
Schedule up(Classical const& problem, Tree const& tree, int ports_in_turn = 0, int ports = 0) {
  int const top = problem.commutative ? problem.root : 0;
  return up(problem, tree, top, top, ports_in_turn, ports);
}

}  // namespace

Schedule reduce_chain(Classical const& problem) { return up(problem, chain_tree(problem.ranks, radix_of(problem))); }
Schedule reduce_pipeline(Classical const& problem) { return up(problem, chain_tree(problem.ranks, 1), 1, 1); }
Schedule reduce_binary(Classical const& problem) { return up(problem, binary_tree(problem.ranks)); }
Schedule reduce_binomial(Classical const& problem) {
  return up(problem, binomial_tree(problem.ranks, problem.distances), 1);
}
Schedule reduce_knomial(Classical const& problem) {
  return up(problem, knomial_tree(problem.ranks, radix_of(problem)));
}
Schedule reduce_bine(Classical const& problem) { return up(problem, bine_tree(problem.ranks, problem.distances), 1); }
Schedule reduce_in_order_binary(Classical const& problem) {
  return up(problem, tree_in_order(problem.ranks), 0, problem.ranks - 1, 0, 0);
}

/// All ranks send to the root at once. The messages are joined from its neighbors outwards.
Schedule reduce_linear(Classical const& problem) {
  Cut const cut = cut_of(problem);
  return reduced(problem, cut.sizes, 0, [&](Reducer& reducer) {
    if (problem.ranks > 1) reducer.begin_round();
    for (int r = problem.root + 1; r < problem.ranks; ++r) reducer.message(r, problem.root, cut.all(), Join::after);
    for (int r = problem.root - 1; r >= 0; --r) reducer.message(r, problem.root, cut.all(), Join::before);
  });
}

Schedule reduce_rabenseifner(Classical const& problem) {
  Cut const cut = cut_of(problem);
  return reduced(problem, cut.sizes, 1, [&](Reducer& reducer) { halves_and_gather(reducer, problem, cut); });
}

namespace {

constexpr Place own_block = send_slot(0);
constexpr Place result = receive_slot(0);
/// The reduction of the rank's own block and of all blocks that have arrived, if this is not the result.
constexpr Place partial = intermediate_slot(0);
/// A block that has arrived, if it is joined with two places.
constexpr Place arrived = intermediate_slot(1);

/// A program with a send slot and, if the rank is owed a result, a receive slot; rank 0 of an exscan is owed nothing.
ProgramBuilder with_slots(problem::Classical const& problem, int rank, std::uint32_t intermediate) {
  bool const owed = problem.collective == ClassicalCollective::scan || rank > 0;
  Layout layout{problem.sizes.block, {}};
  layout[Buffer::send].slots = 1;
  layout[Buffer::receive].slots = owed ? 1 : 0;
  layout[Buffer::intermediate].slots = intermediate;
  return ProgramBuilder(std::move(layout));
}

/// The chain: in round r + 1 rank r sends to the next rank.
ProgramBuilder chain_program(problem::Classical const& problem, int rank) {
  bool const inclusive = problem.collective == ClassicalCollective::scan;
  bool const last = rank + 1 == problem.ranks;
  bool const passes_on_more = !inclusive && rank > 0 && !last;
  ProgramBuilder builder = with_slots(problem, rank, passes_on_more ? 1 : 0);
  if (inclusive) builder.copy(own_block, result);
  for (int round = 1; round <= rank; ++round) builder.begin_round();
  if (rank > 0) builder.receive(rank - 1, {&result, 1}, inclusive ? Join::before : Join::none);
  if (passes_on_more) {
    builder.copy(own_block, partial);
    builder.copy(result, partial, Join::before);
  }
  if (last) return builder;
  builder.begin_round();
  Place const from = inclusive ? result : passes_on_more ? partial : own_block;
  builder.send(rank + 1, {&from, 1});
  return builder;
}

/// Recursive doubling: at distance 1, 2, 4, ... two ranks exchange the reduction over their runs of that length.
ProgramBuilder doubling_program(problem::Classical const& problem, int rank) {
  bool const inclusive = problem.collective == ClassicalCollective::scan;
  ProgramBuilder builder = with_slots(problem, rank, 2);
  builder.copy(own_block, partial);
  if (inclusive) builder.copy(own_block, result);
  bool begun = inclusive;
  for (int mask = 1; mask < problem.ranks; mask *= 2) {
    builder.begin_round();
    int const partner = rank ^ mask;
    if (partner >= problem.ranks) continue;
    builder.send(partner, {&partial, 1});
    if (partner > rank) {
      builder.receive(partner, {&partial, 1}, Join::after);
      continue;
    }
    builder.receive(partner, {&arrived, 1});
    builder.copy(arrived, result, begun ? Join::before : Join::none);
    builder.copy(arrived, partial, Join::before);
    begun = true;
  }
  return builder;
}

/// The schedule of programs that are written rank by rank.
template <typename ProgramOf>
Schedule of_programs(problem::Classical const& problem, ProgramOf const& program_of) {
  Schedule schedule;
  schedule.ranks = problem.ranks;
  schedule.promises = {1, Links::any};
  for (int rank = 0; rank < problem.ranks; ++rank) {
    schedule.programs.push_back(program_of(problem, rank).finish());
    schedule.program_of.push_back(static_cast<std::uint32_t>(rank));
  }
  return schedule;
}

}  // namespace

Schedule scan_linear(problem::Classical const& problem) { return of_programs(problem, chain_program); }
Schedule scan_recursive_doubling(problem::Classical const& problem) { return of_programs(problem, doubling_program); }

}  // namespace rondo::generate::classical
