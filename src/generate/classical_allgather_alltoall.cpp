// In an allgather every rank gets the block of every rank. In an all-to-all every rank sends a different block to
// every rank. problem/catalogue.def describes the algorithms.

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/ids.hpp"
#include "generate/classical.hpp"
#include "generate/classical_patterns.hpp"
#include "generate/classical_writer.hpp"

namespace rondo::generate::classical {
using problem::Classical;

/// Rank 0 gathers the blocks of all ranks in one round, and sends all of them to all ranks in the next one.
Schedule allgather_linear(Classical const& problem) {
  Writer writer(problem, {});
  int const p = problem.ranks;
  if (p > 1) writer.begin_round();
  for (int r = 1; r < p; ++r) writer.message(r, 0, piece_of(r));
  Pieces all(at(p));
  std::iota(all.begin(), all.end(), 0U);
  if (p > 1) writer.begin_round();
  for (int r = 1; r < p; ++r) writer.message(0, r, all);
  return std::move(writer).finish(0);
}

/// Every rank sends its block straight to all others, all at once.
Schedule allgather_direct_messaging(Classical const& problem) {
  Writer writer(problem, {});
  int const p = problem.ranks;
  if (p > 1) writer.begin_round();
  for (int i = 1; i < p; ++i) {
    for (int r = 0; r < p; ++r) writer.message(r, (r + i) % p, piece_of(r));
  }
  return std::move(writer).finish(0);
}

/// When a rank holds the blocks of `held` ranks from itself on, it gets those of the following ranks [Bruck97].
Schedule allgather_bruck(Classical const& problem) {
  Writer writer(problem, {});
  int const radix = radix_of(problem);
  std::int64_t const p = problem.ranks;
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
  return std::move(writer).finish(radix > 2 ? 0 : 1);
}

namespace {

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

}  // namespace

/// A group has the blocks of `width` groups, beginning with its own. It gets the blocks of the following groups: each
/// of its ranks fetches those of another group, and then the ranks share them [Bienz22].
Schedule allgather_locality_bruck(Classical const& problem) {
  Writer writer(problem, {});
  int const group = problem.group_size;
  int const p = problem.ranks;
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
  return std::move(writer).finish(1);
}

/// Even ranks begin with the next rank, and odd ranks with the previous one [Chen05].
Schedule allgather_neighbor_exchange(Classical const& problem) {
  Writer writer(problem, {});
  int const p = problem.ranks;
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
  return std::move(writer).finish(1);
}

/// Distances d fall from the largest power of two below p. After the round of distance d a rank has the blocks of all
/// ranks that are a multiple of d before it, which are ceil(p/d) blocks. Each new one arrives in a message of its own
/// [Loch21].
Schedule allgather_sparbit(Classical const& problem) {
  Writer writer(problem, {});
  int const p = problem.ranks;
  int held = 1;
  for (int d = static_cast<int>(std::bit_ceil(static_cast<unsigned>(p))) / 2; d > 0; d /= 2) {
    writer.begin_round();
    int const after = (p + d - 1) / d;
    for (int k = 0; k < after - held; ++k) {
      for (int r = 0; r < p; ++r) writer.message(r, (r + d) % p, piece_of(((r - 2 * k * d) % p + p) % p));
    }
    held = after;
  }
  return std::move(writer).finish(0);
}

/// Runs the slices of the circulant reduce-scatter in reverse. With skips ceil(p/2^k) that rise from 1, rank r gets the
/// blocks that r + skip holds and r lacks [Traeff24].
Schedule allgather_circulant(Classical const& problem) {
  Writer writer(problem, {});
  int const p = problem.ranks;
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
  return std::move(writer).finish(1);
}

namespace {

/// Whether the blocks of a message are one message or one each.
enum class Blocks : std::uint8_t { together, one_by_one };

/// The butterfly of Swing and Bine, in which a rank sends all that it holds to its partner.
Schedule by_butterfly(Classical const& problem, problem::Distances distances, Blocks sent) {
  Writer writer(problem, {});
  int const p = problem.ranks;
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
  return std::move(writer).finish(sent == Blocks::together ? 1 : 0);
}

std::vector<Pieces> own_parts(int ranks) {
  std::vector<Pieces> parts;
  for (int r = 0; r < ranks; ++r) parts.push_back({piece_of(r)});
  return parts;
}

}  // namespace

Schedule allgather_swing(Classical const& problem) {
  return by_butterfly(problem, problem::Distances::falling, Blocks::together);
}
Schedule allgather_bine(Classical const& problem) { return by_butterfly(problem, problem.distances, Blocks::together); }
Schedule allgather_bine_block_by_block(Classical const& problem) {
  return by_butterfly(problem, problem.distances, Blocks::one_by_one);
}

Schedule allgather_ring(Classical const& problem) {
  return written(problem, {}, 1, [&](Writer& writer) { ring(writer, {problem.ranks, 0}, own_parts(problem.ranks)); });
}
Schedule allgather_recursive_doubling(Classical const& problem) {
  return written(problem, {}, 1, [&](Writer& writer) {
    recursive_doubling(writer, {problem.ranks, 0}, own_parts(problem.ranks));
  });
}

namespace {

using problem::Classical;

/// Sends blocks directly to r + i, i = 1 .. p-1, with `at_once` of them in a round.
Schedule straight(Classical const& problem, int at_once, int ports) {
  Writer writer(problem, {});
  int const p = problem.ranks;
  for (int i = 1; i < p; ++i) {
    if ((i - 1) % at_once == 0) writer.begin_round();
    for (int r = 0; r < p; ++r) writer.message(r, (r + i) % p, piece_of(r, (r + i) % p, p));
  }
  return std::move(writer).finish(ports);
}

}  // namespace

Schedule alltoall_linear(Classical const& problem) { return straight(problem, problem.ranks, 0); }
Schedule alltoall_spread_out(Classical const& problem) { return straight(problem, radix_of(problem), 0); }
Schedule alltoall_pairwise(Classical const& problem) { return straight(problem, 1, 1); }

/// Before digit i is handled, a block with distance d to its target has travelled d mod radix^i [Bruck97].
Schedule alltoall_bruck(Classical const& problem) {
  Writer writer(problem, {});
  int const radix = radix_of(problem);
  std::int64_t const p = problem.ranks;
  for (std::int64_t width = 1; width < p; width *= radix) {
    writer.begin_round();
    for (std::int64_t j = 1; j < radix && j * width < p; ++j) {
      for (std::int64_t r = 0; r < p; ++r) {
        Pieces pieces;
        for (std::int64_t d = j * width; d < p; ++d) {
          if (d / width % radix != j) continue;
          std::int64_t const source = (r + p - d % width) % p;
          pieces.push_back(piece_of(source, (source + d) % p, p));
        }
        writer.message(static_cast<int>(r), static_cast<int>((r + j * width) % p), pieces);
      }
    }
  }
  return std::move(writer).finish(radix == 2 ? 1 : 0);
}

/// The same with sends to r - i. Open MPI posts receives from r + 1, r + 2, ... and sends in the opposite order.
Schedule alltoall_linear_sync(Classical const& problem) {
  Writer writer(problem, {});
  int const at_once = radix_of(problem);
  int const p = problem.ranks;
  for (int i = 1; i < p; ++i) {
    if ((i - 1) % at_once == 0) writer.begin_round();
    for (int r = 0; r < p; ++r) writer.message(r, (r + p - i) % p, piece_of(r, (r + p - i) % p, p));
  }
  return std::move(writer).finish(0);
}

/// In round s a rank gives its partner in the Bine butterfly all blocks for the ranks that the partner still reaches.
Schedule alltoall_bine(Classical const& problem) {
  Writer writer(problem, {});
  int const p = problem.ranks;
  int const rounds = std::bit_width(static_cast<unsigned>(p)) - 1;
  Butterfly const butterfly{rounds, [p](int v, int s) { return bine_partner(v, s, p); }, [](int v) { return v; }};
  std::vector<Pieces> held(at(p));
  for (int r = 0; r < p; ++r) {
    for (int target = 0; target < p; ++target) held[at(r)].push_back(piece_of(r, target, p));
  }
  for (int s = 0; s < rounds; ++s) {
    writer.begin_round();
    std::vector<Pieces> next(at(p));
    for (int r = 0; r < p; ++r) {
      int const to = butterfly.partner(r, s);
      std::vector<bool> beyond(at(p), false);
      for (int const node : reached(butterfly, to, s + 1)) beyond[at(node)] = true;
      Pieces sent;
      for (std::uint32_t const piece : held[at(r)]) {
        (beyond[piece % static_cast<std::uint32_t>(p)] ? sent : next[at(r)]).push_back(piece);
      }
      writer.message(r, to, sent);
      next[at(to)].insert(next[at(to)].end(), sent.begin(), sent.end());
    }
    held = std::move(next);
  }
  return std::move(writer).finish(1);
}

}  // namespace rondo::generate::classical
