// All-to-all: every rank sends a different block to every rank.

#include <bit>

#include "base/error.hpp"
#include "base/index.hpp"
#include "generate/classical.hpp"
#include "generate/classical_butterflies.hpp"
#include "generate/classical_trees.hpp"
#include "generate/classical_writer.hpp"

namespace rondo::generate::classical {
namespace {

/// Sends blocks directly to r + i, i = 1 .. p-1, with `at_once` of them in a round.
void alltoall_straight(Writer& writer, int at_once) {
  int const p = writer.ranks();
  for (int i = 1; i < p; ++i) {
    if ((i - 1) % at_once == 0) writer.begin_round();
    for (int r = 0; r < p; ++r) writer.message(r, (r + i) % p, piece_of(r, (r + i) % p, p));
  }
}

/// Before digit i is handled, a block with distance d to its target has travelled d mod radix^i [Bruck97].
void alltoall_bruck(Writer& writer, int radix) {
  std::int64_t const p = writer.ranks();
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
}

/// The same with sends to r - i. Open MPI posts receives from r + 1, r + 2, ... and sends in the opposite order.
void alltoall_downwards(Writer& writer, int at_once) {
  int const p = writer.ranks();
  for (int i = 1; i < p; ++i) {
    if ((i - 1) % at_once == 0) writer.begin_round();
    for (int r = 0; r < p; ++r) writer.message(r, (r + p - i) % p, piece_of(r, (r + p - i) % p, p));
  }
}

/// In round s a rank gives its partner in the Bine butterfly all blocks for the ranks that the partner still reaches.
void alltoall_bine(Writer& writer) {
  int const p = writer.ranks();
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
}

}  // namespace

Schedule alltoall(problem::Classical const& problem) {
  using enum problem::ClassicalAlgorithm;
  Writer writer(problem, {});
  int ports = 0;
  switch (problem.algorithm) {
    case linear:
      alltoall_straight(writer, problem.ranks);
      break;
    case spread_out:
      alltoall_straight(writer, radix_of(problem));
      break;
    case linear_sync:
      alltoall_downwards(writer, radix_of(problem));
      break;
    case pairwise:
    case two_process:
      alltoall_straight(writer, 1);
      ports = 1;
      break;
    case bruck:
      alltoall_bruck(writer, radix_of(problem));
      ports = radix_of(problem) == 2 ? 1 : 0;
      break;
    case bine:
      alltoall_bine(writer);
      ports = 1;
      break;
    default:
      throw ContractViolation("an algorithm of alltoall");
  }
  return std::move(writer).finish(ports);
}

}  // namespace rondo::generate::classical
