// Searches for the order of the steps whose tree sends the fewest blocks. If there are few orders, all of them are
// tried; otherwise several start orders are improved by swaps.

#include "decomposition/steiner_steps.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "decomposition/routes.hpp"
#include "decomposition/steiner_tree.hpp"

namespace rondo {
namespace {

using namespace steiner;

/// The limit of the heuristic search: steps times targets, summed over the trees that are built after swaps.
constexpr std::size_t most_heuristic_work = 400'000;

/// An order of steps, and the rounds in which the block of each target moves. `sent` is the number of blocks that are
/// sent.
struct Plan {
  std::vector<Step> steps;
  Rounds rounds;  ///< by target
  std::int64_t sent = 0;
};

Plan make_plan(std::vector<Step> steps, Rounds rounds) {
  std::int64_t const sent = blocks(rounds);
  return {std::move(steps), std::move(rounds), sent};
}

Plan const& better(Plan const& a, Plan const& b) { return b.sent < a.sent ? b : a; }

/// The largest distance of a target in this direction; at least 0.
int reach(std::vector<Vector> const& targets, Step const& direction) {
  int farthest = 0;
  for (Vector const& target : targets) {
    farthest = std::max(farthest, direction.sign * target[static_cast<std::size_t>(direction.dimension)]);
  }
  return farthest;
}

/// As many steps in each direction as the farthest target needs, dimension by dimension in this order, + before -. The
/// prefix trie uses them in this order.
std::vector<Step> steps_in_dimension_order(std::vector<Vector> const& targets, std::vector<int> const& order) {
  std::vector<Step> steps;
  for (int const j : order) {
    for (int const sign : {+1, -1})
      steps.insert(steps.end(), static_cast<std::size_t>(reach(targets, {j, sign})), {j, sign});
  }
  return steps;
}

/// Deals the steps in turns: the first step of each kind, then the second of each kind, and so on.
std::vector<Step> round_robin(std::vector<Step> const& steps) {
  std::vector<std::pair<int, Step>> dealt;
  std::map<Step, int> seen;
  for (Step const& step : steps) dealt.emplace_back(seen[step]++, step);
  std::stable_sort(dealt.begin(), dealt.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
  std::vector<Step> result;
  for (auto const& [turn, step] : dealt) result.push_back(step);
  return result;
}

/// The plan of the prefix trie: the block of each target takes the first steps of each direction, as many as it needs.
Plan prefix_trie(std::vector<Step> const& steps, std::vector<Vector> const& targets) {
  Rounds rounds;
  for (Vector const& target : targets) {
    std::map<Step, int> taken;
    rounds.emplace_back();
    for (std::size_t t = 0; t < steps.size(); ++t) {
      int const hops = steps[t].sign * target[static_cast<std::size_t>(steps[t].dimension)];
      if (taken[steps[t]]++ < hops) rounds.back().push_back(static_cast<int>(t));
    }
  }
  return make_plan(steps, std::move(rounds));
}

/// The number of different orders of the steps, a multinomial coefficient.
double count_orders(std::vector<Step> const& steps) {
  std::map<Step, int> seen;
  double result = 1;
  for (std::size_t t = 0; t < steps.size(); ++t) result = result * static_cast<double>(t + 1) / ++seen[steps[t]];
  return result;
}

/// The best plan over all orders of the steps, or the first one that sends only `bound` blocks.
Plan best_of_all_orders(Plan best, std::vector<Vector> const& targets, std::int64_t bound) {
  std::vector<Step> steps = best.steps;
  std::sort(steps.begin(), steps.end());
  do {
    if (best.sent == bound) break;
    best = better(best, make_plan(steps, smallest_tree(steps, targets)));
  } while (std::next_permutation(steps.begin(), steps.end()));
  return best;
}

/// Swaps neighboring steps as long as that helps and work is left.
Plan improved(Plan best, std::vector<Vector> const& targets, std::int64_t bound, std::size_t& work) {
  std::size_t const cost = best.steps.size() * targets.size();
  bool helped = true;
  while (helped && best.sent > bound) {
    helped = false;
    for (std::size_t t = 0; t + 1 < best.steps.size() && work >= cost; ++t) {
      if (best.steps[t] == best.steps[t + 1]) continue;
      std::vector<Step> steps = best.steps;
      std::swap(steps[t], steps[t + 1]);
      work -= cost;
      Plan const other = make_plan(steps, small_tree(steps, targets));
      helped = helped || other.sent < best.sent;
      best = better(best, other);
    }
  }
  return best;
}

/// The best plan over the start orders and their round-robin orders, each improved by swaps. All swaps together share
/// the budget most_heuristic_work.
Plan best_of_some_orders(Plan best, std::vector<Vector> const& targets, std::vector<std::vector<Step>> starts,
                         std::int64_t bound) {
  std::size_t work = most_heuristic_work;
  for (std::size_t i = 0, tries = starts.size(); i < tries; ++i) starts.push_back(round_robin(starts[i]));
  for (std::vector<Step> const& start : starts) {
    if (best.sent == bound) break;
    Plan const plan = make_plan(start, small_tree(start, targets));
    best = better(best, improved(plan, targets, bound, work));
  }
  return best;
}

/// Whether every step brings each block that takes it closer to its target. Otherwise some block also takes the
/// opposite step, and may leave a mesh.
bool goes_straight(Plan const& plan, std::vector<Vector> const& targets) {
  for (std::size_t i = 0; i < targets.size(); ++i) {
    for (int const round : plan.rounds[i]) {
      Step const& step = plan.steps[static_cast<std::size_t>(round)];
      if (step.sign * targets[i][static_cast<std::size_t>(step.dimension)] <= 0) return false;
    }
  }
  return true;
}

/// The order of steps for each order of dimensions, each listed once.
std::vector<std::vector<Step>> start_orders(std::vector<Vector> const& targets,
                                            std::vector<std::vector<int>> const& orders) {
  std::vector<std::vector<Step>> starts;
  for (std::vector<int> const& order : orders) {
    std::vector<Step> steps = steps_in_dimension_order(targets, order);
    if (std::find(starts.begin(), starts.end(), steps) == starts.end()) starts.push_back(std::move(steps));
  }
  return starts;
}

/// The plan as a decomposition: the steps on the way to each neighbor.
Decomposition as_steps(Plan const& plan, std::vector<Vector> const& targets, Neighborhood const& neighborhood) {
  Decomposition result;
  for (Step const& step : plan.steps) {
    result.steps.emplace_back(static_cast<std::size_t>(neighborhood.dimensions()), 0);
    result.steps.back()[static_cast<std::size_t>(step.dimension)] = step.sign;
  }
  for (int i = 0; i < neighborhood.size(); ++i) {
    Vector const offset(neighborhood[i].begin(), neighborhood[i].end());
    auto const found = std::lower_bound(targets.begin(), targets.end(), offset);
    bool const moves = found != targets.end() && *found == offset;
    result.uses.push_back(moves ? plan.rounds[static_cast<std::size_t>(found - targets.begin())] : std::vector<int>());
  }
  return result;
}

}  // namespace

/// Searches all orders if their number times D times 3^targets is at most most_steiner_work, and otherwise some of
/// them. The result is never larger than the smallest prefix trie of the start orders.
Decomposition steiner_steps(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& stated_order,
                            Boundary const& boundary) {
  Neighborhood const moving = without_idle_dimensions(torus, neighborhood);
  std::set<Vector> distinct;
  for (int i = 0; i < moving.size(); ++i) distinct.emplace(moving[i].begin(), moving[i].end());
  distinct.erase(Vector(static_cast<std::size_t>(moving.dimensions()), 0));
  std::vector<Vector> const targets(distinct.begin(), distinct.end());
  if (targets.empty()) return {{}, std::vector<std::vector<int>>(static_cast<std::size_t>(moving.size())), true};
  std::vector<std::vector<Step>> const starts =
      start_orders(targets, {best_dimension_order(torus, moving), given_dimension_order(torus.dimensions()),
                             stated_order, paper_dimension_order(moving)});
  std::vector<Step> const& given = starts[0];
  Plan smallest_trie = prefix_trie(given, targets);
  for (std::vector<Step> const& start : starts) smallest_trie = better(smallest_trie, prefix_trie(start, targets));
  // Each target receives a block, and each of the D rounds carries at least one.
  auto const bound = static_cast<std::int64_t>(std::max(targets.size(), given.size()));
  // smallest_tree() visits up to this many states for one order.
  double const states = static_cast<double>(given.size()) * std::pow(3.0, static_cast<double>(targets.size()));
  bool const exact = count_orders(given) * states <= most_steiner_work;
  Plan best = exact ? best_of_all_orders(smallest_trie, targets, bound)
                    : best_of_some_orders(smallest_trie, targets, starts, bound);
  // On a mesh a block must not pass ranks that do not exist.
  bool const leaves = boundary != Boundary::periodic && !goes_straight(best, targets);
  if (leaves) best = smallest_trie;
  Decomposition result = as_steps(best, targets, moving);
  result.is_smallest = (exact && !leaves) || best.sent == bound;
  return result;
}

}  // namespace rondo
