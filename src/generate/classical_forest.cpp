// Generates collectives whose pieces travel along trees that are packed for the machine (generate/forest.hpp), and
// chooses the size of the pieces. Small pieces use the network evenly; large pieces save start-ups.

#include "generate/classical_forest.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "base/ids.hpp"
#include "generate/classical.hpp"
#include "generate/classical_reducer.hpp"
#include "generate/classical_writer.hpp"
#include "generate/forest.hpp"

namespace rondo::generate::classical {
namespace {

/// The two ends of a message.
struct TreeEnds {
  int from = 0, to = 0;
};
/// The messages of a round, with their ends and their pieces.
using Messages = std::vector<std::pair<TreeEnds, Pieces>>;
/// Whether messages go from the root of a tree to its leaves, or back with contributions.
enum class TreeDirection : std::uint8_t { forth, back };

/// Makes the messages of a round, sorted by their ends. A message holds all pieces that pass from one rank to another
/// in the round, in the order in which they were chosen. If `forest.apart` is set, each piece is a message of its own.
Messages messages_of(Forest const& forest, std::vector<Branch> const& round, TreeDirection direction) {
  std::map<std::pair<int, int>, Pieces> by_ends;
  for (Branch const& each : round) {
    bool const back = direction == TreeDirection::back;
    by_ends[{back ? each.to : each.from, back ? each.from : each.to}].push_back(each.piece);
  }
  Messages messages;
  for (auto const& [ends, pieces] : by_ends) {
    TreeEnds const of{ends.first, ends.second};
    if (!forest.apart) messages.emplace_back(of, pieces);
    for (std::size_t i = 0; forest.apart && i < pieces.size(); ++i) messages.emplace_back(of, Pieces{pieces[i]});
  }
  return messages;
}

/// The pieces of the blocks of all ranks, rank by rank.
struct BlockPieces {
  std::vector<Bytes> sizes;
  std::vector<SourcePiece> source_pieces;
};
/// Divides the block of each rank into the same number of pieces. If a block cannot be divided evenly, its first pieces
/// are one byte longer.
BlockPieces block_pieces(problem::Classical const& problem) {
  BlockPieces blocks;
  auto const n = static_cast<std::int64_t>(forest_pieces(problem));
  for (int r = 0; r < problem.ranks; ++r) {
    std::int64_t const bytes = problem.sizes.of(at(r)).value;
    for (std::int64_t k = 0; k < n; ++k) {
      blocks.sizes.emplace_back(bytes / n + (k < bytes % n ? 1 : 0));
      blocks.source_pieces.push_back({r, blocks.sizes.back().value});
    }
  }
  return blocks;
}

/// Writes the rounds of a forest from the roots to the leaves.
void write(Writer& writer, Forest const& forest) {
  for (auto const& round : forest.rounds) {
    writer.begin_round();
    for (auto const& [ends, pieces] : messages_of(forest, round, TreeDirection::forth))
      writer.message(ends.from, ends.to, pieces);
  }
}

}  // namespace

/// If no block is divided, the pieces are the blocks, and the Cut stays empty.
Schedule allgather_forest(problem::Classical const& problem) {
  BlockPieces const blocks = block_pieces(problem);
  bool const whole = blocks.sizes.size() == at(problem.ranks);
  Writer writer(problem, whole ? Cut() : Cut{blocks.sizes, {}});
  write(writer, grow_forest(*problem.network, blocks.source_pieces));
  return std::move(writer).finish(0);
}

/// All segments have the same origin, but each has its own tree.
Schedule bcast_forest(problem::Classical const& problem) {
  Cut const cut = cut_of(problem);
  Writer writer(problem, cut);
  std::vector<SourcePiece> segments;
  for (Bytes const size : cut.sizes) segments.push_back({problem.root, size.value});
  write(writer, grow_forest(*problem.network, segments));
  return std::move(writer).finish(0);
}

namespace {

/// Makes the rounds of a reduction: grows a forest on the network with reversed routes, and reverses the order of its
/// rounds. The branches still lead from the root to the leaves; messages_of turns them with TreeDirection::back.
Forest reduction(RoutedNetwork const& network, std::vector<SourcePiece> const& pieces) {
  Forest forest = grow_forest(with_reversed_routes(network), pieces);
  std::ranges::reverse(forest.rounds);
  return forest;
}

}  // namespace

/// Each piece is reduced along the tree of an allgather on the reversed network, from the leaves to the root.
Schedule reduce_scatter_forest(problem::Classical const& problem) {
  BlockPieces const blocks = block_pieces(problem);
  Forest const forest = reduction(*problem.network, blocks.source_pieces);
  return reduced(problem, blocks.sizes, 0, [&](Reducer& reducer) {
    for (auto const& round : forest.rounds) {
      reducer.begin_round();
      for (auto const& [ends, pieces] : messages_of(forest, round, TreeDirection::back)) {
        reducer.message(ends.from, ends.to, pieces, join_from(ends.from, ends.to));
      }
    }
  });
}

namespace {

/// Lists the pieces of these parts of the cut.
Pieces pieces_in(Cut const& cut, Pieces const& parts) {
  Pieces pieces;
  for (std::uint32_t const part : parts) pieces.insert(pieces.end(), cut.parts[part].begin(), cut.parts[part].end());
  return pieces;
}

}  // namespace

/// Part k is reduced at rank k mod p, and then spread from there to all ranks. Parts without pieces are left out.
Schedule allreduce_forest(problem::Classical const& problem) {
  Cut const cut = cut_of(problem);
  Writer writer(problem, cut);
  std::vector<SourcePiece> parts;
  for (std::size_t k = 0; k < cut.parts.size(); ++k) {
    std::int64_t bytes = 0;
    for (std::uint32_t const piece : cut.parts[k]) bytes += cut.sizes[piece].value;
    parts.push_back({static_cast<int>(k % at(problem.ranks)), bytes});
  }
  auto const write_round = [&](Messages const& messages, bool joins) {
    writer.begin_round();
    for (auto const& [ends, of_parts] : messages) {
      Pieces const pieces = pieces_in(cut, of_parts);
      if (pieces.empty()) continue;
      writer.message(ends.from, ends.to, pieces, joins ? join_from(ends.from, ends.to) : Join::none);
    }
  };
  Forest const to_parts = reduction(*problem.network, parts), from_parts = grow_forest(*problem.network, parts);
  for (auto const& round : to_parts.rounds) write_round(messages_of(to_parts, round, TreeDirection::back), true);
  for (auto const& round : from_parts.rounds) write_round(messages_of(from_parts, round, TreeDirection::forth), false);
  return std::move(writer).finish(0);
}

namespace {

/// The time of a byte on the slowest route that no tree can avoid, and the longest start-up of any route.
struct SlowestRoute {
  double seconds_per_byte = 0, startup = 0;
};

/// Finds the slowest route that no spanning tree can avoid. The size of the pieces is chosen for this route.
SlowestRoute pace_of(RoutedNetwork const& network) {
  SlowestRoute pace;
  constexpr double far = std::numeric_limits<double>::infinity();
  // Prim's algorithm: a tree whose slowest route is as fast as possible grows from rank 0, always along the fastest
  // route.
  std::vector<double> fastest(at(network.ranks), far);
  std::vector<bool> reached(fastest.size(), false);
  for (int rank = 0, left = network.ranks; left > 0; --left) {
    reached[at(rank)] = true;
    for (int to = 0; to < network.ranks; ++to) {
      if (to == rank || !network.may_talk(rank, to)) continue;
      double slowest = 0;
      for (ResourceUse const& each : network.way(rank, to)) slowest = std::max(slowest, each.seconds_per_byte);
      fastest[at(to)] = std::min(fastest[at(to)], slowest);
      pace.startup = std::max(pace.startup, network.startups[network.index(rank, to)]);
    }
    std::optional<int> next;
    for (int to = 0; to < network.ranks; ++to) {
      if (!reached[at(to)] && (!next || fastest[at(to)] < fastest[at(*next)])) next = to;
    }
    if (!next) break;
    rank = *next;
    if (fastest[at(rank)] < far) pace.seconds_per_byte = std::max(pace.seconds_per_byte, fastest[at(rank)]);
  }
  return pace;
}

/// The number of start-ups for which a piece should keep the slowest route busy. Smaller pieces cost more in messages
/// than they gain.
constexpr double startups_a_piece = 4;
/// The most pieces of all blocks together, unless there are more blocks. A quarter of it holds for more than 24 ranks.
constexpr std::int64_t most_pieces = 192;

}  // namespace

Bytes forest_segment(problem::Classical const& problem) {
  constexpr double most_segments = 64;
  std::int64_t const vector = problem.sizes.block.value;
  if (problem.segment > Bytes(0) || vector == 0 || problem.ranks < 3) return problem.segment;
  SlowestRoute const pace = pace_of(*problem.network);
  double const whole = static_cast<double>(vector) * pace.seconds_per_byte;
  double const depth = static_cast<double>(std::bit_width(static_cast<unsigned>(problem.ranks - 1)));
  double const segments = pace.startup > 0 ? std::sqrt(depth * whole / pace.startup) : most_segments;
  // A power of two, so that several NICs share the segments evenly.
  double const even = std::exp2(std::round(std::log2(std::max(segments, 1.0))));
  auto const count = static_cast<std::int64_t>(std::min(even, most_segments));
  return Bytes((vector + count - 1) / count);
}

std::uint32_t forest_pieces(problem::Classical const& problem) {
  if (problem.ranks < 3) return 1;
  std::int64_t bytes = 0;
  for (int r = 0; r < problem.ranks; ++r) bytes += problem.sizes.of(at(r)).value;
  SlowestRoute const pace = pace_of(*problem.network);
  bool const of_parts = problem.collective == ClassicalCollective::allreduce;
  double const all = static_cast<double>(of_parts ? problem.sizes.block.value : bytes) * pace.seconds_per_byte;
  double const pieces_of_all = pace.startup > 0 ? all / (startups_a_piece * pace.startup) : most_pieces;
  std::int64_t const most = std::clamp<std::int64_t>(most_pieces / problem.ranks / (problem.ranks > 24 ? 4 : 1), 1, 16);
  double const each = pieces_of_all / problem.ranks;
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(std::llround(each), 1, most));
}

}  // namespace rondo::generate::classical
