// Allreduce: every rank gets the reduction of all vectors. The barrier is the same with vectors of no bytes.

#include <algorithm>
#include <bit>

#include "base/ids.hpp"
#include "generate/classical.hpp"
#include "generate/classical_patterns.hpp"
#include "generate/classical_writer.hpp"

namespace rondo::generate::classical {
namespace {

using problem::Classical;
using Partner = std::function<int(int node, int round)>;

/// Sends vectors up the tree to rank 0, in the reverse order of its rounds, and joins them on the way; then sends the
/// result down.
void up_and_down(Writer& writer, Tree const& tree, Pieces const& all) {
  int const rounds = tree.rounds();
  for (int t = 1; t <= 2 * rounds; ++t) {
    writer.begin_round();
    bool const up = t <= rounds;
    for (int v = 0; v < tree.nodes(); ++v) {
      for (int const child : tree.children[at(v)]) {
        if (tree.round[at(child)] != (up ? rounds + 1 - t : t - rounds)) continue;
        up ? writer.message(child, v, all, Join::after) : writer.message(v, child, all);
      }
    }
  }
}

/// In round t of the first half, rank r sends part r - t to the next rank. In the end it has part r + 1 reduced.
void ring_reduce_scatter(Writer& writer, std::vector<Pieces> const& parts) {
  int const p = writer.ranks();
  for (int t = 0; t + 1 < p; ++t) {
    writer.begin_round();
    for (int r = 0; r < p; ++r) {
      int const to = (r + 1) % p;
      writer.message(r, to, parts[at((r - t + p) % p)], join_from(r, to));
    }
  }
}

/// In round t of the second half, rank r sends part r + 1 - t, which is complete, to the next rank.
void ring_allgather(Writer& writer, std::vector<Pieces> const& parts) {
  int const p = writer.ranks();
  for (int t = 0; t + 1 < p; ++t) {
    writer.begin_round();
    for (int r = 0; r < p; ++r) writer.message(r, (r + 1) % p, parts[at((r + 1 - t + p) % p)]);
  }
}

/// Part k of every rank consists of segments. The ring reduces one segment of all parts after the other.
void reduce_by_segments(Writer& writer, Cut const& cut, std::size_t segments) {
  std::size_t const p = at(writer.ranks());
  std::vector<Pieces> whole(p);
  for (std::size_t s = 0; s < segments; ++s) {
    std::vector<Pieces> phase;
    for (std::size_t k = 0; k < p; ++k) {
      phase.push_back(cut.parts[k * segments + s]);
      whole[k].insert(whole[k].end(), phase[k].begin(), phase[k].end());
    }
    ring_reduce_scatter(writer, phase);
  }
  ring_allgather(writer, whole);
}

Butterfly butterfly_of(Fold const& fold, Partner partner) {
  return {fold.rounds(), std::move(partner), [fold](int node) { return fold.rank(node); }};
}

/// Nodes exchange whole vectors with the partners of a butterfly. Ranks past a power of two are folded onto neighbors.
void whole_vectors(Writer& writer, Pieces const& all, Partner const& partner) {
  Fold const fold(writer.ranks(), LeftOut::even);
  fold.in(writer, all);
  exchange_all(writer, butterfly_of(fold, partner), all);
  fold.out(writer, all);
}

/// Nodes scatter the reduction over the parts, and then gather it.
void in_parts(Writer& writer, Cut const& cut, Partner const& partner) {
  Fold const fold(writer.ranks(), LeftOut::even);
  Butterfly const butterfly = butterfly_of(fold, partner);
  fold.in(writer, cut.all());
  reduce_scatter(writer, butterfly, cut.parts);
  allgather_back(writer, butterfly, cut.parts);
  fold.out(writer, cut.all());
}

Pieces pieces_of(std::vector<Pieces> const& parts, std::size_t first, std::size_t last) {
  Pieces pieces;
  for (std::size_t k = first; k < last; ++k) pieces.insert(pieces.end(), parts[k].begin(), parts[k].end());
  return pieces;
}

/// Folds the ranks that are left out. They reduce the upper half of the vector for their neighbors, which reduce the
/// lower half.
void fold_by_halves(Writer& writer, Fold const& fold, std::vector<Pieces> const& parts) {
  if (fold.extra() == 0) return;
  Pieces const lower = pieces_of(parts, 0, parts.size() / 2);
  Pieces const upper = pieces_of(parts, parts.size() / 2, parts.size());
  writer.begin_round();
  for (int i = 0; i < fold.extra(); ++i) {
    writer.message(2 * i, 2 * i + 1, upper, Join::before);
    writer.message(2 * i + 1, 2 * i, lower, Join::after);
  }
  writer.begin_round();
  for (int i = 0; i < fold.extra(); ++i) writer.message(2 * i + 1, 2 * i, upper);
}

/// The number of a node with its bits in reverse order.
int reversed(int node, int bits) {
  int result = 0;
  for (int b = 0; b < bits; ++b) result = 2 * result + (node >> b) % 2;
  return result;
}

/// Exchanges halves of the vector at distance 1, quarters at distance 2, and so on. Node v ends with the part whose
/// number has the reversed bits of v.
void halves_and_back(Writer& writer, Cut const& cut) {
  Fold const fold(writer.ranks(), LeftOut::odd);
  Butterfly const butterfly = butterfly_of(fold, [](int v, int s) { return v ^ (1 << s); });
  std::vector<Pieces> by_node;
  for (int v = 0; v < butterfly.nodes(); ++v) by_node.push_back(cut.parts[at(reversed(v, fold.rounds()))]);
  fold_by_halves(writer, fold, cut.parts);
  reduce_scatter(writer, butterfly, by_node);
  allgather_back(writer, butterfly, by_node);
  fold.out(writer, cut.all());
}

/// For each digit in base `radix`, the nodes that differ only in this digit exchange all they have. Ranks past the
/// largest power of the radix give their vectors to the rank with the same remainder.
void multiply(Writer& writer, int radix, Pieces const& all) {
  int const p = writer.ranks();
  std::int64_t core = 1;
  while (core * radix <= p) core *= radix;
  int const q = static_cast<int>(core);
  if (q < p) {
    writer.begin_round();
    for (int r = q; r < p; ++r) writer.message(r, r % q, all, Join::after);
  }
  for (int distance = 1; distance < q; distance *= radix) {
    writer.begin_round();
    for (int r = 0; r < q; ++r) {
      int const digit = r / distance % radix;
      // The receives of a rank are joined in their order: first those from below, the nearest first, and then those
      // from above.
      for (int i = digit - 1; i >= 0; --i) writer.message(r + (i - digit) * distance, r, all, Join::before);
      for (int i = digit + 1; i < radix; ++i) writer.message(r + (i - digit) * distance, r, all, Join::after);
    }
  }
  if (q < p) {
    writer.begin_round();
    for (int r = q; r < p; ++r) writer.message(r % q, r, all);
  }
}

/// The skips of Traeff's circulant graph: ceil(p/2^k), from p to 1.
std::vector<int> halved(int p) {
  std::vector<int> skips{p};
  while (skips.back() > 1) skips.push_back((skips.back() + 1) / 2);
  return skips;
}

/// Rank r has contributions for the ranks r + i, i < s. It sends those with s/2 <= i < s to the rank s/2 ahead. In the
/// reverse order it gets the results from there.
void reduce_circulant(Writer& writer, std::vector<Pieces> const& parts) {
  int const p = writer.ranks();
  std::vector<int> const skips = halved(p);
  auto const slice = [&](int r, std::size_t k) {
    Pieces pieces;
    for (int i = skips[k]; i < skips[k - 1]; ++i) {
      Pieces const& part = parts[at((r + i) % p)];
      pieces.insert(pieces.end(), part.begin(), part.end());
    }
    return pieces;
  };
  for (std::size_t k = 1; k < skips.size(); ++k) {
    writer.begin_round();
    for (int r = 0; r < p; ++r) {
      int const to = (r + skips[k]) % p;
      writer.message(r, to, slice(r, k), join_from(r, to));
    }
  }
  for (std::size_t k = skips.size() - 1; k > 0; --k) {
    writer.begin_round();
    for (int r = 0; r < p; ++r) writer.message((r + skips[k]) % p, r, slice(r, k));
  }
}

Partner xor_partner() {
  return [](int v, int s) { return v ^ (1 << s); };
}

/// A step along one dimension of a torus, in which the numbers of neighbors differ by `stride`.
struct Step {
  int stride, extent, round;
};

/// All dimensions take their round 0, then their round 1, and so on. Shorter dimensions have fewer rounds.
std::vector<Step> steps_along(std::vector<int> const& extents, int ranks) {
  std::vector<Step> steps;
  int const longest = *std::max_element(extents.begin(), extents.end());
  for (int round = 0; 1 << round < longest; ++round) {
    int stride = ranks;
    for (int const extent : extents) {
      stride /= extent;
      if (1 << round < extent) steps.push_back({stride, extent, round});
    }
  }
  return steps;
}

/// The partners of Swing [Desensi24] and Bine, the nearest first: on one ring of all nodes, or along the dimensions of
/// a torus in turn.
Partner bine_partner_of(Classical const& problem) {
  if (!goes_along_extents(problem)) {
    int const nodes = static_cast<int>(std::bit_floor(static_cast<unsigned>(problem.ranks)));
    return [=](int v, int s) { return bine_partner(v, s, nodes); };
  }
  return [steps = steps_along(problem.extents, problem.ranks)](int v, int s) {
    auto const& [stride, extent, round] = steps[at(s)];
    int const coordinate = v / stride % extent;
    return v + (bine_partner(coordinate, round, extent) - coordinate) * stride;
  };
}

/// Writes with the cut of the problem: write(writer, cut).
template <typename Write>
Schedule with_cut(Classical const& problem, int ports, Write const& write) {
  Cut const cut = cut_of(problem);
  return written(problem, cut, ports, [&](Writer& writer) { write(writer, cut); });
}

Schedule up_and_down(Classical const& problem, Tree const& tree, int ports) {
  return with_cut(problem, ports, [&](Writer& writer, Cut const& cut) { up_and_down(writer, tree, cut.all()); });
}

}  // namespace

Schedule allreduce_linear(Classical const& problem) { return up_and_down(problem, linear_tree(problem.ranks), 0); }
Schedule allreduce_knomial(Classical const& problem) {
  return up_and_down(problem, knomial_tree(problem.ranks, radix_of(problem)), 0);
}
Schedule allreduce_nonoverlapping(Classical const& problem) {
  return up_and_down(problem, binomial_tree(problem.ranks, problem::Distances::falling), 1);
}

/// A reduce-scatter around the ring, then an allgather around the ring: each rank sends 2 (p - 1) / p of the vector.
Schedule allreduce_ring(Classical const& problem) {
  return with_cut(problem, 1, [](Writer& writer, Cut const& cut) {
    ring_reduce_scatter(writer, cut.parts);
    ring_allgather(writer, cut.parts);
  });
}
Schedule allreduce_segmented_ring(Classical const& problem) {
  return with_cut(problem, 1, [&](Writer& writer, Cut const& cut) {
    reduce_by_segments(writer, cut, cut.parts.size() / at(problem.ranks));
  });
}
Schedule allreduce_recursive_doubling(Classical const& problem) {
  return with_cut(problem, 1, [](Writer& writer, Cut const& cut) { whole_vectors(writer, cut.all(), xor_partner()); });
}
Schedule allreduce_recursive_multiplying(Classical const& problem) {
  return with_cut(problem, 0, [&](Writer& writer, Cut const& cut) { multiply(writer, radix_of(problem), cut.all()); });
}
Schedule allreduce_bine_latency(Classical const& problem) {
  return with_cut(problem, 1,
                  [&](Writer& writer, Cut const& cut) { whole_vectors(writer, cut.all(), bine_partner_of(problem)); });
}
Schedule allreduce_bine(Classical const& problem) {
  return with_cut(problem, 1, [&](Writer& writer, Cut const& cut) { in_parts(writer, cut, bine_partner_of(problem)); });
}
Schedule allreduce_rabenseifner(Classical const& problem) { return with_cut(problem, 1, halves_and_back); }
Schedule allreduce_circulant(Classical const& problem) {
  return with_cut(problem, 1, [](Writer& writer, Cut const& cut) { reduce_circulant(writer, cut.parts); });
}

namespace {

/// A token goes around twice. A rank knows after the first time around that all ranks have begun, and the second time
/// tells them.
void double_ring(Writer& writer) {
  int const p = writer.ranks();
  for (int t = 0; t < 2 * p && p > 1; ++t) {
    writer.begin_round();
    int const to = (t + 1) % p;
    writer.message(t % p, to, Pieces{0}, join_from(t % p, to));
  }
}

/// Rank r first hears from the radix^k ranks before it, and then from radix times as many.
void disseminate(Writer& writer, int radix) {
  std::int64_t const p = writer.ranks();
  for (std::int64_t distance = 1; distance < p; distance *= radix) {
    writer.begin_round();
    for (std::int64_t j = 1; j < radix && j * distance < p; ++j) {
      for (std::int64_t r = 0; r < p; ++r) {
        auto const to = static_cast<int>((r + j * distance) % p);
        writer.message(static_cast<int>(r), to, Pieces{0}, join_from(static_cast<int>(r), to));
      }
    }
  }
}

/// Recursive doubling, in which each rank past the largest power of two, q, depends on rank - q.
void doubling_barrier(Writer& writer) {
  int const p = writer.ranks();
  int const rounds = std::bit_width(static_cast<unsigned>(p)) - 1;
  int const q = 1 << rounds;
  if (q < p) writer.begin_round();
  for (int r = q; r < p; ++r) writer.message(r, r - q, Pieces{0}, Join::after);
  exchange_all(writer, {rounds, xor_partner(), [](int node) { return node; }}, Pieces{0});
  if (q < p) writer.begin_round();
  for (int r = q; r < p; ++r) writer.message(r - q, r, Pieces{0});
}

}  // namespace

Schedule barrier_ring(Classical const& problem) { return written(problem, cut_of(problem), 1, double_ring); }
Schedule barrier_recursive_doubling(Classical const& problem) {
  return written(problem, cut_of(problem), 1, doubling_barrier);
}
Schedule barrier_dissemination(Classical const& problem) {
  int const radix = radix_of(problem);
  return written(problem, cut_of(problem), radix > 2 ? 0 : 1, [&](Writer& writer) { disseminate(writer, radix); });
}

}  // namespace rondo::generate::classical
