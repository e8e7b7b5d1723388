#include "generate/forest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

#include "base/error.hpp"
#include "base/index.hpp"
#include "base/random.hpp"

namespace rondo::generate {
namespace {

constexpr double slack = 1 + 1e-9;  ///< for rounding

double price_of(std::span<ResourceUse const> way) {
  double price = 0;
  for (ResourceUse const& each : way) price += each.seconds_per_byte;
  return price;
}

template <typename Value>
void shuffle(std::vector<Value>& values, Random& random) {
  for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random.below(i)]);
}

/// How the pieces spread, round by round.
class Growth {
 public:
  struct Rule {
    double round_s = 0;  ///< no resource is busy for longer in a round
    double detour = 1;   ///< a piece comes from a holder that is at most so many times as far as the nearest one
    bool waits = false;  ///< whether a rank that gets the piece in this round counts as its holder there
  };

  Growth(RoutedNetwork const& network, std::vector<Seedling> const& pieces, std::vector<bool> const& allowed, Rule rule)
      : network_(network),
        pieces_(pieces),
        allowed_(allowed),
        rule_(rule),
        ranks_(at(network.ranks)),
        has_(ranks_ * pieces.size(), false),
        coming_(has_.size(), false),
        nearest_(has_.size(), std::numeric_limits<double>::infinity()),
        holders_(pieces.size()),
        busy_(at(network.resources), 0) {
    for (std::size_t i = 0; i < network.ways.size(); ++i) price_.push_back(price_of(network.ways[i]));
    for (std::size_t b = 0; b < pieces.size(); ++b) take(b, pieces[b].origin);
  }

  /// Unset where a rank cannot be reached, or it takes more than `most` rounds.
  std::optional<ForestRounds> grow(std::size_t most) {
    ForestRounds rounds;
    while (missing_ > 0) {
      if (rounds.size() == most) return std::nullopt;
      std::vector<Branch> const round = next_round();
      if (round.empty()) return std::nullopt;
      rounds.push_back(round);
    }
    return rounds;
  }

 private:
  std::size_t key(std::size_t piece, int rank) const { return piece * ranks_ + at(rank); }

  void take(std::size_t piece, int rank) {
    has_[key(piece, rank)] = true;
    holders_[piece].push_back(rank);
    --missing_;
    come_nearer(nearest_, piece, rank);
  }

  void come_nearer(std::vector<double>& nearest, std::size_t piece, int rank) const {
    for (int to = 0; to < network_.ranks; ++to) {
      if (to == rank || !may_send(rank, to)) continue;
      double& of = nearest[key(piece, to)];
      of = std::min(of, price_[network_.index(rank, to)]);
    }
  }

  double far(std::size_t piece, int to) const {
    return (rule_.waits ? soon_ : nearest_)[key(piece, to)] * rule_.detour * slack;
  }

  bool may_send(int from, int to) const { return allowed_.empty() || allowed_[network_.index(from, to)]; }

  bool is_free(int from, int to, std::int64_t bytes) const {
    for (ResourceUse const& each : network_.way(from, to)) {
      double const takes = static_cast<double>(bytes) * each.seconds_per_byte;
      if (busy_[at(each.resource)] + takes > rule_.round_s * slack && busy_[at(each.resource)] > 0) return false;
    }
    return true;
  }

  void occupy(Branch const& branch, double sign) {
    auto const bytes = static_cast<double>(pieces_[branch.piece].bytes);
    for (ResourceUse const& each : network_.way(branch.from, branch.to)) {
      double& busy = busy_[at(each.resource)];
      busy = std::max(busy + sign * bytes * each.seconds_per_byte, 0.0);
      if (busy < 1e-9 * rule_.round_s) busy = 0;
    }
  }

  double first_busy(int from, int to) const {
    auto const way = network_.way(from, to);
    return way.empty() ? 0 : busy_[at(way.front().resource)];
  }

  /// A holder near enough whose way to `to` is free; the least busy one.
  std::optional<int> free_holder(std::size_t piece, int to) const {
    std::optional<int> best;
    double least = 0;
    double const most = far(piece, to);
    for (int const from : holders_[piece]) {
      if (from == to || !may_send(from, to) || price_[network_.index(from, to)] > most) continue;
      double const busy = first_busy(from, to);
      if ((best && busy >= least) || !is_free(from, to, pieces_[piece].bytes)) continue;
      best = from;
      least = busy;
    }
    return best;
  }

