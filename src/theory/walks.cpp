#include "theory/walks.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include "base/index.hpp"

#include "base/error.hpp"

namespace rondo::theory {
namespace {

Walks empty(Torus const& torus, int neighbors) { return {torus, {}, std::vector<std::vector<int>>(at(neighbors))}; }

int add_step(Walks& walks, int dimension, int coordinate) {
  std::vector<int> step(walks.torus.extents().size(), 0);
  step[at(dimension)] = coordinate;
  walks.steps.push_back(std::move(step));
  return static_cast<int>(walks.steps.size()) - 1;
}

/// Which steps are taken at the same time: the first k that lead to another rank and that some block takes, and so on.
std::vector<int> groups_of(Walks const& walks, int ports) {
  std::vector<int> group(walks.steps.size(), 0);
  std::set<int> used;
  for (auto const& walk : walks.of) used.insert(walk.begin(), walk.end());
  int members = 0;
  int current = 0;
  for (int const step : used) {
    if (walks.self(step)) continue;
    if (ports > 0 && members == ports) {
      ++current;
      members = 0;
    }
    ++members;
    group[at(step)] = current;
  }
  return group;
}

struct Load {
  std::int64_t blocks = 0;
  Bytes bytes;
};

/// The messages of a rank: what it sends in each group, round of the group and step.
using Messages = std::map<std::pair<int, int>, std::map<int, Load>>;

Messages messages_of(Walks const& walks, Sharing sharing, std::vector<int> const& group, Sizes const& sizes) {
  Messages messages;
  std::map<std::pair<int, int>, int> trie;  // the node behind a node and a step; 0 is the root
  for (std::size_t i = 0; i < walks.of.size(); ++i) {
    int node = 0;
    std::pair<int, int> when{0, 0};
    for (int const step : walks.of[i]) {
      auto const [next, first] = trie.try_emplace({node, step}, static_cast<int>(trie.size()) + 1);
      node = next->second;
      if (walks.self(step)) continue;
      bool const goes_on = group[at(step)] == when.first;
      when = {group[at(step)], goes_on ? when.second + 1 : 1};
      if (sharing == Sharing::same_hops && !first) continue;
      Load& load = messages[when][step];
      ++load.blocks;
      if (!sizes.empty()) load.bytes += sizes[i];
    }
  }
  return messages;
}

}  // namespace

Walks straightforward_walks(Torus const& torus, Neighborhood const& neighborhood) {
  Walks walks = empty(torus, neighborhood.size());
  for (int i = 0; i < neighborhood.size(); ++i) {
    if (torus.is_self(neighborhood[i])) continue;
    walks.of[at(i)].push_back(static_cast<int>(walks.steps.size()));
    walks.steps.emplace_back(neighborhood[i].begin(), neighborhood[i].end());
  }
  return walks;
}

Walks unit_walks(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& dimension_order) {
  Walks walks = empty(torus, neighborhood.size());
  for (int const j : dimension_order) {
    if (torus.extent(j) == 1) continue;
    int const ahead = add_step(walks, j, +1);
    int const back = add_step(walks, j, -1);
    for (int i = 0; i < neighborhood.size(); ++i) {
      int const c = neighborhood[i][at(j)];
      walks.of[at(i)].insert(walks.of[at(i)].end(), at(std::abs(c)), c > 0 ? ahead : back);
    }
  }
  return walks;
}

Walks direct_walks(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& dimension_order) {
  Walks walks = empty(torus, neighborhood.size());
  for (int const j : dimension_order) {
    if (torus.extent(j) == 1) continue;
    std::map<int, int> step_of;
    for (int i = 0; i < neighborhood.size(); ++i) step_of[neighborhood[i][at(j)]] = 0;
    step_of.erase(0);
    for (auto& [coordinate, step] : step_of) step = add_step(walks, j, coordinate);
    for (int i = 0; i < neighborhood.size(); ++i) {
      if (int const c = neighborhood[i][at(j)]; c != 0) walks.of[at(i)].push_back(step_of.at(c));
    }
  }
  return walks;
}

Walks step_walks(Torus const& torus, Decomposition const& decomposition) {
  return {torus, decomposition.steps, decomposition.uses};
}

Counts count(Walks const& walks, Sharing sharing, int ports, Sizes const& sizes) {
  expects(sizes.empty() || sizes.size() == walks.of.size(), "one size a neighbor");
  Messages const messages = messages_of(walks, sharing, groups_of(walks, ports), sizes);
  Counts counts{static_cast<std::int64_t>(messages.size())};
  for (auto const& [round, loads] : messages) {
    Load largest;
    for (auto const& [step, load] : loads) {
      counts.volume_blocks += load.blocks;
      counts.volume_bytes += load.bytes;
      largest = {std::max(largest.blocks, load.blocks), std::max(largest.bytes, load.bytes)};
    }
    counts.critical_blocks += largest.blocks;
    counts.critical_bytes += largest.bytes;
  }
  return counts;
}

}  // namespace rondo::theory
