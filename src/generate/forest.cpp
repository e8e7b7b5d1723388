// Tries several ways to grow and pack trees, and takes the fastest by a simulation of the network (forest_times.hpp).
// One way is a ring through all ranks, along which all pieces are sent. Simulated annealing finds it. The seed and
// the number of steps are fixed, so that a network always gets the same ring.

#include "generate/forest.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "base/random.hpp"
#include "generate/forest_growth.hpp"
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

namespace {

/// Searches, by simulated annealing, for a closed tour of all ranks whose messages, all at once, keep no resource busy
/// for long.
class RingSearch {
 public:
  explicit RingSearch(RoutedNetwork const& network) : network_(network), load_(at(network.resources), 0) {
    order_.resize(at(network.ranks));
    std::iota(order_.begin(), order_.end(), 0);
  }

  /// The best order that was met. The heat falls by four powers of ten over the steps; at the start it is the mean
  /// penalty of a message.
  std::vector<int> search() {
    std::size_t const p = order_.size();
    if (p < 4) return order_;
    double shortest = std::numeric_limits<double>::infinity();
    for (auto const& way : network_.ways) {
      for (ResourceUse const& each : way) shortest = std::min(shortest, each.seconds_per_byte);
    }
    unit_ = std::isfinite(shortest) && shortest > 0 ? shortest : 1;
    for (std::size_t i = 0; i < p; ++i) change(i, 1);
    std::vector<int> best = order_;
    double smallest = energy_;
    std::size_t const steps = 400 * p + 20'000;
    double const hot = energy_ / static_cast<double>(p);
    for (std::size_t step = 0; step < steps; ++step) {
      double const heat = hot * std::pow(1e-4, static_cast<double>(step) / static_cast<double>(steps));
      try_move(heat);
      if (energy_ >= smallest * (1 - 1e-12)) continue;
      smallest = energy_;
      best = order_;
    }
    return best;
  }

 private:
  int at_place(std::size_t i) const { return order_[i % order_.size()]; }

  /// The penalty of a load. The sixth power makes the busiest resources count most.
  static double power(double load) {
    double const square = load * load, fourth = square * square;
    return fourth * square;
  }

  /// Adds (or removes, if `sign` is -1) the message from the rank at a place to the next one.
  void change(std::size_t place, double sign) {
    int const from = at_place(place), to = at_place(place + 1);
    if (!network_.may_talk(from, to)) energy_ += sign * 1e6;
    for (ResourceUse const& each : network_.way(from, to)) {
      double& load = load_[at(each.resource)];
      energy_ -= power(load);
      load = std::max(load + sign * each.seconds_per_byte / unit_, 0.0);
      energy_ += power(load);
    }
  }

  /// Tries a random change of the tour: it reverses the places from i to j, or swaps two ranks. A change for the worse
  /// is kept with a probability that falls with the heat.
  void try_move(double heat) {
    std::size_t const p = order_.size();
    std::size_t i = random_.below(p), j = random_.below(p);
    if (i == j) return;
    if (i > j) std::swap(i, j);
    bool const turn = j - i <= 12 && random_.below(2) == 0;
    std::vector<std::size_t> places;
    if (turn) {
      for (std::size_t k = i; k <= j; ++k) places.push_back((k + p - 1) % p);
      places.push_back(j);
    } else {
      places = {(i + p - 1) % p, i, (j + p - 1) % p, j};
    }
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    double const before = energy_;
    for (std::size_t const place : places) change(place, -1);
    apply(turn, i, j);
    for (std::size_t const place : places) change(place, 1);
    if (energy_ <= before || random_.unit() < std::exp((before - energy_) / heat)) return;
    for (std::size_t const place : places) change(place, -1);
    apply(turn, i, j);
    for (std::size_t const place : places) change(place, 1);
  }

  /// Reverses positions i to j, or exchanges the ranks at i and j.
  void apply(bool turn, std::size_t i, std::size_t j) {
    auto const begin = order_.begin();
    if (turn) {
      std::reverse(begin + static_cast<std::ptrdiff_t>(i), begin + static_cast<std::ptrdiff_t>(j) + 1);
    } else {
      std::swap(order_[i], order_[j]);
    }
  }

  RoutedNetwork const& network_;
  std::vector<int> order_;
  std::vector<double> load_;
  double unit_ = 1, energy_ = 0;
  Random random_{2};
};

/// Sends each piece around the ring once. The pieces of one rank travel together, or one after the other.
ForestRounds around(std::vector<int> const& ring, std::vector<SourcePiece> const& pieces, bool together) {
  std::size_t const p = ring.size();
  std::vector<std::size_t> place(p), of_origin(p, 0);
  for (std::size_t i = 0; i < p; ++i) place[at(ring[i])] = i;
  std::size_t most = 0;
  std::vector<std::size_t> turn;
  for (SourcePiece const& each : pieces) {
    turn.push_back(together ? 0 : of_origin[at(each.origin)]++);
    most = std::max(most, turn.back() + 1);
  }
  ForestRounds rounds((p - 1) * most);
  for (std::size_t b = 0; b < pieces.size(); ++b) {
    for (std::size_t hop = 0; hop + 1 < p; ++hop) {
      std::size_t const from = place[at(pieces[b].origin)] + hop;
      rounds[hop * most + turn[b]].push_back({ring[from % p], ring[(from + 1) % p], static_cast<std::uint32_t>(b)});
    }
  }
  std::erase_if(rounds, [](auto const& round) { return round.empty(); });
  return rounds;
}

/// Whether all messages of a ring are between ranks that may talk.
bool is_closed(std::vector<int> const& ring, RoutedNetwork const& network) {
  for (std::size_t i = 0; i < ring.size(); ++i) {
    if (!network.may_talk(ring[i], ring[(i + 1) % ring.size()])) return false;
  }
  return true;
}

}  // namespace

std::vector<ForestRounds> along_ring(RoutedNetwork const& network, std::vector<SourcePiece> const& pieces) {
  std::vector<int> const ring = RingSearch(network).search();
  if (!is_closed(ring, network)) return {};
  return {around(ring, pieces, true), around(ring, pieces, false)};
}

}  // namespace rondo::generate