  bool serve(int to, std::vector<Branch>& round) {
    for (std::size_t const piece : rarest_) {
      if (has_[key(piece, to)] || coming_[key(piece, to)]) continue;
      auto const from = free_holder(piece, to);
      if (!from) continue;
      add(Branch{*from, to, static_cast<std::uint32_t>(piece)}, round);
      return true;
    }
    return false;
  }

  void add(Branch const& branch, std::vector<Branch>& round) {
    round.push_back(branch);
    occupy(branch, 1);
    coming_[key(branch.piece, branch.to)] = true;
    if (rule_.waits) come_nearer(soon_, branch.piece, branch.to);
  }

  /// Serves `to` by a sender that serves somebody else, who is then served anew.
  bool exchange(int to, std::vector<Branch>& round) {
    int tries = 0;
    constexpr int most_tries = 400;
    for (std::size_t const piece : rarest_) {
      if (has_[key(piece, to)] || coming_[key(piece, to)]) continue;
      double const most = far(piece, to);
      for (std::size_t i = 0; i < round.size(); ++i) {
        Branch const other = round[i];
        if (other.to == to || !has_[key(piece, other.from)] || !may_send(other.from, to)) continue;
        if (price_[network_.index(other.from, to)] > most) continue;
        if (++tries > most_tries) return false;
        occupy(other, -1);
        if (is_free(other.from, to, pieces_[piece].bytes)) {
          coming_[key(other.piece, other.to)] = false;
          std::size_t const count = round.size();
          round[i] = Branch{other.from, to, static_cast<std::uint32_t>(piece)};
          occupy(round[i], 1);
          coming_[key(piece, to)] = true;
          if (serve(other.to, round)) return true;
          round.resize(count);
          occupy(round[i], -1);
          coming_[key(piece, to)] = false;
          coming_[key(other.piece, other.to)] = true;
          round[i] = other;
        }
        occupy(other, 1);
      }
    }
    return false;
  }

  std::vector<Branch> next_round() {
    std::ranges::fill(busy_, 0.0);
    if (rule_.waits) soon_ = nearest_;
    order_pieces();
    std::vector<int> order(ranks_);
    std::iota(order.begin(), order.end(), 0);
    shuffle(order, random_);
    std::vector<Branch> round;
    for (std::vector<int> open = order; !open.empty();) {
      std::vector<int> still;
      for (int const to : open) {
        if (serve(to, round)) still.push_back(to);
      }
      open = std::move(still);
    }
    for (int const to : order) {
      while (exchange(to, round)) {
      }
    }
    for (Branch const& each : round) {
      coming_[key(each.piece, each.to)] = false;
      take(each.piece, each.to);
    }
    return round;
  }

  /// Those that fewest ranks have first; equals in a drawn order.
  void order_pieces() {
    rarest_.clear();
    for (std::size_t b = 0; b < pieces_.size(); ++b) {
      if (holders_[b].size() < ranks_) rarest_.push_back(b);
    }
    shuffle(rarest_, random_);
    std::ranges::stable_sort(rarest_,
                             [&](std::size_t a, std::size_t b) { return holders_[a].size() < holders_[b].size(); });
  }

  RoutedNetwork const& network_;
  std::vector<Seedling> const& pieces_;
  std::vector<bool> const& allowed_;
  Rule rule_;
  std::size_t ranks_;
  std::vector<bool> has_, coming_;  ///< by piece, then rank
  std::vector<double> nearest_;     ///< likewise: the price of the way from the nearest holder
  std::vector<double> soon_;        ///< the same, with those that get it in this round
  std::vector<std::vector<int>> holders_;
  std::vector<double> busy_;  ///< by resource, in this round
  std::vector<double> price_;
  std::vector<std::size_t> rarest_;
  std::int64_t missing_ = static_cast<std::int64_t>(has_.size());
  Random random_{1};
};

/// A closed tour of all ranks whose messages, all at once, keep no resource busy for long.
class RingSearch {
 public:
  explicit RingSearch(RoutedNetwork const& network) : network_(network), load_(at(network.resources), 0) {
    order_.resize(at(network.ranks));
    std::iota(order_.begin(), order_.end(), 0);
  }

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
    double least = energy_;
    std::size_t const steps = 400 * p + 20'000;
    double const hot = energy_ / static_cast<double>(p);
    for (std::size_t step = 0; step < steps; ++step) {
      double const heat = hot * std::pow(1e-4, static_cast<double>(step) / static_cast<double>(steps));
      try_move(heat);
      if (energy_ >= least * (1 - 1e-12)) continue;
      least = energy_;
      best = order_;
    }
    return best;
  }

 private:
  int at_place(std::size_t i) const { return order_[i % order_.size()]; }

  static double power(double load) {
    double const square = load * load, fourth = square * square;
    return fourth * square;
  }

  /// The message from the rank at a place to the next one.
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

  /// Turns round the places from i + 1 to j, or swaps two ranks.
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

