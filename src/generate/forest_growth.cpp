// Grows all trees at once (forest_growth.hpp). A round is filled until no free route is left on which a missing piece
// could go.

#include "generate/forest_growth.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

#include "base/ids.hpp"
#include "base/random.hpp"

namespace rondo::generate {
namespace {

constexpr double slack = 1 + 1e-9;  ///< tolerance for rounding

double route_price(std::span<ResourceUse const> way) {
  double price = 0;
  for (ResourceUse const& each : way) price += each.seconds_per_byte;
  return price;
}

template <typename Value>
void shuffle(std::vector<Value>& values, Random& random) {
  for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random.below(i)]);
}

/// The spread of the pieces, round by round.
class Growth {
 public:
  Growth(RoutedNetwork const& network, std::vector<SourcePiece> const& pieces, GrowthRule const& rule)
      : network_(network),
        pieces_(pieces),
        rule_(rule),
        ranks_(at(network.ranks)),
        has_(ranks_ * pieces.size(), 0),
        coming_(has_.size(), 0),
        nearest_(has_.size(), std::numeric_limits<double>::infinity()),
        holders_(pieces.size()),
        busy_(at(network.resources), 0) {
    for (std::size_t i = 0; i < network.ways.size(); ++i) price_.push_back(route_price(network.ways[i]));
    for (std::size_t b = 0; b < pieces.size(); ++b) take(b, pieces[b].origin);
  }

  /// Unset if a rank cannot be reached, or if it takes more than `most` rounds.
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

  /// Notes that the rank has the piece, and that other ranks may now be nearer to a holder of it.
  void take(std::size_t piece, int rank) {
    has_[key(piece, rank)] = true;
    holders_[piece].push_back(rank);
    --missing_;
    come_nearer(nearest_, piece, rank);
  }

  /// A rank has got the piece: lowers the price at which the others can get it.
  void come_nearer(std::vector<double>& nearest, std::size_t piece, int rank) const {
    for (int to = 0; to < network_.ranks; ++to) {
      if (to == rank || !network_.may_talk(rank, to)) continue;
      double& of = nearest[key(piece, to)];
      of = std::min(of, price_[network_.index(rank, to)]);
    }
  }

  /// The largest price that a route to `to` may have for this piece.
  double far(std::size_t piece, int to) const {
    return (rule_.waits ? soon_ : nearest_)[key(piece, to)] * rule_.detour * slack;
  }

  /// Whether all resources of the route have time left for the piece in this round. An idle resource takes any piece.
  bool is_free(int from, int to, std::int64_t bytes) const {
    for (ResourceUse const& each : network_.way(from, to)) {
      double const takes = static_cast<double>(bytes) * each.seconds_per_byte;
      if (busy_[at(each.resource)] + takes > rule_.round_s * slack && busy_[at(each.resource)] > 0) return false;
    }
    return true;
  }

  /// Adds a hop to the busy times of the resources on its route, or removes it (sign -1). Remainders from rounding
  /// become 0.
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

  /// The least busy holder of the piece that is near enough and has a free route to `to`.
  std::optional<int> free_holder(std::size_t piece, int to) const {
    std::optional<int> best;
    double smallest = 0;
    double const most = far(piece, to);
    for (int const from : holders_[piece]) {
      if (from == to || !network_.may_talk(from, to) || price_[network_.index(from, to)] > most) continue;
      double const busy = first_busy(from, to);
      if ((best && busy >= smallest) || !is_free(from, to, pieces_[piece].bytes)) continue;
      best = from;
      smallest = busy;
    }
    return best;
  }

  /// Sends `to` one more piece in this round, the rarest one that it lacks and that can reach it. Looks at the pieces
  /// from number `next` of the rarest ones on, and sets it behind the piece that it has found.
  bool serve(int to, std::vector<Branch>& round, std::size_t& next) {
    while (next < rarest_.size()) {
      std::size_t const piece = rarest_[next++];
      if (has_[key(piece, to)] || coming_[key(piece, to)]) continue;
      auto const from = free_holder(piece, to);
      if (!from) continue;
      add(Branch{*from, to, static_cast<std::uint32_t>(piece)}, round);
      return true;
    }
    return false;
  }
  bool serve(int to, std::vector<Branch>& round) {
    std::size_t first = 0;
    return serve(to, round, first);
  }

  /// Puts a hop into the round.
  void add(Branch const& branch, std::vector<Branch>& round) {
    round.push_back(branch);
    occupy(branch, 1);
    coming_[key(branch.piece, branch.to)] = true;
    if (rule_.waits) come_nearer(soon_, branch.piece, branch.to);
  }

  /// Serves `to` by redirecting a sender that serves another rank. That rank must then get a piece by another branch;
  /// if it cannot, the change is undone.
  bool exchange(int to, std::vector<Branch>& round) {
    int tries = 0;
    constexpr int most_tries = 400;
    for (std::size_t const piece : rarest_) {
      if (has_[key(piece, to)] || coming_[key(piece, to)]) continue;
      double const most = far(piece, to);
      for (std::size_t i = 0; i < round.size(); ++i) {
        Branch const other = round[i];
        if (other.to == to || !has_[key(piece, other.from)] || !network_.may_talk(other.from, to)) continue;
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

  /// One round: all ranks, in random order, take turns to get one more piece, until none can. Then exchanges are tried.
  std::vector<Branch> next_round() {
    std::ranges::fill(busy_, 0.0);
    if (rule_.waits) soon_ = nearest_;
    order_pieces();
    std::vector<int> order(ranks_);
    std::iota(order.begin(), order.end(), 0);
    shuffle(order, random_);
    std::vector<Branch> round;
    // Routes only become busier, so that a piece that could not reach a rank cannot do so later in this round.
    std::vector<std::size_t> next(ranks_, 0);
    for (std::vector<int> open = order; !open.empty();) {
      std::vector<int> still;
      for (int const to : open) {
        if (serve(to, round, next[at(to)])) still.push_back(to);
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

  /// The pieces that fewest ranks have come first; ties are in random order.
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
  std::vector<SourcePiece> const& pieces_;
  GrowthRule rule_;
  std::size_t ranks_;
  std::vector<std::uint8_t> has_, coming_;  ///< by piece, then rank; bytes are read faster than bits
  std::vector<double> nearest_;             ///< by piece, then rank: the price of the route from the nearest holder
  std::vector<double> soon_;                ///< the same, where ranks that get the piece in this round count as holders
  std::vector<std::vector<int>> holders_;
  std::vector<double> busy_;  ///< by resource: the time for which it is busy in this round
  std::vector<double> price_;
  std::vector<std::size_t> rarest_;
  std::int64_t missing_ = static_cast<std::int64_t>(has_.size());
  Random random_{1};
};

}  // namespace

std::optional<ForestRounds> grow(RoutedNetwork const& network, std::vector<SourcePiece> const& pieces,
                                 GrowthRule const& rule, std::size_t most) {
  return Growth(network, pieces, rule).grow(most);
}

}  // namespace rondo::generate
