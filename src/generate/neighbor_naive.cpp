// Each rank sends each target its block in one round, as MPI libraries do by default.

#include <algorithm>

#include "generate/neighbor_blocks.hpp"

namespace rondo::generate {
namespace {

/// A rank whose edges all lead to itself has no round.
ProgramBuilder naive_program(NeighborBlocks const& blocks, Rank rank) {
  ProgramBuilder builder(blocks.layout(rank));
  blocks.copy_self_loops(builder, rank);
  auto const targets = blocks.graph().targets(rank);
  auto const sources = blocks.graph().sources(rank);
  auto const away = [&](Neighbor const& neighbor) { return neighbor.rank != rank; };
  if (std::ranges::none_of(targets, away) && std::ranges::none_of(sources, away)) return builder;
  builder.reserve(targets.size() + sources.size());
  builder.begin_round();
  for (std::uint32_t j = 0; j < sources.size(); ++j) {
    Place const into = receive_slot(j);
    if (away(sources[j])) builder.receive(sources[j].rank.value, {&into, 1});
  }
  for (std::uint32_t i = 0; i < targets.size(); ++i) {
    Place const from = blocks.place(i);
    if (away(targets[i])) builder.send(targets[i].rank.value, {&from, 1});
  }
  return builder;
}

}  // namespace

Schedule neighbor_naive(problem::Neighbor const& problem) {
  NeighborBlocks const blocks(problem);
  std::vector<ProgramBuilder> builders;
  for (std::int32_t r = 0; r < blocks.graph().ranks(); ++r) builders.push_back(naive_program(blocks, Rank(r)));
  return schedule_of(std::move(builders));
}

}  // namespace rondo::generate
