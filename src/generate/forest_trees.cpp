// Packs a tree for each piece (forest_trees.hpp), and then decides in which round each hop takes place.

#include "generate/forest_trees.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <tuple>

#include "base/ids.hpp"
#include "base/random.hpp"
#include "generate/arborescence.hpp"

namespace rondo::generate {
namespace {

/// Packs trees by prices, as forest_trees.hpp explains.
class TreePacking {
 public:
  /// Pairs that may not talk have an infinite cost.
  TreePacking(RoutedNetwork const& network, std::vector<SourcePiece> const& pieces)
      : network_(network), pieces_(pieces), load_(at(network.resources), 0), price_(load_.size(), 1) {
    costs_.assign(network.ways.size(), std::numeric_limits<double>::infinity());
    order_.resize(pieces.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
  }

  /// Puts all pieces once; then takes each out and puts it again, at prices that rise more and more steeply with loads.
  std::vector<PackedTrees> pack() {
    parents_.resize(pieces_.size());
    for (std::size_t const b : order_) {
      if (!put(b)) return {};
    }
    best_ = {parents_, busiest(), 0};
    scale_ = std::max(busiest(), std::numeric_limits<double>::min());
    // Steeper and steeper: in the end only what is busiest counts.
    for (double const exponent : {4.0, 8.0, 16.0, 32.0}) {
      exponent_ = exponent;
      sweep(4, [&](std::size_t b) {
        add(b, -1);
        put(b);
      });
    }
    std::vector<PackedTrees> packed{best_};
    parents_ = best_.parents;
    std::ranges::fill(load_, 0.0);
    for (std::size_t const b : order_) add(b, 1);
    for (double const exponent : {4.0, 64.0}) {
      exponent_ = exponent;
      sweep(2, [&](std::size_t b) {
        relieve(b);
        graft(b);
      });
    }
    if (best_.busiest_s < packed.front().busiest_s) packed.push_back(best_);
    return packed;
  }

 private:
  double busiest() const { return *std::ranges::max_element(load_); }

  /// Changes all trees in turn until so many turns bring nothing.
  void sweep(int most_idle, std::function<void(std::size_t)> const& change) {
    for (int turn = 0, idle = 0; turn < most_turns() && idle < most_idle; ++turn) {
      bound();
      if (best_.busiest_s <= best_.at_least_s * close) return;
      for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[random_.below(i)]);
      for (std::size_t const b : order_) change(b);
      ++idle;
      if (busiest() >= best_.busiest_s * (1 - 1e-9)) continue;
      best_.parents = parents_;
      best_.busiest_s = busiest();
      idle = 0;
    }
  }

  /// Puts a piece anew where that relieves the resources. Prices are of one message: a tree with many on one resource
  /// may be worse than it seemed.
  void relieve(std::size_t b) {
    double const before = pressure();
    std::vector<int> const parents = parents_[b];
    add(b, -1);
    put(b);
    if (pressure() < before) return;
    add(b, -1);
    parents_[b] = parents;
    add(b, 1);
  }

  /// Gives each rank in turn the parent in the tree of a piece that relieves the resources most.
  void graft(std::size_t b) {
    auto const bytes = static_cast<double>(pieces_[b].bytes);
    for (int to = 0; to < network_.ranks; ++to) {
      int& parent = parents_[b][at(to)];
      if (parent < 0) continue;
      load(parent, to, -bytes);
      int best = parent;
      double smallest = more_pressure(parent, to, bytes);
      for (int from = 0; from < network_.ranks; ++from) {
        if (from == to || !network_.may_talk(from, to)) continue;
        double const more = more_pressure(from, to, bytes);
        if (more >= smallest * (1 - 1e-9) || is_below(b, from, to)) continue;
        best = from;
        smallest = more;
      }
      parent = best;
      load(parent, to, bytes);
    }
  }

  /// Whether a rank gets a piece by way of another one.
  bool is_below(std::size_t b, int rank, int other) const {
    for (; rank >= 0; rank = parents_[b][at(rank)]) {
      if (rank == other) return true;
    }
    return false;
  }

