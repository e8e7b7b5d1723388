// Searches lengths of links that give a large bound. Any lengths give a valid bound, so the search may stop at any
// time. The linear program is built row by row. GLPK solves it by its dual simplex method, which continues after each
// new row.

#include "optimum/lengths.hpp"

#include <glpk.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/ids.hpp"
#include "optimum/distances.hpp"

namespace rondo::optimum {

/// The limit of the simplex method, over all solutions. It is a count and no time, so that every run finds the same.
constexpr int most_iterations = 2000;

/// Columns: a length for each link that has a cost, then a distance for each source. Row 1: the distances are 1.
struct LengthsProgram::Problem {
  glp_prob* of = glp_create_prob();
  std::vector<int> column;  ///< by link; 0: its length is 0
  int lengths = 0;

  Problem() = default;
  ~Problem() { glp_delete_prob(of); }
  Problem(Problem const&) = delete;
  Problem& operator=(Problem const&) = delete;
};

LengthsProgram::LengthsProgram(std::span<double const> costs, int sources) : problem_(std::make_unique<Problem>()) {
  glp_prob* const of = problem_->of;
  for (double const cost : costs) problem_->column.push_back(cost > 0 ? ++problem_->lengths : 0);
  glp_add_cols(of, problem_->lengths + sources);
  for (int i = 1; i <= problem_->lengths + sources; ++i) glp_set_col_bnds(of, i, GLP_LO, 0, 0);
  for (std::size_t link = 0; link < costs.size(); ++link) {
    if (int const column = problem_->column[link]; column > 0) glp_set_obj_coef(of, column, costs[link]);
  }
  glp_add_rows(of, 1);
  glp_set_row_bnds(of, 1, GLP_FX, 1, 1);
  std::vector<int> places(at(sources) + 1);
  std::vector<double> ones(places.size(), 1);
  for (int source = 0; source < sources; ++source) places[at(source) + 1] = problem_->lengths + 1 + source;
  glp_set_mat_row(of, 1, sources, places.data(), ones.data());
}

LengthsProgram::~LengthsProgram() = default;

void LengthsProgram::add(int source, std::span<double const> loads) {
  std::vector<int> places{0, problem_->lengths + 1 + source};  // GLPK counts from 1
  std::vector<double> values{0, 1};
  for (std::size_t link = 0; link < loads.size(); ++link) {
    if (loads[link] == 0 || problem_->column[link] == 0) continue;
    places.push_back(problem_->column[link]);
    values.push_back(-loads[link]);
  }
  int const row = glp_add_rows(problem_->of, 1);
  glp_set_row_bnds(problem_->of, row, GLP_UP, 0, 0);
  glp_set_mat_row(problem_->of, row, static_cast<int>(places.size()) - 1, places.data(), values.data());
}

std::optional<LengthsProgram::Solution> LengthsProgram::solve() {
  glp_smcp how;
  glp_init_smcp(&how);
  how.msg_lev = GLP_MSG_OFF;
  how.meth = GLP_DUALP;
  how.it_lim = most_iterations - glp_get_it_cnt(problem_->of);
  if (how.it_lim <= 0 || glp_simplex(problem_->of, &how) != 0 || glp_get_status(problem_->of) != GLP_OPT)
    return std::nullopt;
  Solution found;
  found.cost = glp_get_obj_val(problem_->of);
  for (int const column : problem_->column) {
    found.lengths.push_back(column > 0 ? glp_get_col_prim(problem_->of, column) : 0);
  }
  return found;
}

namespace {

constexpr std::int64_t longest_length = 1 << 30;

/// The bytes from each rank to each other one, for blocks with one source and one target.
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

/// Sums in which every rounding makes the bound smaller: they are exact until the last step, or a little too large.
__extension__ using Wide = unsigned __int128;
constexpr double up = 1 + 0x1p-52;

/// The load of each link if all bytes take short routes, by source of pairs and by tree.
using Loads = std::vector<std::vector<double>>;

/// What ranks owe each other, and the routes for it.
class Transfers {
 public:
  Transfers(Network const& network, Demand const& demand)
      : network(network), trees(trees_of(demand)), bytes_(demand), ways_(network) {}

