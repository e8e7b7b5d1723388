// All-to-all: every rank sends a different block to every rank.

#include <bit>

#include "base/index.hpp"
#include "generate/classical.hpp"
#include "generate/classical_butterflies.hpp"
#include "generate/classical_trees.hpp"
#include "generate/classical_writer.hpp"

namespace rondo::generate::classical {
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
