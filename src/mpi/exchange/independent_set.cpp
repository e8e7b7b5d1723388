// Each round of Luby's algorithm is an exchange: active vertices draw numbers, and the least one of its neighborhood
// joins the set.

#include "mpi/exchange/independent_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace rondo::mpi {

namespace {

/// Sends `value` to each neighbor, and calls `heard` with the value of each neighbor.
template <Packable T, typename Received>
void tell_neighbors(Vertex const& vertex, T const& value, Received const& heard) {
  std::vector<std::byte> extra(vertex.extra_bytes);
  for (Rank const neighbor : vertex.neighbors) {
    vertex.exchange.pack(value, neighbor);
    vertex.exchange.pack_bytes(extra.data(), extra.size(), neighbor);
  }
  vertex.exchange.exchange();
  while (vertex.exchange.receive()) {
    auto const theirs = vertex.exchange.unpack<T>();
    vertex.exchange.unpack_bytes(extra.data(), extra.size());
    heard(theirs, vertex.exchange.from());
  }
}

/// The message of [Ibanez15, Listing 2]: the random number of a vertex in this round, and whether the vertex is still
/// active. A vertex that takes part is active until it or a neighbor joins the set.
struct VertexMessage {
  std::uint64_t number = 0;
  std::uint64_t active = 0;
};

/// Collective. Whether the number of this vertex is smaller than those of all its active neighbors.
bool is_least(Vertex const& vertex, VertexMessage const& mine) {
  bool least = true;
  tell_neighbors(vertex, mine, [&](VertexMessage const& theirs, Rank) {
    if (theirs.active != 0 && mine.number >= theirs.number) least = false;
  });
  return least;
}

/// Collective. Whether a neighbor has joined the set in this round.
bool has_chosen_neighbor(Vertex const& vertex, bool chosen) {
  bool found = false;
  tell_neighbors(vertex, chosen, [&](bool theirs, Rank) { found = found || theirs; });
  return found;
}

/// The fault that a message came from a rank that is not a neighbor; empty if it is a neighbor.
std::string fault_of_sender(Vertex const& vertex, Rank from) {
  bool const is_neighbor = std::find(vertex.neighbors.begin(), vertex.neighbors.end(), from) != vertex.neighbors.end();
  if (is_neighbor) return "";
  return fmt::format("rank {} hears from {}, which is no neighbor", vertex.exchange.rank().value, from.value);
}

}  // namespace

/// Runs rounds until no vertex is active. A vertex that joins the set, and each of its neighbors, becomes inactive.
IndependentSet independent_set(Vertex const& vertex, bool takes_part, Random& random) {
  IndependentSet result;
  bool active = takes_part;
  for (; vertex.reductions.any(active); ++result.rounds) {
    bool const least = is_least(vertex, {random.bits(), active ? 1u : 0u});
    bool const chosen = active && least;
    result.member = result.member || chosen;
    bool const beside_chosen = has_chosen_neighbor(vertex, chosen);
    active = active && !chosen && !beside_chosen;
  }
  return result;
}

/// Computes independent sets of the vertices that have no color yet. Each set gets the next color.
Coloring coloring(Vertex const& vertex, Random& random) {
  Coloring result;
  while (vertex.reductions.any(result.color < 0)) {
    IndependentSet const set = independent_set(vertex, result.color < 0, random);
    if (set.member) result.color = result.colors;
    ++result.colors;
    result.rounds += set.rounds;
  }
  return result;
}

std::string fault_in_set(Vertex const& vertex, bool member) {
  int const rank = vertex.exchange.rank().value;
  bool covered = member;
  std::string wrong;
  std::size_t heard = 0;
  tell_neighbors(vertex, member, [&](bool theirs, Rank from) {
    ++heard;
    covered = covered || theirs;
    if (wrong.empty()) wrong = fault_of_sender(vertex, from);
    if (wrong.empty() && member && theirs) {
      wrong = fmt::format("ranks {} and {} are neighbors, and both in the set", rank, from.value);
    }
  });
  if (wrong.empty() && heard != vertex.neighbors.size()) {
    wrong = fmt::format("rank {} hears from {} of {} neighbors", rank, heard, vertex.neighbors.size());
  }
  if (wrong.empty() && !covered) wrong = fmt::format("neither rank {} nor a neighbor of it is in the set", rank);
  return wrong;
}

std::string fault_in_coloring(Vertex const& vertex, int color) {
  int const rank = vertex.exchange.rank().value;
  std::vector<int> seen;
  std::string wrong = color < 0 ? fmt::format("rank {} has no color", rank) : "";
  tell_neighbors(vertex, color, [&](int theirs, Rank from) {
    seen.push_back(theirs);
    if (wrong.empty()) wrong = fault_of_sender(vertex, from);
    if (wrong.empty() && theirs == color) {
      wrong = fmt::format("ranks {} and {} are neighbors, and both of color {}", rank, from.value, color);
    }
  });
  if (wrong.empty() && seen.size() != vertex.neighbors.size()) {
    wrong = fmt::format("rank {} hears from {} of {} neighbors", rank, seen.size(), vertex.neighbors.size());
  }
  for (int before = 0; before < color && wrong.empty(); ++before) {
    if (std::find(seen.begin(), seen.end(), before) != seen.end()) continue;
    wrong = fmt::format("rank {} has color {}, and no neighbor of color {}", rank, color, before);
  }
  return wrong;
}

}  // namespace rondo::mpi
