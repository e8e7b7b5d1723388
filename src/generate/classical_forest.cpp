#include "generate/classical_forest.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "base/error.hpp"
#include "base/index.hpp"
#include "generate/classical_reducer.hpp"
#include "generate/classical_writer.hpp"
#include "generate/forest.hpp"

namespace rondo::generate::classical {
namespace {

using Messages = std::map<std::pair<int, int>, Pieces>;

/// The pieces of a round by their ends, of each in the order in which they were chosen.
Messages messages_of(std::vector<Branch> const& round) {
  Messages messages;
  for (Branch const& each : round) messages[{each.from, each.to}].push_back(each.piece);
  return messages;
}

/// The same of a round backwards.
Messages messages_back(std::vector<Branch> const& round) {
  Messages messages;
  for (Branch const& each : round) messages[{each.to, each.from}].push_back(each.piece);
  return messages;
}

std::vector<Seedling> one_of_each_rank(int ranks, auto const& bytes) {
  std::vector<Seedling> pieces;
  for (int r = 0; r < ranks; ++r) pieces.push_back({r, bytes(r)});
  return pieces;
}

Schedule allgather_by_trees(problem::Classical const& problem) {
  Writer writer(problem, {});
  auto const size = [&](int r) { return problem.sizes.of(at(r)).value; };
  for (auto const& round : grow_forest(*problem.network, one_of_each_rank(problem.ranks, size))) {
    writer.begin_round();
    for (auto const& [ends, pieces] : messages_of(round)) writer.message(ends.first, ends.second, pieces);
  }
  return std::move(writer).finish(0);
}

Schedule bcast_by_trees(problem::Classical const& problem) {
  Cut const cut = cut_of(problem);
  Writer writer(problem, cut);
  std::vector<Seedling> segments;
  for (Bytes const size : cut.sizes) segments.push_back({problem.root, size.value});
  for (auto const& round : grow_forest(*problem.network, segments)) {
    writer.begin_round();
    for (auto const& [ends, pieces] : messages_of(round)) writer.message(ends.first, ends.second, pieces);
  }
  return std::move(writer).finish(0);
}

/// The rounds of a reduction: those of a forest on the network backwards, the last one first.
ForestRounds reduction(RoutedNetwork const& network, std::vector<Seedling> const& pieces) {
  ForestRounds rounds = grow_forest(with_ways_back(network), pieces);
  std::ranges::reverse(rounds);
  return rounds;
}

Schedule reduce_scatter_by_trees(problem::Classical const& problem) {
  std::vector<Bytes> sizes;
  for (int r = 0; r < problem.ranks; ++r) sizes.push_back(problem.sizes.of(at(r)));
  auto const size = [&](int r) { return sizes[at(r)].value; };
  ForestRounds const rounds = reduction(*problem.network, one_of_each_rank(problem.ranks, size));
  return reduced(problem, sizes, 0, [&](Reducer& reducer) {
    for (auto const& round : rounds) {
      reducer.begin_round();
      for (auto const& [ends, pieces] : messages_back(round)) {
        reducer.message(ends.first, ends.second, pieces, join_from(ends.first, ends.second));
      }
    }
  });
}

/// What lies in the pieces of each part.
Pieces pieces_in(Cut const& cut, Pieces const& parts) {
  Pieces pieces;
  for (std::uint32_t const part : parts) pieces.insert(pieces.end(), cut.parts[part].begin(), cut.parts[part].end());
  return pieces;
}

Schedule allreduce_by_trees(problem::Classical const& problem) {
  Cut const cut = cut_of(problem);
  Writer writer(problem, cut);
  auto const size = [&](int r) {
    std::int64_t bytes = 0;
    for (std::uint32_t const piece : cut.parts[at(r)]) bytes += cut.sizes[piece].value;
    return bytes;
  };
  std::vector<Seedling> const parts = one_of_each_rank(problem.ranks, size);
  auto const write = [&](Messages const& messages, bool joins) {
    writer.begin_round();
    for (auto const& [ends, of_parts] : messages) {
      Pieces const pieces = pieces_in(cut, of_parts);
      if (pieces.empty()) continue;
      writer.message(ends.first, ends.second, pieces, joins ? join_from(ends.first, ends.second) : Join::none);
    }
  };
  for (auto const& round : reduction(*problem.network, parts)) write(messages_back(round), true);
  for (auto const& round : grow_forest(*problem.network, parts)) write(messages_of(round), false);
  return std::move(writer).finish(0);
}

/// What a byte takes on the fastest way to the rank that has the slowest one, and the longest start-up.
struct Pace {
  double seconds_per_byte = 0, startup = 0;
};

Pace pace_of(RoutedNetwork const& network) {
  Pace pace;
  for (int to = 0; to < network.ranks; ++to) {
    double fastest = std::numeric_limits<double>::infinity();
    for (int from = 0; from < network.ranks; ++from) {
      if (from == to || !network.may_talk(from, to)) continue;
      double slowest = 0;
      for (ResourceUse const& each : network.way(from, to)) slowest = std::max(slowest, each.seconds_per_byte);
      fastest = std::min(fastest, slowest);
      pace.startup = std::max(pace.startup, network.startups[network.index(from, to)]);
    }
    if (std::isfinite(fastest)) pace.seconds_per_byte = std::max(pace.seconds_per_byte, fastest);
  }
  return pace;
}

}  // namespace

Bytes forest_segment(problem::Classical const& problem) {
  constexpr double most_segments = 64;
  std::int64_t const vector = problem.sizes.block.value;
  if (problem.segment > Bytes(0) || vector == 0 || problem.ranks < 3) return problem.segment;
  Pace const pace = pace_of(*problem.network);
  double const whole = static_cast<double>(vector) * pace.seconds_per_byte;
  double const depth = static_cast<double>(std::bit_width(static_cast<unsigned>(problem.ranks - 1)));
  double const segments = pace.startup > 0 ? std::sqrt(depth * whole / pace.startup) : most_segments;
  auto const count = static_cast<std::int64_t>(std::clamp(std::round(segments), 1.0, most_segments));
  return Bytes((vector + count - 1) / count);
}

Schedule forest(problem::Classical const& problem) {
  switch (problem.collective) {
    case ClassicalCollective::bcast:
      return bcast_by_trees(problem);
    case ClassicalCollective::allgather:
      return allgather_by_trees(problem);
    case ClassicalCollective::reduce_scatter:
      return reduce_scatter_by_trees(problem);
    case ClassicalCollective::allreduce:
      return allreduce_by_trees(problem);
    default:
      throw ContractViolation("a collective that forest has");
  }
}

}  // namespace rondo::generate::classical
