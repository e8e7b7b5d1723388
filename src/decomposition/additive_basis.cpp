// Starts from an easy basis, and searches smaller ones (additive_basis.hpp).

#include "decomposition/additive_basis.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "base/error.hpp"
#include "decomposition/additive_basis_search.hpp"
#include "decomposition/routes.hpp"

namespace rondo {
namespace {

using additive::Vector;

/// The greedy search stops looking when sums times targets exceed this number.
constexpr std::size_t most_sums_looked_up = 500'000;

/// A basis under construction, and how it represents each target.
struct Basis {
  std::vector<Vector> vectors;
  std::map<Vector, std::vector<int>> uses;  ///< by target: the numbers of the vectors whose sum it is, ascending
  bool is_smallest = false;
};

Vector sum(Vector a, Vector const& b, int sign = +1) {
  for (std::size_t j = 0; j < a.size(); ++j) a[j] += sign * b[j];
  return a;
}

std::size_t total_uses(Basis const& basis) {
  std::size_t total = 0;
  for (auto const& [target, uses] : basis.uses) total += uses.size();
  return total;
}

/// Represents each target as a sum of the fewest vectors, by trying all subsets.
Basis represented(std::vector<Vector> vectors, std::vector<Vector> const& targets) {
  std::map<Vector, unsigned> masks;
  for (unsigned mask = 0; mask < 1U << vectors.size(); ++mask) {
    Vector total(targets.front().size(), 0);
    for (std::size_t v = 0; v < vectors.size(); ++v) {
      if ((mask >> v) & 1U) total = sum(total, vectors[v]);
    }
    auto const [entry, first] = masks.try_emplace(total, mask);
    if (!first && std::popcount(mask) < std::popcount(entry->second)) entry->second = mask;
  }
  Basis basis{std::move(vectors), {}};
  for (Vector const& target : targets) {
    std::vector<int>& uses = basis.uses[target];
    for (unsigned rest = masks.at(target); rest != 0; rest &= rest - 1) uses.push_back(std::countr_zero(rest));
  }
  return basis;
}

Basis the_targets_themselves(std::vector<Vector> const& targets) {
  Basis basis{targets, {}};
  for (std::size_t t = 0; t < targets.size(); ++t) basis.uses[targets[t]] = {static_cast<int>(t)};
  return basis;
}

/// The vector that turns the most missing targets into sums; of several the smallest. Each pair of a sum and a missing
/// target votes for the vector that leads from one to the other.
Vector most_useful(std::map<Vector, std::vector<int>> const& sums, std::set<Vector> const& missing) {
  std::map<Vector, int> made;
  for (Vector const& target : missing) {
    for (auto const& [reached, uses] : sums) ++made[sum(target, reached, -1)];
  }
  return std::max_element(made.begin(), made.end(), [](auto const& a, auto const& b) { return a.second < b.second; })
      ->first;
}

/// Greedy: adds the most useful vector until all targets are sums.
Basis one_by_one(std::vector<Vector> const& targets) {
  Basis basis;
  std::map<Vector, std::vector<int>> sums{{Vector(targets.front().size(), 0), {}}};
  std::set<Vector> missing(targets.begin(), targets.end());
  while (!missing.empty()) {
    bool const saves_nothing = basis.vectors.size() + 1 >= targets.size();
    if (saves_nothing || sums.size() * missing.size() > most_sums_looked_up) return the_targets_themselves(targets);
    Vector const vector = most_useful(sums, missing);
    auto const number = static_cast<int>(basis.vectors.size());
    basis.vectors.push_back(vector);
    std::map<Vector, std::vector<int>> const before = sums;
    for (auto const& [reached, uses] : before) {
      auto const [entry, first] = sums.try_emplace(sum(reached, vector), uses);
      if (!first) continue;
      entry->second.push_back(number);
      if (missing.erase(entry->first) > 0) basis.uses[entry->first] = entry->second;
    }
  }
  return basis;
}

Basis smaller(Basis a, Basis b) {
  auto const cost = [](Basis const& basis) { return std::pair(basis.vectors.size(), total_uses(basis)); };
  return cost(b) < cost(a) ? std::move(b) : std::move(a);
}

Basis basis_of(std::vector<Vector> const& targets);

/// Combines separate bases of the coordinates of each dimension.
Basis by_dimension(std::vector<Vector> const& targets) {
  Basis basis;
  for (Vector const& target : targets) basis.uses[target];
  for (std::size_t j = 0; j < targets.front().size(); ++j) {
    std::set<Vector> coordinates;
    for (Vector const& target : targets) {
      if (target[j] != 0) coordinates.insert({target[j]});
    }
    if (coordinates.empty()) continue;
    Basis const line = basis_of({coordinates.begin(), coordinates.end()});
    auto const first = static_cast<int>(basis.vectors.size());
    for (Vector const& each : line.vectors) {
      basis.vectors.emplace_back(targets.front().size(), 0);
      basis.vectors.back()[j] = each[0];
    }
    for (auto& [target, uses] : basis.uses) {
      if (target[j] == 0) continue;
      for (int const v : line.uses.at({target[j]})) uses.push_back(first + v);
    }
  }
  return basis;
}

/// The best of the heuristics, and then an exact search for smaller ones.
Basis basis_of(std::vector<Vector> const& targets) {
  if (targets.empty()) return {{}, {}, true};
  Basis best = smaller(the_targets_themselves(targets), one_by_one(targets));
  if (targets.front().size() > 1) best = smaller(std::move(best), by_dimension(targets));
  // b vectors have at most 2^b - 1 sums other than 0, which bounds the size from below.
  int size = std::bit_width(targets.size());
  for (; size < static_cast<int>(best.vectors.size()); ++size) {
    if (size > exact_basis_size || targets.front().size() > exact_basis_dimensions) return best;
    if (auto found = additive::basis_of_size(targets, size)) {
      best = represented(std::move(*found), targets);
      break;
    }
  }
  best.is_smallest = true;
  return best;
}

/// Whether every vector points in the direction of the targets that use it, so partial sums lie between 0 and the
/// target.
bool stays_between(Basis const& basis) {
  for (auto const& [target, uses] : basis.uses) {
    for (int const use : uses) {
      Vector const& vector = basis.vectors[static_cast<std::size_t>(use)];
      for (std::size_t j = 0; j < target.size(); ++j) {
        if (vector[j] != 0 && (target[j] == 0 || (vector[j] < 0) != (target[j] < 0))) return false;
      }
    }
  }
  return true;
}

/// The hops of one dimension and direction: either the lengths that are needed, or powers of two, of which every number
/// is a sum.
std::vector<int> lengths(std::set<int> const& needed) {
  std::vector<int> powers;
  for (int length = 1; length <= *needed.rbegin(); length *= 2) powers.push_back(length);
  if (powers.size() < needed.size()) return powers;
  return {needed.begin(), needed.end()};
}

/// A basis whose vectors point along a single dimension, so sums stay between 0 and the target.
Basis by_direction(std::vector<Vector> const& targets) {
  Basis basis;
  for (Vector const& target : targets) basis.uses[target];
  for (std::size_t j = 0; j < targets.front().size(); ++j) {
    for (int const sign : {+1, -1}) {
      std::set<int> needed;
      for (Vector const& target : targets) {
        if (sign * target[j] > 0) needed.insert(sign * target[j]);
      }
      if (needed.empty()) continue;
      std::vector<int> const hops = lengths(needed);
      auto const first = static_cast<int>(basis.vectors.size());
      for (int const length : hops) {
        basis.vectors.emplace_back(targets.front().size(), 0);
        basis.vectors.back()[j] = sign * length;
      }
      for (auto& [target, uses] : basis.uses) {
        int rest = sign * target[j];
        bool const is_hop = std::find(hops.begin(), hops.end(), rest) != hops.end();
        for (std::size_t h = hops.size(); h-- > 0 && rest > 0;) {
          if (is_hop ? hops[h] != rest : hops[h] > rest) continue;
          uses.push_back(first + static_cast<int>(h));
          rest -= hops[h];
        }
      }
    }
  }
  for (auto& [target, uses] : basis.uses) std::sort(uses.begin(), uses.end());
  return basis;
}

Basis basis_between(std::vector<Vector> const& targets) {
  Basis free = basis_of(targets);
  if (targets.empty() || stays_between(free)) return free;
  return smaller(the_targets_themselves(targets), by_direction(targets));
}

/// All offsets that lead to the same rank on the torus and differ by at most one wrap in each coordinate.
std::vector<Vector> equal_offsets(Torus const& torus, Vector const& target) {
  std::vector<Vector> equal{target};
  for (std::size_t j = 0; j < target.size(); ++j) {
    int const extent = torus.extents()[j];
    if (target[j] % extent == 0) continue;
    for (std::size_t k = 0, count = equal.size(); k < count; ++k) {
      equal.push_back(equal[k]);
      equal.back()[j] += target[j] > 0 ? -extent : extent;
    }
  }
  return equal;
}

/// Enumerates every choice of an equal offset for each target.
class Choices {
 public:
  Choices(Torus const& torus, std::vector<Vector> const& targets) : chosen_(targets.size(), 0) {
    for (Vector const& target : targets) equal_.push_back(equal_offsets(torus, target));
  }
  double count() const {
    double all = 1;
    for (auto const& each : equal_) all *= static_cast<double>(each.size());
    return all;
  }
  /// The current choice, by target.
  std::vector<Vector> offsets() const {
    std::vector<Vector> result;
    for (std::size_t t = 0; t < equal_.size(); ++t) result.push_back(equal_[t][chosen_[t]]);
    return result;
  }
  /// The next combination of equivalent targets, like an odometer; false after the last one.
  bool next() {
    for (std::size_t t = 0; t < equal_.size(); ++t) {
      if (++chosen_[t] < equal_[t].size()) return true;
      chosen_[t] = 0;
    }
    return false;
  }