  /// By how much the pressure rises if these bytes take the route.
  double more_pressure(int from, int to, double bytes) const {
    double sum = 0;
    for (ResourceUse const& each : network_.way(from, to)) {
      double const load = load_[at(each.resource)];
      sum += pressure(load + bytes * each.seconds_per_byte) - pressure(load);
    }
    return sum;
  }
  double pressure(double load) const { return std::pow(load / scale_, exponent_); }
  double pressure() const {
    double sum = 0;
    for (double const each : load_) sum += pressure(each);
    return sum;
  }

  /// So that all of it takes about a second.
  int most_turns() const {
    auto const p = static_cast<double>(network_.ranks);
    double const turn = static_cast<double>(pieces_.size()) * p * p;
    return static_cast<int>(std::clamp(8e6 / turn, 4.0, 60.0));
  }

  void set_prices() {
    double const most = std::max(busiest(), std::numeric_limits<double>::min());
    // Every resource has a small price, so that routes are short where nothing is busy.
    for (std::size_t r = 0; r < load_.size(); ++r) price_[r] = 1e-4 + std::pow(load_[r] / most, exponent_);
  }

  /// The cost of a hop is the sum of the prices along its route, in seconds for each byte.
  void set_costs() {
    for (int from = 0; from < network_.ranks; ++from) {
      for (int to = 0; to < network_.ranks; ++to) {
        if (from == to || !network_.may_talk(from, to)) continue;
        double cost = 0;
        for (ResourceUse const& each : network_.way(from, to))
          cost += each.seconds_per_byte * price_[at(each.resource)];
        costs_[network_.index(from, to)] = cost;
      }
    }
  }

  /// Gives piece b the cheapest tree at the prices of now. Returns false if no tree reaches all ranks.
  bool put(std::size_t b) {
    set_prices();
    set_costs();
    parents_[b] = cheapest_arborescence(network_.ranks, pieces_[b].origin, costs_);
    if (parents_[b].empty()) return false;
    add(b, 1);
    return true;
  }

  /// Adds the loads of a piece's tree, or removes them (sign -1).
  void add(std::size_t b, double sign) {
    double const bytes = sign * static_cast<double>(pieces_[b].bytes);
    for (int to = 0; to < network_.ranks; ++to) {
      if (parents_[b][at(to)] >= 0) load(parents_[b][at(to)], to, bytes);
    }
  }
  /// Adds seconds of use to each resource of the route.
  void load(int from, int to, double bytes) {
    for (ResourceUse const& each : network_.way(from, to)) {
      double& load = load_[at(each.resource)];
      load = std::max(load + bytes * each.seconds_per_byte, 0.0);
    }
  }

  /// Evaluates the dual of the linear program for the current prices, which gives a lower bound.
  void bound() {
    set_prices();
    set_costs();
    double const sum = std::accumulate(price_.begin(), price_.end(), 0.0);
    std::vector<double> bytes(at(network_.ranks), 0);
    for (SourcePiece const& each : pieces_) bytes[at(each.origin)] += static_cast<double>(each.bytes);
    double cost = 0;
    for (int root = 0; root < network_.ranks; ++root) {
      if (bytes[at(root)] == 0) continue;
      auto const parents = cheapest_arborescence(network_.ranks, root, costs_);
      for (int to = 0; to < network_.ranks; ++to) {
        if (to != root) cost += bytes[at(root)] * costs_[network_.index(parents[at(to)], to)];
      }
    }
    best_.at_least_s = std::max(best_.at_least_s, cost / sum);
  }

  static constexpr double close = 1.005;