  bool is_empty() const { return bytes_.none() && trees.empty(); }
  bool has_pairs() const { return !bytes_.none(); }
  /// Sources of pairs and trees, each with a distance of its own.
  int groups() const { return (has_pairs() ? network.ranks : 0) + static_cast<int>(trees.size()); }
  /// The quantity with which the work for one choice of lengths grows.
  double steps() const {
    double ends = has_pairs() ? network.ranks : 0;
    for (Tree const& each : trees) ends += static_cast<double>(each.ends.size());
    return ends * static_cast<double>(network.links.size());
  }

  /// The bound. Writes to `loads`, unless it is null, how much each group puts on each link.
  double seconds(Lengths const& lengths, Loads* loads) const {
    Lengths const counted = of_bounded(lengths);
    if (loads != nullptr) loads->clear();
    std::optional<Wide> const by_pairs = pairs_use(counted, loads), by_trees = trees_use(counted, loads);
    if (!by_pairs || !by_trees) return 0;
    double carried = 0;
    for (std::size_t i = 0; i < counted.size(); ++i) {
      if (counted[i] == 0) continue;
      carried = (carried + *network.links[i].capacity * static_cast<double>(counted[i]) * up) * up;
    }
    return carried > 0 ? static_cast<double>(*by_pairs + *by_trees) / (carried * up * up) : 0;
  }

  Network const& network;
  std::vector<Tree> const trees;

 private:
  Lengths of_bounded(Lengths const& lengths) const {
    Lengths counted = lengths;
    for (std::size_t i = 0; i < counted.size(); ++i) {
      if (!network.links[i].capacity) counted[i] = 0;
    }
    return counted;
  }

  /// The sum of bytes times distance; unset where a rank is out of reach.
  std::optional<Wide> pairs_use(Lengths const& lengths, Loads* loads) const {
    Wide used = 0;
    if (!has_pairs()) return used;
    Distances distances(ways_.of({}));
    for (int source = 0; source < network.ranks; ++source) {
      distances.clear();
      distances.add_source(source);
      distances.measure(lengths);
      std::vector<double> through(at(network.vertices), 0);
      for (int to = 0; to < network.ranks; ++to) {
        std::int64_t const owed = bytes_.of(source, to);
        if (owed == 0) continue;
        if (distances.distance[at(to)] == out_of_reach) return std::nullopt;
        used += static_cast<Wide>(owed) * static_cast<Wide>(distances.distance[at(to)]);
        through[at(to)] = static_cast<double>(owed);
      }
      if (loads != nullptr) loads->push_back(loads_of(distances, std::move(through)));
    }
    return used;
  }

  /// The load of the links on the routes to each vertex.
  std::vector<double> loads_of(Distances const& distances, std::vector<double> through) const {
    std::vector<double> loads(network.links.size(), 0);
    for (std::size_t i = distances.order.size(); i-- > 1;) {
      int const v = distances.order[i];
      auto const link = at(distances.by[at(v)]);
      loads[link] += through[at(v)];
      through[at(network.links[link].from)] += through[at(v)];
    }
    return loads;
  }

  std::optional<Wide> trees_use(Lengths const& lengths, Loads* loads) const {
    Wide used = 0;
    for (Tree const& each : trees) {
      auto const links = loads != nullptr ? TreeLinks::wanted : TreeLinks::left_out;
      auto const length = length_of(ways_.of(each), each, lengths, links);
      if (!length) return std::nullopt;
      used += static_cast<Wide>(each.bytes) * static_cast<Wide>(length->at_least);
      if (loads == nullptr) continue;
      std::vector<double>& load = loads->emplace_back(network.links.size(), 0);
      for (std::size_t const link : length->links) load[link] += static_cast<double>(each.bytes);
    }
    return used;
  }

  PairBytes bytes_;
  TreeWays ways_;
};

/// Whether all links with a capacity join a rank with another kind of vertex, as NICs do. Then cuts around ranks give
/// the same bounds.
bool is_star(Network const& network) {
  return std::ranges::all_of(network.links, [&](NetworkLink const& each) {
    return !each.capacity || (each.from < network.ranks) != (each.to < network.ranks);
  });
}

/// Integers in proportion to these weights. Negative weights become 0, and the largest one becomes `longest_length`.
Lengths rounded(std::vector<double> const& weights) {
  double const most = *std::ranges::max_element(weights);
  Lengths lengths;
  for (double const each : weights)
    lengths.push_back(most > 0 ? std::llround(std::max(each, 0.0) / most * longest_length) : 0);
  return lengths;
}

/// Whether cuts already give the best bound. If every rank wants every block, trees can be packed until a cut is full,
/// also through switches [Bang-Jensen95]. The same holds for reductions with one target each.
bool cuts_say_all(Transfers const& transfers) {
  auto const is_like_first = [&](Tree const& each) {
    return each.turned == transfers.trees.front().turned && each.roots.size() == 1 &&
           at(transfers.network.ranks) == each.ends.size() + 1;
  };
  return !transfers.has_pairs() && std::ranges::all_of(transfers.trees, is_like_first);
}

/// The best lengths so far, and the bound that they give.
struct Best {
  Transfers const& transfers;
  Lengths lengths = {};
  double seconds = 0;

