#include "optimum/lengths.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>

#include "base/index.hpp"

namespace rondo::optimum {
namespace {

constexpr std::int64_t longest_length = 1 << 20;
constexpr std::int64_t out_of_reach = std::numeric_limits<std::int64_t>::max();

/// Bytes from each rank to each other one, where blocks have one source and one target.
class PairBytes {
 public:
  explicit PairBytes(Demand const& demand) : ranks_(demand.ranks) {
    if (!demand.pairs.empty()) bytes_.assign(at(std::int64_t{ranks_} * ranks_), 0);
    for (Pair const& each : demand.pairs) bytes_[index(each.from, each.to)] += each.bytes;
    each_ = demand.each_pair.value_or(0);
  }
  bool none() const { return bytes_.empty() && each_ == 0; }
  std::int64_t of(int from, int to) const {
    if (from == to) return 0;
    return each_ + (bytes_.empty() ? 0 : bytes_[index(from, to)]);
  }

 private:
  std::size_t index(int from, int to) const { return at(std::int64_t{from} * ranks_ + to); }
  int ranks_;
  std::int64_t each_ = 0;
  std::vector<std::int64_t> bytes_;
};

/// Shortest distances from one vertex.
class Distances {
 public:
  explicit Distances(Network const& network) : network_(network), out_(at(network.vertices)) {
    for (std::size_t i = 0; i < network.links.size(); ++i) out_[at(network.links[i].from)].push_back(i);
  }

  void from(int source, Lengths const& lengths) {
    distance.assign(out_.size(), out_of_reach);
    by.assign(out_.size(), -1);
    order.clear();
    distance[at(source)] = 0;
    using Entry = std::pair<std::int64_t, int>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    queue.emplace(0, source);
    while (!queue.empty()) {
      auto const [far, v] = queue.top();
      queue.pop();
      if (far != distance[at(v)]) continue;
      order.push_back(v);
      for (std::size_t const i : out_[at(v)]) {
        int const to = network_.links[i].to;
        std::int64_t const length = network_.links[i].capacity ? lengths[i] : 0;
        if (far + length >= distance[at(to)]) continue;
        distance[at(to)] = far + length;
        by[at(to)] = static_cast<std::int64_t>(i);
        queue.emplace(far + length, to);
      }
    }
  }

  std::vector<std::int64_t> distance;
  std::vector<std::int64_t> by;  ///< the last link of the way to a vertex; -1: none
  std::vector<int> order;        ///< vertices, the nearest first

 private:
  Network const& network_;
  std::vector<std::vector<std::size_t>> out_;
};

/// The bound, and what each link carries if all bytes take shortest ways.
double seconds_of(Network const& network, PairBytes const& bytes, Lengths const& lengths, std::vector<double>* loads) {
  Distances distances(network);
  double used = 0, carried = 0;
  for (int source = 0; source < network.ranks; ++source) {
    distances.from(source, lengths);
    std::vector<double> through(at(network.vertices), 0);
    for (int to = 0; to < network.ranks; ++to) {
      std::int64_t const owed = bytes.of(source, to);
      if (owed == 0) continue;
      if (distances.distance[at(to)] == out_of_reach) return 0;
      used += static_cast<double>(owed) * static_cast<double>(distances.distance[at(to)]);
      through[at(to)] = static_cast<double>(owed);
    }
    if (loads == nullptr) continue;
    for (std::size_t i = distances.order.size(); i-- > 1;) {
      int const v = distances.order[i];
      auto const link = at(distances.by[at(v)]);
      (*loads)[link] += through[at(v)];
      through[at(network.links[link].from)] += through[at(v)];
    }
  }
  for (std::size_t i = 0; i < network.links.size(); ++i) {
    if (network.links[i].capacity) carried += *network.links[i].capacity * static_cast<double>(lengths[i]);
  }
  return carried > 0 ? used / carried : 0;
}

/// Whether all links with a capacity join a rank with what is no rank, as NICs do: cuts around ranks say as much then.
bool is_star(Network const& network) {
  return std::ranges::all_of(network.links, [&](NetworkLink const& each) {
    return !each.capacity || (each.from < network.ranks) != (each.to < network.ranks);
  });
}

/// In proportion to these, the largest one of `longest_length`.
Lengths rounded(std::vector<double> const& weights) {
  double const most = *std::ranges::max_element(weights);
  Lengths lengths;
  for (double const each : weights) lengths.push_back(std::llround(each / most * longest_length));
  return lengths;
}

}  // namespace

double seconds_by_lengths(Network const& network, Demand const& demand, Lengths const& lengths) {
  PairBytes const bytes(demand);
  if (lengths.empty() || bytes.none()) return 0;
  return seconds_of(network, bytes, lengths, nullptr);
}

Lengths find_lengths(Network const& network, Demand const& demand) {
  constexpr double most_steps = 2e5;
  constexpr int turns = 60;
  PairBytes const bytes(demand);
  bool const bounded =
      std::ranges::any_of(network.links, [](NetworkLink const& each) { return each.capacity && *each.capacity > 0; });
  if (!bounded || bytes.none() || is_star(network) ||
      static_cast<double>(network.links.size()) * network.ranks > most_steps)
    return {};
  std::vector<double> weights;
  for (NetworkLink const& each : network.links) weights.push_back(each.capacity ? 1 / *each.capacity : 0);
  Lengths best;
  double longest = 0;
  for (int turn = 0; turn < turns; ++turn) {
    Lengths const lengths = rounded(weights);
    std::vector<double> loads(network.links.size(), 0);
    double const seconds = seconds_of(network, bytes, lengths, &loads);
    if (seconds > longest) {
      longest = seconds;
      best = lengths;
    }
    double busiest = 0;
    for (std::size_t i = 0; i < loads.size(); ++i) {
      if (network.links[i].capacity) busiest = std::max(busiest, loads[i] / *network.links[i].capacity);
    }
    if (busiest == 0) break;
    // Smaller steps later on.
    double const step = 2.0 / (1 + 0.1 * turn);
    for (std::size_t i = 0; i < loads.size(); ++i) {
      if (network.links[i].capacity)
        weights[i] *= std::exp(step * (loads[i] / *network.links[i].capacity / busiest - 0.5));
    }
  }
  return best;
}

}  // namespace rondo::optimum
