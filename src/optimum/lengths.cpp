#include "optimum/lengths.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>

#include "base/index.hpp"
#include "optimum/lengths_program.hpp"

namespace rondo::optimum {
namespace {

constexpr std::int64_t longest_length = 1 << 30;
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

/// Sums with every rounding against the bound: exact until the last step, or a little too large.
__extension__ using Wide = unsigned __int128;
constexpr double up = 1 + 0x1p-52;

/// What links carry if all bytes of a source take shortest ways, by source.
using Loads = std::vector<std::vector<double>>;

/// Adds what the links carry on the ways to each vertex.
void add_loads(Network const& network, Distances const& distances, std::vector<double> through,
               std::vector<double>& loads) {
  for (std::size_t i = distances.order.size(); i-- > 1;) {
    int const v = distances.order[i];
    auto const link = at(distances.by[at(v)]);
    loads[link] += through[at(v)];
    through[at(network.links[link].from)] += through[at(v)];
  }
}

/// The bound.
double seconds_of(Network const& network, PairBytes const& bytes, Lengths const& lengths, Loads* loads) {
  Distances distances(network);
  Wide used = 0;
  if (loads != nullptr) loads->assign(at(network.ranks), {});
  for (int source = 0; source < network.ranks; ++source) {
    distances.from(source, lengths);
    std::vector<double> through(at(network.vertices), 0);
    for (int to = 0; to < network.ranks; ++to) {
      std::int64_t const owed = bytes.of(source, to);
      if (owed == 0) continue;
      if (distances.distance[at(to)] == out_of_reach) return 0;
      used += static_cast<Wide>(owed) * static_cast<Wide>(distances.distance[at(to)]);
      through[at(to)] = static_cast<double>(owed);
    }
    if (loads == nullptr) continue;
    (*loads)[at(source)].assign(network.links.size(), 0);
    add_loads(network, distances, std::move(through), (*loads)[at(source)]);
  }
  double carried = 0;
  for (std::size_t i = 0; i < network.links.size(); ++i) {
    if (!network.links[i].capacity || lengths[i] == 0) continue;
    carried = (carried + *network.links[i].capacity * static_cast<double>(lengths[i]) * up) * up;
  }
  return carried > 0 ? static_cast<double>(used) / (carried * up * up) : 0;
}

/// Whether all links with a capacity join a rank with what is no rank, as NICs do: cuts around ranks say as much then.
bool is_star(Network const& network) {
  return std::ranges::all_of(network.links, [&](NetworkLink const& each) {
    return !each.capacity || (each.from < network.ranks) != (each.to < network.ranks);
  });
}

/// In proportion to these, with none below 0, the largest one of `longest_length`.
Lengths rounded(std::vector<double> const& weights) {
  double const most = *std::ranges::max_element(weights);
  Lengths lengths;
  for (double const each : weights)
    lengths.push_back(most > 0 ? std::llround(std::max(each, 0.0) / most * longest_length) : 0);
  return lengths;
}

/// The best lengths so far, and what they say.
struct Best {
  Network const& network;
  PairBytes const& bytes;
  Lengths lengths = {};
  double seconds = 0;

  /// Tries others. What links carry then is in `loads`.
  void take(Lengths const& others, Loads& loads) {
    double const found = seconds_of(network, bytes, others, &loads);
    if (found <= seconds) return;
    seconds = found;
    lengths = others;
  }
};

/// Lengthens links on which shortest ways meet, again and again.
void lengthen(Best& best) {
  constexpr int turns = 60;
  Network const& network = best.network;
  std::vector<double> weights;
  for (NetworkLink const& each : network.links) weights.push_back(each.capacity ? 1 / *each.capacity : 0);
  for (int turn = 0; turn < turns; ++turn) {
    Loads by_source;
    best.take(rounded(weights), by_source);
    std::vector<double> busy(network.links.size(), 0);
    for (std::vector<double> const& loads : by_source) {
      for (std::size_t i = 0; i < loads.size(); ++i) busy[i] += loads[i];
    }
    double busiest = 0;
    for (std::size_t i = 0; i < busy.size(); ++i) {
      busy[i] = network.links[i].capacity ? busy[i] / *network.links[i].capacity : 0;
      busiest = std::max(busiest, busy[i]);
    }
    if (busiest == 0) return;
    // Smaller steps later on.
    double const step = 2.0 / (1 + 0.1 * turn);
    for (std::size_t i = 0; i < busy.size(); ++i) weights[i] *= std::exp(step * (busy[i] / busiest - 0.5));
  }
}

/// The best lengths of all, by a linear program to which shortest ways are added until they tell it nothing new.
void optimise(Best& best) {
  constexpr int turns = 40;
  constexpr double enough = 1 - 1e-6;
  Network const& network = best.network;
  double most_capacity = 0, most_bytes = 0;
  for (NetworkLink const& each : network.links) most_capacity = std::max(most_capacity, each.capacity.value_or(0));
  std::vector<double> costs;
  for (NetworkLink const& each : network.links) costs.push_back(each.capacity.value_or(0) / most_capacity);
  LengthsProgram program(costs, network.ranks);
  Loads loads;
  best.take(best.lengths, loads);
  for (std::vector<double> const& each : loads) most_bytes = std::max(most_bytes, *std::ranges::max_element(each));
  for (int turn = 0; turn < turns; ++turn) {
    for (int source = 0; source < network.ranks; ++source) {
      for (double& each : loads[at(source)]) each /= most_bytes;
      program.add(source, loads[at(source)]);
    }
    auto const found = program.solve();
    if (!found || found->cost <= 0) return;
    best.take(rounded(found->lengths), loads);
    // No lengths say more than this.
    if (best.seconds >= enough * most_bytes / (found->cost * most_capacity)) return;
  }
}

}  // namespace

double seconds_by_lengths(Network const& network, Demand const& demand, Lengths const& lengths) {
  PairBytes const bytes(demand);
  if (lengths.empty() || bytes.none()) return 0;
  return seconds_of(network, bytes, lengths, nullptr);
}

Lengths find_lengths(Network const& network, Demand const& demand) {
  constexpr double most_steps = 2e5, most_optimised = 3e4;
  PairBytes const bytes(demand);
  bool const bounded =
      std::ranges::any_of(network.links, [](NetworkLink const& each) { return each.capacity && *each.capacity > 0; });
  double const steps = static_cast<double>(network.links.size()) * network.ranks;
  if (!bounded || bytes.none() || is_star(network) || steps > most_steps) return {};
  Best best{network, bytes};
  lengthen(best);
  if (!best.lengths.empty() && steps <= most_optimised) optimise(best);
  return best.lengths;
}

}  // namespace rondo::optimum