  /// Tries other lengths, and leaves the load of the links under them in `loads`.
  void take(Lengths const& others, Loads& loads) {
    double const found = transfers.seconds(others, &loads);
    if (found <= seconds) return;
    seconds = found;
    lengths = others;
  }
};

/// Again and again lengthens links on which short routes meet.
void lengthen(Best& best) {
  // Fewer in large networks, so that it takes well below a second.
  constexpr double most_turns = 60, fewest_turns = 12, all_steps = 1.2e7;
  int const turns = static_cast<int>(std::clamp(all_steps / best.transfers.steps(), fewest_turns, most_turns));
  Network const& network = best.transfers.network;
  std::vector<double> weights;
  for (NetworkLink const& each : network.links) weights.push_back(each.capacity ? 1 / *each.capacity : 0);
  for (int turn = 0; turn < turns; ++turn) {
    Loads by_group;
    best.take(rounded(weights), by_group);
    std::vector<double> busy(network.links.size(), 0);
    for (std::vector<double> const& loads : by_group) {
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

/// The bytes times length of these loads.
double use_of(Loads const& loads, std::vector<double> const& lengths) {
  double sum = 0;
  for (std::vector<double> const& each : loads) {
    for (std::size_t i = 0; i < each.size(); ++i) sum += each[i] * lengths[i];
  }
  return sum;
}

/// Better lengths by a linear program. Short routes and trees are added to it until none of them is new.
void optimise(Best& best) {
  constexpr int turns = 40;
  constexpr double enough = 1 - 1e-6;
  Network const& network = best.transfers.network;
  double most_capacity = 0, most_bytes = 0;
  for (NetworkLink const& each : network.links) most_capacity = std::max(most_capacity, each.capacity.value_or(0));
  std::vector<double> costs;
  for (NetworkLink const& each : network.links) costs.push_back(each.capacity.value_or(0) / most_capacity);
  LengthsProgram program(costs, best.transfers.groups());
  Loads loads;
  best.take(best.lengths, loads);
  for (std::vector<double> const& each : loads) most_bytes = std::max(most_bytes, *std::ranges::max_element(each));
  for (int turn = 0; turn < turns; ++turn) {
    for (std::size_t group = 0; group < loads.size(); ++group) {
      for (double& each : loads[group]) each /= most_bytes;
      program.add(static_cast<int>(group), loads[group]);
    }
    auto const found = program.solve();
    if (!found || found->cost <= 0) return;
    best.take(rounded(found->lengths), loads);
    // No lengths say more than this; or these ways and trees are known.
    if (best.seconds >= enough * most_bytes / (found->cost * most_capacity)) return;
    if (use_of(loads, found->lengths) >= enough * most_bytes) return;
  }
}

}  // namespace

double seconds_by_lengths(Network const& network, Demand const& demand, Lengths const& lengths) {
  Transfers const transfers(network, demand);
  if (lengths.empty() || transfers.is_empty()) return 0;
  return transfers.seconds(lengths, nullptr);
}

/// Empty if no link is bounded, if cuts already give the best bound, or if the search would take too long.
Lengths find_lengths(Network const& network, Demand const& demand) {
  constexpr double most_steps = 1e6, most_optimised = 3e4;
  bool const bounded =
      std::ranges::any_of(network.links, [](NetworkLink const& each) { return each.capacity && *each.capacity > 0; });
  if (!bounded || is_star(network)) return {};
  Transfers const transfers(network, demand);
  if (transfers.is_empty() || cuts_say_all(transfers) || transfers.steps() > most_steps) return {};
  Best best{transfers};
  lengthen(best);
  if (!best.lengths.empty() && transfers.steps() <= most_optimised) optimise(best);
  return best.lengths;
}

}  // namespace rondo::optimum
