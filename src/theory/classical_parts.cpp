// The formulas of trees: the parent of a node, and the round in which it gets its data, from its number alone.

#include "theory/classical_parts.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "base/ids.hpp"

namespace rondo::theory {
namespace {

using problem::Distances;

int bits_of(int n) { return std::bit_width(static_cast<unsigned>(n)); }
/// ceil(log2 p)
int levels(int p) { return bits_of(p - 1); }

}  // namespace

TreeShape straight(int at_once) {
  return [=](int v) { return Node{0, (v - 1) / at_once + 1}; };
}

/// n nodes in k chains, whose lengths differ by at most one.
TreeShape chains(int p, int k) {
  return [n = p - 1, k = std::min(k, p - 1)](int v) {
    int const longer = n % k;
    int const length = n / k;
    int const i = v - 1;
    int const within = i < longer * (length + 1) ? i % (length + 1) : (i - longer * (length + 1)) % length;
    return Node{within == 0 ? 0 : v - 1, within + 1};
  };
}

/// Level by level: the nodes of a level are divided among the parents in two halves.
TreeShape binary() {
  return [](int v) {
    int const level = bits_of(v + 1) - 1;
    int const half = 1 << (level - 1);
    int const parent = v - half < 2 * half - 1 ? v - half : v - 2 * half;
    return Node{parent, level};
  };
}

TreeShape binomial(int p, Distances distances) {
  if (distances == Distances::rising) return [](int v) { return Node{v - (1 << (bits_of(v) - 1)), bits_of(v)}; };
  return [=](int v) { return Node{v & (v - 1), levels(p) - std::countr_zero(static_cast<unsigned>(v))}; };
}

/// The parent lacks the lowest digit of the node that is not 0, in base radix.
TreeShape knomial(int p, int radix) {
  int digits = 0;
  for (std::int64_t width = 1; width < p; width *= radix) ++digits;
  return [=](int v) {
    std::int64_t low = 1;
    int position = 0;
    for (; v / low % radix == 0; ++position) low *= radix;
    return Node{static_cast<int>(v - v / low % radix * low), digits - position};
  };
}

/// Distances are numbers in base -2; the round follows from the highest digit that is not 0.
TreeShape bine(int p, Distances distances) {
  int const bits = levels(p);
  if (distances == Distances::rising) {
    return [=](int v) {
      int const round = std::bit_width(negabinary(v % 2 != 0 ? v : -v, bits));
      return Node{bine_partner(v, bits, round - 1), round};
    };
  }
  return [=](int v) {
    std::uint32_t const number = negabinary(v, bits);
    int const alike = std::min(bits, number % 2 != 0 ? std::countr_one(number) : std::countr_zero(number));
    return Node{bine_partner(v, bits, alike - 1), bits + 1 - alike};
  };
}

/// n parts of equal size, the last ones possibly shorter or empty.
Run Run::parts(std::int64_t units, int n) {
  Run run;
  std::int64_t const part = (units + n - 1) / n;
  for (int k = 1; k <= n; ++k) run.before_.push_back(std::min(units, checked_product(k, part)));
  return run;
}

/// The blocks of all ranks, beginning with that of rank `first`.
Run Run::blocks(problem::Classical const& problem, int first) {
  Run run;
  for (int k = 0; k < problem.ranks; ++k) {
    Bytes const size = problem.sizes.of(at((k + first) % problem.ranks));
    run.before_.push_back(checked_sum(run.all(), problem.sizes.differ() ? size.value : units_of(size)));
  }
  return run;
}

std::int64_t Run::of(std::int64_t first, std::int64_t last) const {
  auto const n = std::ssize(before_) - 1;
  auto const before = [&](std::int64_t k) { return checked_sum(checked_product(k / n, all()), before_[at(k % n)]); };
  return before(last) - before(first);
}

std::int64_t units_of(Bytes block) { return block == Bytes(0) ? 1 : block.value; }

/// Evaluates the formula for all nodes, and derives depths and turns.
Nodes nodes_of(int p, TreeShape const& shape, Below below) {
  Nodes nodes{std::vector<Node>(at(p))};
  nodes.of[0] = {-1, 0};
  for (int v = 1; v < p; ++v) nodes.of[at(v)] = shape(v);
  for (int v = 1; v < p; ++v) {
    Node& node = nodes.of[at(v)];
    for (int up = v; up != 0; up = nodes.of[at(up)].parent) {
      ++node.depth;
      if (below == Below::listed) nodes.of[at(up)].below.push_back(v);
    }
    node.turn = node.round;
    nodes.rounds = std::max(nodes.rounds, node.round);
    nodes.height = std::max(nodes.height, node.depth);
  }
  return nodes;
}

/// All nodes but the root, by the round in which they get their data.
std::vector<int> in_sending_order(Nodes const& nodes) {
  std::vector<int> order(nodes.of.size() - 1);
  std::iota(order.begin(), order.end(), 1);
  auto const key = [&](int v) { return std::pair(nodes.of[at(v)].round, nodes.of[at(v)].turn); };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
  return order;
}

std::uint32_t negabinary(int rank, int bits) {
  constexpr std::uint32_t mask = 0xAAAAAAAA;
  return ((mask + static_cast<std::uint32_t>(rank)) ^ mask) & ((std::uint32_t{1} << bits) - 1);
}

int bine_partner(int node, int bits, int round) {
  int rho = 0;
  for (int k = 0; k <= round; ++k) rho = 1 - 2 * rho;
  return (node + (node % 2 == 0 ? rho : -rho)) & ((1 << bits) - 1);
}

/// One of the two trees of [Sanders09]; the other one is its mirror image or is shifted by one rank.
HalfTree half_tree(int nodes, int half) {
  HalfTree tree{std::vector(at(nodes), -1), std::vector(at(nodes), 0), {}};
  auto const moved = [&](int v) {
    if (half == 0) return v;
    return nodes % 2 == 0 ? nodes - 1 - v : (v + 1) % nodes;
  };
  for (int v = 0; v < nodes; ++v) {
    tree.order.push_back(moved(v));
    int depth = 0;
    for (int up = v; up != 0; ++depth) {
      int const bit = up & -up;
      int const toward = (up ^ bit) | (bit << 1);
      up = toward < nodes ? toward : up ^ bit;
      if (depth == 0) tree.parent[at(moved(v))] = moved(up);
    }
    tree.depth[at(moved(v))] = depth;
    tree.height = std::max(tree.height, depth);
  }
  return tree;
}

}  // namespace rondo::theory
