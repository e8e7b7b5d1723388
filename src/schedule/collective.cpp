#include "schedule/collective.hpp"

namespace rondo {
namespace {

std::vector<Content> held_by(IsomorphicAlltoall const& c, Rank rank) {
  std::vector<Content> blocks;
  blocks.reserve(static_cast<std::size_t>(c.neighborhood.size()));
  for (int i = 0; i < c.neighborhood.size(); ++i) blocks.push_back({rank, BlockId(static_cast<std::uint32_t>(i))});
  return blocks;
}

std::vector<std::optional<Content>> owed_to(IsomorphicAlltoall const& c, Rank rank) {
  std::vector<std::optional<Content>> blocks;
  blocks.reserve(static_cast<std::size_t>(c.neighborhood.size()));
  for (int i = 0; i < c.neighborhood.size(); ++i) {
    blocks.push_back(Content{c.torus.subtract(rank, c.neighborhood[i]), BlockId(static_cast<std::uint32_t>(i))});
  }
  return blocks;
}

int ranks_of(IsomorphicAlltoall const& c) { return c.torus.size(); }

}  // namespace

int ranks(Collective const& collective) {
  return std::visit([](auto const& c) { return ranks_of(c); }, collective);
}

std::vector<Content> held(Collective const& collective, Rank rank) {
  return std::visit([&](auto const& c) { return held_by(c, rank); }, collective);
}

std::vector<std::optional<Content>> owed(Collective const& collective, Rank rank) {
  return std::visit([&](auto const& c) { return owed_to(c, rank); }, collective);
}

}  // namespace rondo
