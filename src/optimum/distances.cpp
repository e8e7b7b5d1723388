// Distances come from Dijkstra's algorithm. Sources may be added later: they only shorten distances, so the search
// goes on from them. The length of trees is bounded from below by dual ascent [Wong84]: a cut that separates an end
// from the root is raised as long as its links have length left.

#include "optimum/distances.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/ids.hpp"
#include "base/units.hpp"

namespace rondo::optimum {

Adjacency::Adjacency(Network const& network, bool turned) : from_(at(network.vertices)), into_(at(network.vertices)) {
  for (std::size_t i = 0; i < network.links.size(); ++i) {
    int from = network.links[i].from, to = network.links[i].to;
    if (turned) std::swap(from, to);
    from_[at(from)].push_back({to, i});
    into_[at(to)].push_back({from, i});
    tails_.push_back(from);
  }
}

void Distances::clear() {
  distance.assign(ways_.vertices(), out_of_reach);
  by.assign(ways_.vertices(), -1);
}

void Distances::add_source(int vertex) {
  distance[at(vertex)] = 0;
  by[at(vertex)] = -1;
  queue_.emplace(0, vertex);
}

void Distances::measure(Lengths const& lengths) {
  order.clear();
  while (!queue_.empty()) {
    auto const [far, v] = queue_.top();
    queue_.pop();
    if (far != distance[at(v)]) continue;  // a shorter way was found after this entry
    order.push_back(v);
    for (Adjacency::Step const& step : ways_.from(v)) {
      std::int64_t const there = far + lengths[step.link];
      if (there >= distance[at(step.vertex)]) continue;
      distance[at(step.vertex)] = there;
      by[at(step.vertex)] = static_cast<std::int64_t>(step.link);
      queue_.emplace(there, step.vertex);
    }
  }
}

namespace {

/// The ranks of a set.
std::vector<int> listed(RankSet const& set, int ranks) {
  std::vector<int> all = set.listed;
  if (set.all) {
    all.resize(at(ranks));
    std::iota(all.begin(), all.end(), 0);
  }
  return all;
}

Tree tree(bool turned, std::vector<int> roots, std::vector<int> ends) {
  std::ranges::sort(roots);
  std::ranges::sort(ends);
  std::erase_if(ends, [&](int end) { return std::ranges::binary_search(roots, end); });
  return {turned, std::move(roots), std::move(ends), 0};
}

/// Of a reduction: who is reached from `first` over the owings, one after the other. A vector with its contribution
/// passes from rank to rank on each of them, so that their links together hold ways to all of these.
std::vector<int> reached(int first, std::vector<std::vector<int>> const& next) {
  std::vector<bool> seen(next.size(), false);
  std::vector<int> found{first};
  seen[at(first)] = true;
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (int const to : next[at(found[i])]) {
      if (seen[at(to)]) continue;
      seen[at(to)] = true;
      found.push_back(to);
    }
  }
  return found;
}

Tree tree_of_joined(Item const& item, int ranks) {
  Requirement const& first = item.owed.front();
  // Who is owed what all contribute to is owed it by everybody; one of all is enough.
  if (first.from.all && first.to.all) return tree(false, {0}, listed(first.to, ranks));
  if (first.from.all) return tree(true, {first.to.listed.front()}, listed(first.from, ranks));
  std::vector<std::vector<int>> next(at(ranks)), before(at(ranks));
  for (Requirement const& each : item.owed) {
    for (int const from : listed(each.from, ranks)) {
      for (int const to : listed(each.to, ranks)) {
        next[at(from)].push_back(to);
        before[at(to)].push_back(from);
      }
    }
  }
  Tree best;
  for (int r = 0; r < ranks; ++r) {
    for (bool const turned : {false, true}) {
      std::vector<int> ends = reached(r, turned ? before : next);
      if (ends.size() > best.ends.size() + 1) best = tree(turned, {r}, std::move(ends));
    }
  }
  return best;
}

/// Raises cuts before ends until links without a rest lead to all of them.
class DualAscent {
 public:
  DualAscent(Adjacency const& ways, Tree const& tree, Lengths const& lengths)
      : ways_(ways), rest_(lengths), is_root_(ways.vertices(), false), inside_(ways.vertices(), 0) {
    for (int const root : tree.roots) is_root_[at(root)] = true;
    for (int const end : tree.ends) open_.push_back({1, end});
  }

  /// The sum of the cuts; unset where an end is out of reach.
  std::optional<std::int64_t> climb() {
    while (!open_.empty()) {
      // The smallest set first, and sets only grow.
      auto const next = std::ranges::min_element(open_);
      auto const known = next->first;
      if (!collect(next->second)) {  // a root is behind it
        *next = open_.back();
        open_.pop_back();
        continue;
      }
      next->first = before_.size();
      if (next->first == known && !raise()) return std::nullopt;
    }
    return sum_;
  }
  /// What is left of the lengths.
  Lengths const& rest() const { return rest_; }