/// Each piece once around, those of one rank one after the other: in a round each rank gets one piece.
ForestRounds around(std::vector<int> const& ring, std::vector<Seedling> const& pieces) {
  std::size_t const p = ring.size();
  std::vector<std::size_t> place(p), of_origin(p, 0);
  for (std::size_t i = 0; i < p; ++i) place[at(ring[i])] = i;
  std::size_t most = 0;
  std::vector<std::size_t> turn;
  for (Seedling const& each : pieces) {
    turn.push_back(of_origin[at(each.origin)]++);
    most = std::max(most, of_origin[at(each.origin)]);
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

/// Whether all messages of a ring go between ranks that may talk.
bool is_closed(std::vector<int> const& ring, RoutedNetwork const& network) {
  for (std::size_t i = 0; i < ring.size(); ++i) {
    if (!network.may_talk(ring[i], ring[(i + 1) % ring.size()])) return false;
  }
  return true;
}

/// How long the bytes that some rank lacks take over the last resources of all ways to it: hardly anything is faster.
double fastest(RoutedNetwork const& network, std::vector<Seedling> const& pieces) {
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
    for (Seedling const& each : pieces) bytes += each.origin == to ? 0 : static_cast<double>(each.bytes);
    if (capacity > 0) longest = std::max(longest, bytes / capacity);
  }
  return longest;
}

/// The times for which the largest piece keeps resources busy, each a length of rounds.
std::vector<double> round_lengths(RoutedNetwork const& network, std::vector<Seedling> const& pieces) {
  std::int64_t largest = 0;
  for (Seedling const& each : pieces) largest = std::max(largest, each.bytes);
  std::vector<double> lengths;
  for (auto const& way : network.ways) {
    for (ResourceUse const& each : way) lengths.push_back(static_cast<double>(largest) * each.seconds_per_byte);
  }
  std::ranges::sort(lengths);
  auto const same = [](double a, double b) { return b <= a * slack; };
  lengths.erase(std::unique(lengths.begin(), lengths.end(), same), lengths.end());
  // Many different ones: some of them.
  constexpr std::size_t most = 4;
  while (lengths.size() > most) lengths.erase(lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2));
  return lengths;
}

}  // namespace

double seconds_of(RoutedNetwork const& network, std::vector<Seedling> const& pieces, ForestRounds const& rounds) {
  double sum = 0;
  std::vector<double> busy(at(network.resources), 0);
  for (auto const& round : rounds) {
    std::ranges::fill(busy, 0.0);
    double startup = 0, longest = 0;
    for (Branch const& each : round) {
      startup = std::max(startup, network.startups[network.index(each.from, each.to)]);
      for (ResourceUse const& use : network.way(each.from, each.to)) {
        double& of = busy[at(use.resource)];
        of += static_cast<double>(pieces[each.piece].bytes) * use.seconds_per_byte;
        longest = std::max(longest, of);
      }
    }
    sum += startup + longest;
  }
  return sum;
}

RoutedNetwork with_ways_back(RoutedNetwork const& network) {
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

ForestRounds grow_forest(RoutedNetwork const& network, std::vector<Seedling> const& pieces) {
  if (network.ranks < 2 || pieces.empty()) return {};
  std::optional<ForestRounds> best;
  double least = 0;
  auto const consider = [&](std::optional<ForestRounds> rounds) {
    if (!rounds) return;
    double const time = seconds_of(network, pieces, *rounds);
    if (best && time >= least) return;
    best = std::move(rounds);
    least = time;
  };
  std::vector<int> const ring = RingSearch(network).search();
  if (is_closed(ring, network)) consider(around(ring, pieces));
  constexpr double close = 1.02;
  double const enough = close * fastest(network, pieces);
  std::size_t const most = 4 * (pieces.size() + at(network.ranks));
  for (double const length : round_lengths(network, pieces)) {
    for (bool const waits : {false, true}) {
      for (double const detour : {1.0, 1.5, 4.0}) {
        if (best && least <= enough) return *best;
        consider(Growth(network, pieces, network.linked, {length, detour, waits}).grow(most));
      }
    }
  }
  expects(best.has_value(), "a way from each rank to each");
  return *best;
}

}  // namespace rondo::generate
