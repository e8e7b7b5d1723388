// Tries several ways to grow and pack trees, and takes the fastest by a simulation of the network (forest_times.hpp).

#include "generate/forest.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>

#include "base/error.hpp"
#include "base/index.hpp"
#include "generate/forest_growth.hpp"
#include "generate/forest_ring.hpp"
#include "generate/forest_times.hpp"
#include "generate/forest_trees.hpp"

namespace rondo::generate {
namespace {

constexpr double close = 1.02;            ///< a forest within 2 % of the lower bound is accepted, and no other is tried
constexpr double same_length = 1 + 1e-9;  ///< ratio of two lengths that only differ by rounding

/// A time that is hard to beat, as a bound: the bytes that some rank lacks, over the capacity of the last resources of
/// all routes to it.
double fastest(RoutedNetwork const& network, std::vector<SourcePiece> const& pieces) {
  double longest = 0;
  for (int to = 0; to < network.ranks; ++to) {
    std::map<int, double> last;
    for (int from = 0; from < network.ranks; ++from) {
      if (from == to || network.way(from, to).empty()) continue;
      ResourceUse const& use = network.way(from, to).back();
      last[use.resource] = use.seconds_per_byte > 0 ? 1 / use.seconds_per_byte : 0;
    }
    double capacity = 0, bytes = 0;
    for (auto const& [resource, each] : last) capacity += each;
    for (SourcePiece const& each : pieces) bytes += each.origin == to ? 0 : static_cast<double>(each.bytes);
    if (capacity > 0) longest = std::max(longest, bytes / capacity);
  }
  return longest;
}

/// Candidates for the length of a round: the times for which the largest piece occupies a resource.
std::vector<double> round_lengths(RoutedNetwork const& network, std::vector<SourcePiece> const& pieces) {
  std::int64_t largest = 0;
  for (SourcePiece const& each : pieces) largest = std::max(largest, each.bytes);
  std::vector<double> lengths;
  for (auto const& way : network.ways) {
    for (ResourceUse const& each : way) lengths.push_back(static_cast<double>(largest) * each.seconds_per_byte);
  }
  std::ranges::sort(lengths);
  auto const same = [](double a, double b) { return b <= a * same_length; };
  lengths.erase(std::unique(lengths.begin(), lengths.end(), same), lengths.end());
  // If there are many different lengths, only some of them are tried.
  constexpr std::size_t most = 4;
  while (lengths.size() > most) lengths.erase(lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2));
  return lengths;
}

/// Ways to pack: those few that take the least time by rounds.
class Trials {
 public:
  Trials(RoutedNetwork const& network, std::vector<SourcePiece> const& pieces) : network_(network), pieces_(pieces) {}

  /// Keeps the packing if it is among the best few by the time of its rounds, a cheap estimate.
  void add(ForestRounds rounds) {
    constexpr std::size_t few = 8;
    double const time = seconds_by_rounds(network_, pieces_, rounds);
    // Most likely the same rounds again.
    constexpr double same = 1e-4;
    if (auto const near = best_.lower_bound(time * (1 - same)); near != best_.end() && near->first < time * (1 + same))
      return;
    if (best_.size() == few && time >= best_.rbegin()->first) return;
    best_.emplace(time, std::move(rounds));
    if (best_.size() > few) best_.erase(std::prev(best_.end()));
  }
  bool none() const { return best_.empty(); }
  double least_s() const { return none() ? std::numeric_limits<double>::infinity() : best_.begin()->first; }

  /// Simulates the best few, and takes the fastest; of two that are equally fast, the one with fewer messages.
  Forest fastest() && {
    constexpr double faster = 0.999;  // else fewer messages are better
    double smallest = std::numeric_limits<double>::infinity();
    Forest best;
    for (auto& [by_rounds, rounds] : best_) {
      for (bool const apart : {false, true}) {
        if (apart && !network_.many_are_free) continue;
        double const time = seconds_of(network_, pieces_, rounds, apart);
        if (time >= faster * smallest) continue;
        smallest = time;
        best = {rounds, apart};
      }
    }
    return best;
  }

 private:
  RoutedNetwork const& network_;
  std::vector<SourcePiece> const& pieces_;
  std::multimap<double, ForestRounds> best_;
};

}  // namespace

/// The network with every route reversed: trees on it, read backwards, carry contributions to a root.
RoutedNetwork with_reversed_routes(RoutedNetwork const& network) {
  RoutedNetwork result = network;
  for (int from = 0; from < network.ranks; ++from) {
    for (int to = 0; to < network.ranks; ++to) {
      auto const& way = network.ways[network.index(to, from)];
      result.ways[network.index(from, to)].assign(way.rbegin(), way.rend());
      result.startups[network.index(from, to)] = network.startups[network.index(to, from)];
      if (!network.linked.empty()) result.linked[network.index(from, to)] = network.may_talk(to, from);
    }
  }
  return result;
}

/// Tries methods from the cheapest to the most expensive: rings, packed trees (for several lengths of rounds), and
/// greedy growth (for several rules). It stops when a forest is close to the lower bound.
Forest grow_forest(RoutedNetwork const& network, std::vector<SourcePiece> const& pieces) {
  if (network.ranks < 2 || pieces.empty()) return {};
  double enough = close * fastest(network, pieces);
  Trials trials(network, pieces);
  auto const is_enough = [&] { return trials.least_s() <= enough; };
  for (ForestRounds& rounds : along_ring(network, pieces)) trials.add(std::move(rounds));
  if (is_enough()) return std::move(trials).fastest();
  for (PackedTrees const& packed : pack_trees(network, pieces)) {
    enough = std::max(enough, close * packed.at_least_s);
    bool const many = pieces.size() * at(network.ranks) > 4096;
    for (int n = 1; n <= 64; n = many ? 2 * n : n + 1 + n / 16) {
      for (double const room : {1.001, 1.03}) {
        trials.add(rounds_of_trees(network, pieces, packed.parents, packed.busiest_s * room / n));
      }
    }
  }
  std::size_t const most = 4 * (pieces.size() + at(network.ranks));
  for (double const length : round_lengths(network, pieces)) {
    for (bool const waits : {false, true}) {
      for (double const detour : {1.0, 1.5, 4.0}) {
        if (is_enough()) return std::move(trials).fastest();
        if (auto grown = grow(network, pieces, {length, detour, waits}, most)) trials.add(std::move(*grown));
      }
    }
  }
  expects(!trials.none(), "a way from each rank to each");
  return std::move(trials).fastest();
}

}  // namespace rondo::generate
