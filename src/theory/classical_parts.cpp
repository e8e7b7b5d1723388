#include "theory/classical_parts.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/error.hpp"
#include "base/index.hpp"

namespace rondo::theory {
namespace {

using problem::ClassicalAlgorithm;
using problem::Distances;

int bits_of(int n) { return std::bit_width(static_cast<unsigned>(n)); }
/// ceil(log2 p)
int levels(int p) { return bits_of(p - 1); }

/// Chain c of k over n nodes has ceil or floor of n/k of them, the longer ones first.
Node in_chain(int v, int p, int chains) {
  int const n = p - 1;
  int const k = std::min(chains, n);
  int const longer = n % k;
  int const length = n / k;
  int const i = v - 1;
  int const within = i < longer * (length + 1) ? i % (length + 1) : (i - longer * (length + 1)) % length;
  return {within == 0 ? 0 : v - 1, within + 1};
}

/// Level l of the binary tree holds 2^l - 1 .. 2^(l+1) - 2; the first half of it hangs 2^(l-1) below, the second 2^l.
Node in_binary_tree(int v) {
  int const level = bits_of(v + 1) - 1;
  int const half = 1 << (level - 1);
  int const parent = v - half < 2 * half - 1 ? v - half : v - 2 * half;
  return {parent, level};
}

Node in_binomial_tree(int v, int p, Distances distances) {
  if (distances == Distances::rising) return {v - (1 << (bits_of(v) - 1)), bits_of(v)};
  return {v & (v - 1), levels(p) - std::countr_zero(static_cast<unsigned>(v))};
}

Node in_knomial_tree(int v, int p, int radix) {
  int digits = 0;
  for (std::int64_t width = 1; width < p; width *= radix) ++digits;
  std::int64_t low = 1;
  int position = 0;
  while (v / low % radix == 0) {
    low *= radix;
    ++position;
  }
  return {static_cast<int>(v - v / low % radix * low), digits - position};
}

/// In negabinary, a node of the falling tree gets its message when as many of its last bits are alike as are flipped.
Node in_falling_bine_tree(int v, int p) {
  int const bits = levels(p);
  std::uint32_t const number = negabinary(v, bits);
  bool const odd = number % 2 != 0;
  int const flipped = std::min(bits, odd ? std::countr_one(number) : std::countr_zero(number));
  return {from_negabinary(number ^ ((1U << flipped) - 1), bits), bits + 1 - flipped};
}

/// In the rising tree whoever has the message sends it on by 1, -1, 3, -5, 11, ... in rounds 1, 2, ...: even nodes
/// forwards, odd ones backwards [DeSensi25].
void grow_rising_bine_tree(std::vector<Node>& nodes) {
  auto const p = std::ssize(nodes);
  std::vector<std::int64_t> reached{0};
  std::int64_t distance = 1;
  for (int round = 1; std::ssize(reached) < p; ++round, distance = 1 - 2 * distance) {
    for (std::size_t i = 0, before = reached.size(); i < before; ++i) {
      std::int64_t const v = reached[i];
      std::int64_t const child = ((v + (v % 2 == 0 ? distance : -distance)) % p + p) % p;
      nodes[at(child)] = {static_cast<int>(v), round};
      reached.push_back(child);
    }
  }
}

Node node_of(problem::Classical const& problem, int v) {
  using enum ClassicalAlgorithm;
  int const p = problem.ranks;
  switch (problem.algorithm) {
    case linear:
      return {0, 1};
    case chain:
      return in_chain(v, p, radix_of(problem));
    case pipeline:
      return in_chain(v, p, 1);
    case binary:
    case split_binary:
      return in_binary_tree(v);
    case binomial:
      return in_binomial_tree(v, p, problem.distances);
    case scatter_allgather:
    case scatter_ring_allgather:
      return in_binomial_tree(v, p, Distances::falling);
    case knomial:
      return in_knomial_tree(v, p, radix_of(problem));
    case bine:
      return in_falling_bine_tree(v, p);
    default:
      throw ContractViolation("an algorithm with a tree");
  }
}

}  // namespace

Run Run::parts(std::int64_t units, int n) {
  Run run;
  std::int64_t const part = (units + n - 1) / n;
  for (int k = 1; k <= n; ++k) run.before_.push_back(std::min(units, k * part));
  return run;
}

Run Run::blocks(problem::Classical const& problem, int first) {
  Run run;
  for (int k = 0; k < problem.ranks; ++k) {
    Bytes const size = problem.sizes.of(at((k + first) % problem.ranks));
    run.before_.push_back(run.all() + (problem.sizes.differ() ? size.value : units_of(size)));
  }
  return run;
}

std::int64_t Run::of(std::int64_t first, std::int64_t last) const {
  auto const n = std::ssize(before_) - 1;
  auto const before = [&](std::int64_t k) { return k / n * all() + before_[at(k % n)]; };
  return before(last) - before(first);
}

std::int64_t units_of(Bytes block) { return block == Bytes(0) ? 1 : block.value; }

Nodes nodes_of(problem::Classical const& problem, Below below) {
  Nodes nodes{std::vector<Node>(at(problem.ranks))};
  nodes.of[0] = {-1, 0};
  for (int v = 1; v < problem.ranks; ++v) nodes.of[at(v)] = node_of(problem, v);
  bool const rises = problem.algorithm == ClassicalAlgorithm::bine && problem.distances == Distances::rising;
  if (rises) grow_rising_bine_tree(nodes.of);
  for (int v = 1; v < problem.ranks; ++v) {
    Node& node = nodes.of[at(v)];
    for (int up = v; up != 0; up = nodes.of[at(up)].parent) {
      ++node.depth;
      if (below == Below::listed) nodes.of[at(up)].below.push_back(v);
    }
    nodes.rounds = std::max(nodes.rounds, node.round);
    nodes.height = std::max(nodes.height, node.depth);
  }
  return nodes;
}

std::vector<int> in_sending_order(Nodes const& nodes) {
  std::vector<int> order(nodes.of.size() - 1);
  std::iota(order.begin(), order.end(), 1);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return nodes.of[at(a)].round < nodes.of[at(b)].round; });
  return order;
}

std::uint32_t negabinary(int rank, int bits) {
  constexpr std::uint32_t mask = 0xAAAAAAAA;
  return ((mask + static_cast<std::uint32_t>(rank)) ^ mask) & ((std::uint32_t{1} << bits) - 1);
}

int from_negabinary(std::uint32_t number, int bits) {
  constexpr std::uint32_t mask = 0xAAAAAAAA;
  return static_cast<int>(((mask ^ number) - mask) & ((std::uint32_t{1} << bits) - 1));
}

}  // namespace rondo::theory