  RoutedNetwork const& network_;
  std::vector<SourcePiece> const& pieces_;
  std::vector<double> load_, price_;  ///< by resource
  std::vector<double> costs_;         ///< by pair of ranks
  std::vector<std::vector<int>> parents_;
  std::vector<std::size_t> order_;
  PackedTrees best_;
  double exponent_ = 4, scale_ = 1;
  Random random_{3};
};

/// An edge of a tree, and how soon it should be sent.
struct Edge {
  Branch branch;
  double urgency = 0;
};

/// The edges of the tree of a piece, by the rank that sends them. The urgency of an edge is the longest time from it to
/// the end of its branch, where `weight` gives the time of each edge.
std::vector<std::vector<Edge>> edges_by_sender(std::vector<int> const& parents, std::uint32_t piece,
                                               std::function<double(int, int)> const& weight) {
  std::size_t const p = parents.size();
  std::vector<std::vector<Edge>> edges(p);
  std::vector<double> below(p, 0);  // of the edges that follow
  std::vector<int> order;           // parents first
  std::vector<std::vector<int>> children(p);
  for (std::size_t v = 0; v < p; ++v) {
    if (parents[v] < 0) order.push_back(static_cast<int>(v));
    if (parents[v] >= 0) children[at(parents[v])].push_back(static_cast<int>(v));
  }
  for (std::size_t i = 0; i < order.size(); ++i)
    order.insert(order.end(), children[at(order[i])].begin(), children[at(order[i])].end());
  for (std::size_t i = p; i-- > 1;) {
    int const v = order[i], up = parents[at(v)];
    double const urgency = below[at(v)] + weight(up, v);
    edges[at(up)].push_back({{up, v, piece}, urgency});
    below[at(up)] = std::max(below[at(up)], urgency);
  }
  return edges;
}

}  // namespace

std::vector<PackedTrees> pack_trees(RoutedNetwork const& network, std::vector<SourcePiece> const& pieces) {
  return TreePacking(network, pieces).pack();
}

/// List scheduling: hops whose sender has the piece are ready, and those with the longest way still before them go
/// first. A round takes a hop as long as no resource that it uses twice is busy for longer than `round_s`.
ForestRounds rounds_of_trees(RoutedNetwork const& network, std::vector<SourcePiece> const& pieces,
                             std::vector<std::vector<int>> const& parents, double round_s) {
  std::vector<std::vector<std::vector<Edge>>> edges;  // by piece, then sender
  std::vector<Edge> ready;
  for (std::size_t b = 0; b < pieces.size(); ++b) {
    auto const weight = [&](int from, int to) {
      double longest = 1e-12;
      for (ResourceUse const& each : network.way(from, to)) longest = std::max(longest, each.seconds_per_byte);
      return static_cast<double>(std::max<std::int64_t>(pieces[b].bytes, 1)) * longest;
    };
    edges.push_back(edges_by_sender(parents[b], static_cast<std::uint32_t>(b), weight));
    auto const& first = edges[b][at(pieces[b].origin)];
    ready.insert(ready.end(), first.begin(), first.end());
  }
  auto const urgent = [](Edge const& a, Edge const& b) {
    return std::tuple(-a.urgency, a.branch.piece, a.branch.to) < std::tuple(-b.urgency, b.branch.piece, b.branch.to);
  };
  constexpr double slack = 1 + 1e-9;  // for rounding
  ForestRounds rounds;
  std::vector<double> busy(at(network.resources));
  while (!ready.empty()) {
    std::ranges::sort(ready, urgent);
    std::ranges::fill(busy, 0.0);
    std::vector<Edge> later;
    auto& round = rounds.emplace_back();
    for (Edge const& edge : ready) {
      auto const way = network.way(edge.branch.from, edge.branch.to);
      auto const bytes = static_cast<double>(pieces[edge.branch.piece].bytes);
      bool const fits = std::ranges::all_of(way, [&](ResourceUse const& each) {
        double const before = busy[at(each.resource)];
        return before == 0 || before + bytes * each.seconds_per_byte <= round_s * slack;
      });
      if (!fits) {
        later.push_back(edge);
        continue;
      }
      for (ResourceUse const& each : way) busy[at(each.resource)] += bytes * each.seconds_per_byte;
      round.push_back(edge.branch);
    }
    for (Branch const& each : round) {
      auto const& next = edges[each.piece][at(each.to)];
      later.insert(later.end(), next.begin(), next.end());
    }
    ready = std::move(later);
  }
  return rounds;
}

}  // namespace rondo::generate
