// The messages of allgather and all-to-all.

#include <algorithm>
#include <bit>

#include "base/ids.hpp"
#include "theory/classical_parts.hpp"

namespace rondo::theory {
namespace {

using problem::Classical;

/// In round t of the butterfly of Swing and Bine every rank sends all that it holds to its partner, so that the amounts
/// add up.
void by_butterfly(Ledger& ledger, Classical const& problem, problem::Distances distances) {
  Run const blocks = Run::blocks(problem, 0);
  int const p = problem.ranks;
  int const bits = std::bit_width(static_cast<unsigned>(p)) - 1;
  std::vector<std::int64_t> held;
  for (int r = 0; r < p; ++r) held.push_back(blocks.of(r));
  for (int t = 0; t < bits; ++t) {
    ledger.begin_round();
    std::vector<std::int64_t> next = held;
    for (int r = 0; r < p; ++r) {
      int const to = bine_partner(r, bits, distances == problem::Distances::falling ? bits - 1 - t : t);
      ledger.message(r, to, held[at(r)]);
      next[at(to)] += held[at(r)];
    }
    held = std::move(next);
  }
}

}  // namespace

/// Neighbors exchange pairs of blocks, to the left and to the right in turn.
void allgather_neighbor_exchange(Ledger& ledger, Classical const& problem) {
  int const p = problem.ranks;
  Run const blocks = Run::blocks(problem, 0);
  // A rank sends its own block first, and then the pair 2i, 2i+1 that it received last. Pairs move by two ranks in two
  // rounds, to the right or to the left.
  for (int t = 0; t < p / 2; ++t) {
    ledger.begin_round();
    for (int r = 0; r < p; ++r) {
      bool const right = (r + t) % 2 == 0;
      int const to = (r + (right ? 1 : p - 1)) % p;
      if (t == 0) {
        ledger.message(r, to, blocks.of(r));
        continue;
      }
      int const travelled = t / 2 * 2;
      int const origin = right ? r - travelled : r + travelled;
      int const first = (origin % p + p) % p / 2 * 2;
      ledger.message(r, to, blocks.of(first, first + 2));
    }
  }
}

/// Rank 0 collects all blocks and sends them to all ranks.
void allgather_linear(Ledger& ledger, Classical const& problem) {
  int const p = problem.ranks;
  Run const blocks = Run::blocks(problem, 0);
  if (p == 1) return;
  ledger.begin_round();
  for (int r = 1; r < p; ++r) ledger.message(r, 0, blocks.of(r));
  ledger.begin_round();
  for (int r = 1; r < p; ++r) ledger.message(0, r, blocks.all());
}

/// Every rank sends its block to every other rank, all in one round.
void allgather_direct_messaging(Ledger& ledger, Classical const& problem) {
  int const p = problem.ranks;
  Run const blocks = Run::blocks(problem, 0);
  if (p > 1) ledger.begin_round();
  for (int r = 0; r < p; ++r) {
    for (int i = 1; i < p; ++i) ledger.message(r, (r + i) % p, blocks.of(r));
  }
}

namespace {

/// Rounds of Bruck's allgather in each group. Only the ranks with the numbers first .. last-1 of a group have data to
/// share: share(rank) units, which may be 0.
template <typename Share>
void share_in_groups(Ledger& ledger, int p, int group, int first, int last, Share const& share) {
  for (int distance = 1; distance < group; distance *= 2) {
    ledger.begin_round();
    for (int start = 0; start < p; start += group) {
      for (int l = 0; l < group; ++l) {
        std::int64_t units = 0;
        bool has = false;
        for (int k = l; k < l + std::min(distance, group - distance); ++k) {
          if (k % group < first || k % group >= last) continue;
          units += share(start + k % group);
          has = true;
        }
        if (has) ledger.message(start + l, start + (l + group - distance) % group, units);
      }
    }
  }
}

}  // namespace

/// Groups collect the blocks of more and more groups: rank l of a group gets the blocks of the groups that are l times
/// as far ahead as groups have been collected.
void allgather_locality_bruck(Ledger& ledger, Classical const& problem) {
  int const p = problem.ranks;
  int const group = problem.group_size;
  Run const blocks = Run::blocks(problem, 0);
  share_in_groups(ledger, p, group, 0, group, [&](int r) { return blocks.of(r); });
  for (std::int64_t had = group; had < p; had *= group) {
    int const last = static_cast<int>(std::min<std::int64_t>(group, (p + had - 1) / had));
    auto const comes = [&](int r) {
      std::int64_t const ahead = r % group * had;
      std::int64_t const first = r - r % group + ahead;
      return blocks.of(first, first + std::min(had, p - ahead));
    };
    ledger.begin_round();
    for (int r = 0; r < p; ++r) {
      int const l = r % group;
      if (0 < l && l < last) ledger.message(static_cast<int>((r + l * had) % p), r, comes(r));
    }
    share_in_groups(ledger, p, group, 1, last, comes);
  }
}

/// After the round of distance d every rank has ceil(p/d) blocks.
void allgather_sparbit(Ledger& ledger, Classical const& problem) {
  int const p = problem.ranks;
  Run const blocks = Run::blocks(problem, 0);
  int distance = 1;
  while (2 * distance < p) distance *= 2;
  for (std::int64_t had = 1; had < p; distance /= 2) {
    ledger.begin_round();
    std::int64_t const has = (p + distance - 1) / distance;
    for (int r = 0; r < p; ++r) {
      for (std::int64_t k = 0; k < has - had; ++k) {
        std::int64_t const back = 2 * k * distance % p;
        ledger.message(r, (r + distance) % p, blocks.of((r + p - back) % p));
      }
    }
    had = has;
  }
}

/// With skip s, followed by the larger skip t, a rank sends its own block and those of the t - s - 1 ranks after it.
void allgather_circulant(Ledger& ledger, Classical const& problem) {
  int const p = problem.ranks;
  Run const blocks = Run::blocks(problem, 0);
  int levels = 0;
  while ((1 << levels) < p) ++levels;
  auto const skip = [&](int k) { return (p + (1 << k) - 1) >> k; };
  for (int k = levels; k > 0; --k) {
    ledger.begin_round();
    for (int r = 0; r < p; ++r) ledger.message(r, (r + p - skip(k)) % p, blocks.of(r, r + skip(k - 1) - skip(k)));
  }
}

/// The partners are those of by_butterfly, but every block is a message of its own.
void allgather_bine_block_by_block(Ledger& ledger, Classical const& problem) {
  int const p = problem.ranks;
  int const bits = std::bit_width(static_cast<unsigned>(p)) - 1;
  Run const blocks = Run::blocks(problem, 0);
  std::vector<std::vector<std::int64_t>> held(at(p));
  for (int r = 0; r < p; ++r) held[at(r)] = {blocks.of(r)};
  for (int t = 0; t < bits; ++t) {
    ledger.begin_round();
    auto const before = held;
    for (int r = 0; r < p; ++r) {
      int const to = bine_partner(r, bits, problem.distances == problem::Distances::falling ? bits - 1 - t : t);
      for (std::int64_t const units : before[at(r)]) {
        ledger.message(r, to, units);
        held[at(to)].push_back(units);
      }
    }
  }
}

namespace {

/// The units of the block from one rank to another.
std::int64_t block_between(problem::Classical const& problem, std::int64_t source, std::int64_t target) {
  if (!problem.sizes.differ()) return units_of(problem.sizes.block);
  return problem.sizes.of(at(source * problem.ranks + target)).value;
}

/// Each rank sends to `at_once` ranks in a round, by rising distance.
void straight(Ledger& ledger, Classical const& problem, int at_once) {
  int const p = problem.ranks;
  for (int first = 1; first < p; first += at_once) {
    ledger.begin_round();
    for (int r = 0; r < p; ++r) {
      for (int i = first; i < std::min(first + at_once, p); ++i) {
        ledger.message(r, (r + i) % p, block_between(problem, r, (r + i) % p));
      }
    }
  }
}

}  // namespace

/// The targets descend, in the rounds of linear_sync.
void alltoall_linear_sync(Ledger& ledger, Classical const& problem) {
  std::int64_t const window = radix_of(problem);
  std::int64_t const p = problem.ranks;
  for (std::int64_t i = 1; i < p; ++i) {
    if (i % window == 1 || window == 1) ledger.begin_round();
    for (std::int64_t source = 0; source < p; ++source) {
      std::int64_t const target = (source + p - i) % p;
      ledger.message(static_cast<int>(source), static_cast<int>(target), block_between(problem, source, target));
    }
  }
}

namespace {

/// How many of the distances 1 .. p-1 have this value in the digit of this width.
std::int64_t distances_with(std::int64_t p, std::int64_t width, std::int64_t radix, std::int64_t value) {
  std::int64_t const period = width * radix;
  return p / period * width + std::clamp<std::int64_t>(p % period - value * width, 0, width);
}

/// Which blocks rank r passes on for one value of a digit. If sizes differ, those of distance d come from r - (d mod
/// width).
std::int64_t bruck_message(problem::Classical const& problem, std::int64_t r, std::int64_t width, std::int64_t radix,
                           std::int64_t value) {
  std::int64_t const p = problem.ranks;
  if (!problem.sizes.differ()) return distances_with(p, width, radix, value) * units_of(problem.sizes.block);
  std::int64_t units = 0;
  for (std::int64_t d = 1; d < p; ++d) {
    std::int64_t const source = (r - d % width + p) % p;
    if (d / width % radix == value) units += block_between(problem, source, (source + d) % p);
  }
  return units;
}

}  // namespace

/// In the round of a digit, all blocks whose distance has a certain value of the digit go together.
void alltoall_bruck(Ledger& ledger, Classical const& problem) {
  std::int64_t const radix = radix_of(problem);
  std::int64_t const p = problem.ranks;
  for (std::int64_t width = 1; width < p; width *= radix) {
    ledger.begin_round();
    for (std::int64_t r = 0; r < p; ++r) {
      for (std::int64_t value = 1; value < radix && value * width < p; ++value) {
        ledger.message(static_cast<int>(r), static_cast<int>((r + value * width) % p),
                       bruck_message(problem, r, width, radix, value));
      }
    }
  }
}

namespace {

using Sets = std::vector<std::vector<int>>;

/// With what each rank has in common with its partner of a round added to it.
Sets merged(Sets const& sets, int bits, int round) {
  Sets result = sets;
  for (int r = 0; r < static_cast<int>(sets.size()); ++r) {
    std::vector<int> const& other = sets[at(bine_partner(r, bits, round))];
    result[at(r)].insert(result[at(r)].end(), other.begin(), other.end());
  }
  return result;
}

}  // namespace

/// In round s a rank has blocks of all sources that lead to it in the rounds before, and gives its partner those for
/// all targets that the rounds after lead to from there: p/2 blocks.
void alltoall_bine(Ledger& ledger, Classical const& problem) {
  int const p = problem.ranks;
  int const bits = std::bit_width(static_cast<unsigned>(p)) - 1;
  bool const differ = problem.sizes.differ();
  Sets only_itself;
  for (int r = 0; r < p; ++r) only_itself.push_back({r});
  Sets sources = only_itself;
  std::vector<Sets> targets(at(bits + 1), only_itself);
  for (int s = bits - 1; s > 0 && differ; --s) targets[at(s)] = merged(targets[at(s + 1)], bits, s);
  for (int s = 0; s < bits; ++s) {
    ledger.begin_round();
    for (int r = 0; r < p; ++r) {
      int const to = bine_partner(r, bits, s);
      std::int64_t units = differ ? 0 : p / 2 * units_of(problem.sizes.block);
      for (int const source : differ ? sources[at(r)] : std::vector<int>()) {
        for (int const target : targets[at(s + 1)][at(to)]) units += block_between(problem, source, target);
      }
      ledger.message(r, to, units);
    }
    if (differ) sources = merged(sources, bits, s);
  }
}

/// An allgather: the run that a rank holds grows by the factor radix in each round.
void bruck(Ledger& ledger, std::int64_t p, std::int64_t radix, Run const& blocks) {
  for (std::int64_t held = 1; held < p; held *= radix) {
    ledger.begin_round();
    for (std::int64_t r = 0; r < p; ++r) {
      for (std::int64_t distance = held; distance < std::min(radix * held, p); distance += held) {
        ledger.message(static_cast<int>(r), static_cast<int>((r + p - distance) % p),
                       blocks.of(r, r + std::min(held, p - distance)));
      }
    }
  }
}

void allgather_bruck(Ledger& ledger, Classical const& problem) {
  bruck(ledger, problem.ranks, radix_of(problem), Run::blocks(problem, 0));
}
void allgather_ring(Ledger& ledger, Classical const& problem) {
  ring(ledger, {problem.ranks, 0}, Run::blocks(problem, 0));
}
void allgather_recursive_doubling(Ledger& ledger, Classical const& problem) {
  recursive_doubling(ledger, {problem.ranks, 0}, Run::blocks(problem, 0));
}
void allgather_swing(Ledger& ledger, Classical const& problem) {
  by_butterfly(ledger, problem, problem::Distances::falling);
}
void allgather_bine(Ledger& ledger, Classical const& problem) { by_butterfly(ledger, problem, problem.distances); }

void alltoall_linear(Ledger& ledger, Classical const& problem) { straight(ledger, problem, problem.ranks); }
void alltoall_spread_out(Ledger& ledger, Classical const& problem) { straight(ledger, problem, radix_of(problem)); }
void alltoall_pairwise(Ledger& ledger, Classical const& problem) { straight(ledger, problem, 1); }

}  // namespace rondo::theory
