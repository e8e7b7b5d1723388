// Allgather: every rank gets the block of every rank. classical.hpp describes the algorithms.

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/error.hpp"
#include "base/index.hpp"
#include "generate/classical.hpp"
#include "generate/classical_exchanges.hpp"
#include "generate/classical_trees.hpp"
#include "generate/classical_writer.hpp"

namespace rondo::generate::classical {
namespace {

void by_rank_0(Writer& writer) {
  int const p = writer.ranks();
  if (p == 1) return;
  writer.begin_round();
  for (int r = 1; r < p; ++r) writer.message(r, 0, piece_of(r));
  Pieces all(at(p));
  std::iota(all.begin(), all.end(), 0U);
  writer.begin_round();
  for (int r = 1; r < p; ++r) writer.message(0, r, all);
}

/// Every rank sends its block straight to all others, all at once.
void directly(Writer& writer) {
  int const p = writer.ranks();
  if (p > 1) writer.begin_round();
  for (int i = 1; i < p; ++i) {
    for (int r = 0; r < p; ++r) writer.message(r, (r + i) % p, piece_of(r));
  }
}

/// When a rank holds the blocks of `held` ranks from itself on, it gets those of the following ranks [Bruck97].
void allgather_bruck(Writer& writer, int radix) {
  std::int64_t const p = writer.ranks();
  for (std::int64_t held = 1; held < p; held *= radix) {
    writer.begin_round();
    for (std::int64_t j = 1; j < radix && j * held < p; ++j) {
      for (std::int64_t r = 0; r < p; ++r) {
        Pieces pieces;
        for (std::int64_t k = 0; k < std::min(held, p - j * held); ++k) pieces.push_back(piece_of((r + k) % p));
        writer.message(static_cast<int>(r), static_cast<int>((r + p - j * held % p) % p), pieces);
      }
    }
  }
}

/// Bruck's allgather in all groups at once, for the pieces that each rank contributes. Messages without pieces are left
/// out.
void bruck_in_groups(Writer& writer, int group, std::vector<Pieces> const& contributed) {
  for (int held = 1; held < group; held *= 2) {
    writer.begin_round();
    for (int r = 0; r < writer.ranks(); ++r) {
      int const first = r - r % group;
      Pieces pieces;
      for (int k = 0; k < std::min(held, group - held); ++k) {
        Pieces const& more = contributed[at(first + (r + k) % group)];
        pieces.insert(pieces.end(), more.begin(), more.end());
      }
      if (!pieces.empty()) writer.message(r, first + (r + group - held) % group, pieces);
    }
  }
}

/// A group has the blocks of `width` groups, beginning with its own. It gets the blocks of the following groups: each
/// of its ranks fetches those of another group, and then the ranks share them [Bienz22].
void allgather_locality_bruck(Writer& writer, int group) {
  int const p = writer.ranks();
  int const groups = p / group;
  std::vector<Pieces> contributed(at(p));
  for (int r = 0; r < p; ++r) contributed[at(r)] = {piece_of(r)};
  bruck_in_groups(writer, group, contributed);
  for (std::int64_t width = 1; width < groups; width *= group) {
    writer.begin_round();
    contributed.assign(at(p), {});
    for (int r = 0; r < p; ++r) {
      std::int64_t const ahead = r % group * width;
      if (ahead == 0 || ahead >= groups) continue;
      std::int64_t const from = r + ahead * group;
      std::int64_t const first = from - r % group;
      for (std::int64_t k = 0; k < std::min(width, groups - ahead) * group; ++k) {
        contributed[at(r)].push_back(piece_of((first + k) % p));
      }
      writer.message(static_cast<int>(from % p), r, contributed[at(r)]);
    }
    bruck_in_groups(writer, group, contributed);
  }
}

/// Even ranks begin with the next rank, and odd ranks with the previous one [Chen05].
void allgather_neighbors(Writer& writer) {
  int const p = writer.ranks();
  std::vector<Pieces> last(at(p));
  for (int r = 0; r < p; ++r) last[at(r)] = {piece_of(r)};
  for (int t = 0; t < p / 2; ++t) {
    writer.begin_round();
    std::vector<Pieces> got(at(p));
    for (int r = 0; r < p; ++r) {
      int const to = (r + (r % 2 == t % 2 ? 1 : p - 1)) % p;
      writer.message(r, to, last[at(r)]);
      got[at(to)] = last[at(r)];
    }
    for (int r = 0; r < p; ++r) {
      // The first exchange makes pairs of blocks, and each later exchange brings a pair.
      if (t == 0) got[at(r)].insert(got[at(r)].begin(), piece_of(r));
    }
    last = std::move(got);
  }
}

/// Distances d fall from the largest power of two below p. After the round of distance d a rank has the blocks of all
/// ranks that are a multiple of d before it, which are ceil(p/d) blocks. Each new one arrives in a message of its own
/// [Loch21].
void allgather_sparbit(Writer& writer) {
  int const p = writer.ranks();
  int held = 1;
  for (int d = static_cast<int>(std::bit_ceil(static_cast<unsigned>(p))) / 2; d > 0; d /= 2) {
    writer.begin_round();
    int const after = (p + d - 1) / d;
    for (int k = 0; k < after - held; ++k) {
      for (int r = 0; r < p; ++r) writer.message(r, (r + d) % p, piece_of(((r - 2 * k * d) % p + p) % p));
    }
    held = after;
  }
}

/// Runs the slices of the circulant reduce-scatter in reverse. With skips ceil(p/2^k) that rise from 1, rank r gets the
/// blocks that r + skip holds and r lacks [Traeff24].
void allgather_circulant(Writer& writer) {
  int const p = writer.ranks();
  std::vector<int> skips{p};
  while (skips.back() > 1) skips.push_back((skips.back() + 1) / 2);
  for (std::size_t k = skips.size() - 1; k > 0; --k) {
    writer.begin_round();
    for (int r = 0; r < p; ++r) {
      Pieces pieces;
      for (int i = skips[k]; i < skips[k - 1]; ++i) pieces.push_back(piece_of((r + i) % p));
      writer.message((r + skips[k]) % p, r, pieces);
    }
  }
}

enum class Blocks : std::uint8_t { together, one_by_one };

/// The butterfly of Swing and Bine, in which a rank sends all that it holds to its partner.
void allgather_bine(Writer& writer, problem::Distances distances, Blocks sent) {
  int const p = writer.ranks();
  int const rounds = std::bit_width(static_cast<unsigned>(p)) - 1;
  std::vector<Pieces> held(at(p));
  for (int r = 0; r < p; ++r) held[at(r)] = {piece_of(r)};
  for (int t = 0; t < rounds; ++t) {
    writer.begin_round();
    std::vector<Pieces> const before = held;
    for (int r = 0; r < p; ++r) {
      int const to = bine_partner(r, distances == problem::Distances::falling ? rounds - 1 - t : t, p);
      if (sent == Blocks::together) writer.message(r, to, before[at(r)]);
      for (std::uint32_t const piece : sent == Blocks::together ? Pieces() : before[at(r)]) {
        writer.message(r, to, piece);
      }
      held[at(to)].insert(held[at(to)].end(), before[at(r)].begin(), before[at(r)].end());
    }
  }
}

std::vector<Pieces> own_parts(int ranks) {
  std::vector<Pieces> parts;
  for (int r = 0; r < ranks; ++r) parts.push_back({piece_of(r)});
  return parts;
}

}  // namespace

Schedule allgather(problem::Classical const& problem) {
  using enum problem::ClassicalAlgorithm;
  Writer writer(problem, {});
  Relative const rank(problem.ranks, 0);
  int ports = 1;
  switch (problem.algorithm) {
    case linear:
      by_rank_0(writer);
      ports = 0;
      break;
    case direct_messaging:
      directly(writer);
      ports = 0;
      break;
    case ring:
      classical::ring(writer, rank, own_parts(problem.ranks));
      break;
    case neighbor_exchange:
      allgather_neighbors(writer);
      break;
    case recursive_doubling:
    case two_process:
      classical::recursive_doubling(writer, rank, own_parts(problem.ranks));
      break;
    case bruck:
      allgather_bruck(writer, radix_of(problem));
      if (radix_of(problem) > 2) ports = 0;
      break;
    case locality_bruck:
      allgather_locality_bruck(writer, problem.group_size);
      break;
    case swing:
      allgather_bine(writer, problem::Distances::falling, Blocks::together);
      break;
    case bine:
      allgather_bine(writer, problem.distances, Blocks::together);
      break;
    case bine_block_by_block:
      allgather_bine(writer, problem.distances, Blocks::one_by_one);
      ports = 0;
      break;
    case sparbit:
      allgather_sparbit(writer);
      ports = 0;
      break;
    case circulant:
      allgather_circulant(writer);
      break;
    default:
      throw ContractViolation("an algorithm of allgather");
  }
  return std::move(writer).finish(ports);
}

}  // namespace rondo::generate::classical