 private:
  /// The vertices from which links without a rest lead to an end; whether there is no root among them.
  bool collect(int end) {
    ++turn_;
    before_ = {end};
    inside_[at(end)] = turn_;
    for (std::size_t i = 0; i < before_.size(); ++i) {
      for (Adjacency::Step const& step : ways_.into(before_[i])) {
        if (rest_[step.link] > 0 || is_inside(step.vertex)) continue;
        if (is_root_[at(step.vertex)]) return false;
        inside_[at(step.vertex)] = turn_;
        before_.push_back(step.vertex);
      }
    }
    return true;
  }
  bool is_inside(int vertex) const { return inside_[at(vertex)] == turn_; }

  /// Takes the least rest of the links into this set from all of them: each tree has one of these links.
  bool raise() {
    std::int64_t least = out_of_reach;
    for_links_in([&](std::size_t link) { least = std::min(least, rest_[link]); });
    if (least == out_of_reach) return false;
    for_links_in([&](std::size_t link) { rest_[link] -= least; });
    sum_ = checked_sum(sum_, least);
    return true;
  }

  template <typename Take>
  void for_links_in(Take const& take) const {
    for (int const v : before_) {
      for (Adjacency::Step const& step : ways_.into(v)) {
        if (!is_inside(step.vertex)) take(step.link);
      }
    }
  }

  Adjacency const& ways_;
  Lengths rest_;
  std::vector<bool> is_root_;
  std::vector<int> inside_;  ///< by vertex: the last turn in which it was
  int turn_ = 0;
  std::vector<int> before_;
  std::vector<std::pair<std::size_t, int>> open_;  ///< ends with the size that their sets had
  std::int64_t sum_ = 0;
};

Distances distances_from(Adjacency const& ways, std::vector<int> const& roots) {
  Distances distances(ways);
  distances.clear();
  for (int const root : roots) distances.add_source(root);
  return distances;
}

/// The nearest end is joined to the tree, again and again.
std::vector<std::size_t> joined_one_by_one(Adjacency const& ways, Tree const& tree, Lengths const& lengths) {
  Distances distances = distances_from(ways, tree.roots);
  std::vector<std::size_t> links;
  std::vector<int> open = tree.ends;
  while (!open.empty()) {
    distances.measure(lengths);
    auto const nearest = std::ranges::min_element(open, {}, [&](int end) { return distances.distance[at(end)]; });
    int v = *nearest;
    open.erase(nearest);
    while (distances.by[at(v)] >= 0) {
      auto const link = at(distances.by[at(v)]);
      links.push_back(link);
      distances.add_source(v);
      v = ways.tail(link);
    }
  }
  return links;
}

/// Of all links, or of those that cuts have used up: these lead to all ends, and often the shortest trees are of them.
std::vector<std::size_t> short_tree(Adjacency const& ways, Tree const& tree, Lengths const& lengths,
                                    Lengths const& rest) {
  constexpr std::int64_t longer_than_all = std::int64_t{1} << 45;
  Lengths used_up = lengths;
  for (std::size_t i = 0; i < used_up.size(); ++i) used_up[i] += rest[i] > 0 ? longer_than_all : 0;
  std::vector<std::size_t> of_all = joined_one_by_one(ways, tree, lengths);
  std::vector<std::size_t> of_used = joined_one_by_one(ways, tree, used_up);
  auto const length = [&](std::vector<std::size_t> const& links) {
    std::int64_t sum = 0;
    for (std::size_t const link : links) sum += lengths[link];
    return sum;
  };
  return length(of_used) < length(of_all) ? of_used : of_all;
}

}  // namespace

/// The trees of a demand; equal trees are one, with the sum of their bytes.
std::vector<Tree> trees_of(Demand const& demand) {
  using Key = std::tuple<bool, std::vector<int>, std::vector<int>>;
  std::map<Key, std::int64_t> bytes;
  for (Item const& item : demand.items) {
    if (item.bytes <= 0 || item.owed.empty()) continue;
    Requirement const& first = item.owed.front();
    Tree const found = item.joined ? tree_of_joined(item, demand.ranks)
                                   : tree(false, listed(first.from, demand.ranks), listed(first.to, demand.ranks));
    if (found.ends.empty()) continue;
    std::int64_t& sum = bytes[{found.turned, found.roots, found.ends}];
    sum = checked_sum(sum, item.bytes);
  }
  std::vector<Tree> trees;
  for (auto const& [key, sum] : bytes) trees.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), sum});
  return trees;
}

std::optional<TreeLength> length_of(Adjacency const& ways, Tree const& tree, Lengths const& lengths, TreeLinks links) {
  DualAscent ascent(ways, tree, lengths);
  auto const by_cuts = ascent.climb();
  if (!by_cuts) return std::nullopt;
  TreeLength length{*by_cuts};
  Distances distances = distances_from(ways, tree.roots);
  distances.measure(lengths);
  for (int const end : tree.ends) length.at_least = std::max(length.at_least, distances.distance[at(end)]);
  if (links == TreeLinks::wanted) length.links = short_tree(ways, tree, lengths, ascent.rest());
  return length;
}

}  // namespace rondo::optimum
