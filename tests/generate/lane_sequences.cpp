#include "generate/lane_sequences.hpp"

#include <cstdlib>
#include <map>
#include <set>

#include "base/ids.hpp"

namespace rondo::lane_sequences {
namespace {

using State = std::vector<int>;  // by neighbor: hops taken

/// All ways to move blocks on by one set of numbers. A block that could move and does not gains nothing, so that all
/// that can do so move.
void successors(Hops const& hops, State const& state, int ports, std::set<State>& next) {
  std::set<int> awaited;
  for (std::size_t i = 0; i < hops.size(); ++i) {
    if (at(state[i]) < hops[i].size()) awaited.insert(hops[i][at(state[i])]);
  }
  std::vector<int> const numbers(awaited.begin(), awaited.end());
  for (unsigned chosen = 1; chosen < 1U << numbers.size(); ++chosen) {
    if (__builtin_popcount(chosen) > ports) continue;
    State moved = state;
    for (std::size_t i = 0; i < hops.size(); ++i) {
      for (std::size_t n = 0; n < numbers.size(); ++n) {
        if (((chosen >> n) & 1U) == 0 || at(state[i]) >= hops[i].size()) continue;
        if (hops[i][at(state[i])] == numbers[n]) ++moved[i];
      }
    }
    next.insert(moved);
  }
}

}  // namespace

Hops unit_hops(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& order) {
  Hops hops(at(neighborhood.size()));
  for (int i = 0; i < neighborhood.size(); ++i) {
    for (int const j : order) {
      int const c = neighborhood[i][at(j)];
      if (torus.extent(j) > 1) hops[at(i)].insert(hops[at(i)].end(), at(std::abs(c)), 2 * j + (c < 0 ? 1 : 0));
    }
  }
  return hops;
}

Hops direct_hops(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& order) {
  std::map<std::pair<int, int>, int> numbers;
  Hops hops(at(neighborhood.size()));
  for (int i = 0; i < neighborhood.size(); ++i) {
    for (int const j : order) {
      int const c = neighborhood[i][at(j)];
      if (c % torus.extent(j) == 0) continue;
      hops[at(i)].push_back(numbers.try_emplace({j, c}, static_cast<int>(numbers.size())).first->second);
    }
  }
  return hops;
}

int fewest_rounds(Hops const& hops, int ports) {
  State end;
  for (auto const& each : hops) end.push_back(static_cast<int>(each.size()));
  std::set<State> reached{State(hops.size(), 0)};
  int rounds = 0;
  for (; !reached.contains(end); ++rounds) {
    std::set<State> next;
    for (State const& state : reached) successors(hops, state, ports, next);
    reached = std::move(next);
  }
  return rounds;
}

}  // namespace rondo::lane_sequences