 private:
  std::vector<std::vector<Vector>> equal_;
  std::vector<std::size_t> chosen_;
};

/// A smaller basis on the torus, for few targets, each of which may be replaced by an equal offset.
Basis basis_around(Torus const& torus, std::vector<Vector> const& targets) {
  constexpr double most_choices = 1024;
  Basis best = basis_of(targets);
  Choices choices(torus, targets);
  if (targets.empty() || choices.count() > most_choices || targets.front().size() > exact_basis_dimensions) return best;
  int const most = std::min(static_cast<int>(best.vectors.size()) - 1, exact_basis_size);
  for (int size = 1; size <= most; ++size) {
    do {
      std::vector<Vector> const offsets = choices.offsets();
      std::set<Vector> const distinct(offsets.begin(), offsets.end());
      if (static_cast<int>(std::bit_width(distinct.size())) > size) continue;
      std::vector<Vector> const wanted(distinct.begin(), distinct.end());
      auto found = additive::basis_of_size(wanted, size);
      if (!found) continue;
      Basis const basis = represented(std::move(*found), wanted);
      best = {basis.vectors, {}, true};
      for (std::size_t t = 0; t < targets.size(); ++t) best.uses[targets[t]] = basis.uses.at(offsets[t]);
      return best;
    } while (choices.next());
  }
  return best;
}

}  // namespace

/// Equal targets share their sum.
Decomposition additive_basis(Torus const& torus, Neighborhood const& neighborhood, Boundary const& boundary) {
  Neighborhood const moving = without_idle_dimensions(torus, neighborhood);
  std::set<Vector> targets;
  for (int i = 0; i < moving.size(); ++i) {
    if (!torus.is_self(moving[i])) targets.emplace(moving[i].begin(), moving[i].end());
  }
  std::vector<Vector> const distinct(targets.begin(), targets.end());
  Basis const basis = boundary != Boundary::periodic ? basis_between(distinct) : basis_around(torus, distinct);
  Decomposition result{basis.vectors, {}, basis.is_smallest};
  for (int i = 0; i < moving.size(); ++i) {
    auto const found = basis.uses.find(Vector(moving[i].begin(), moving[i].end()));
    result.uses.push_back(found == basis.uses.end() ? std::vector<int>() : found->second);
  }
  return result;
}

}  // namespace rondo
