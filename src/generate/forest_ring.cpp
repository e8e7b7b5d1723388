// Finds a ring through all ranks by simulated annealing, and sends all pieces along it. The seed and the number of
// steps are fixed, so that a network always gets the same ring.

#include "generate/forest_ring.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/index.hpp"
#include "base/random.hpp"

namespace rondo::generate {
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
