// The active-set method on the normal equations, whose columns are scaled to length 1.

#include "fit/nonnegative.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"

namespace rondo::fit {
namespace {

constexpr double ridge = 1e-12;    // of a column's square: columns that are almost equal still have a solution
constexpr double no_gain = 1e-10;  // of the target's length: a smaller derivative helps no more
constexpr int most_exchanges = 300;

double dot(std::span<double const> a, std::span<double const> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// The normal equations of the problem, whose columns are scaled to length 1.
class NormalEquations {
 public:
  NormalEquations(std::span<std::vector<double> const> columns, std::span<double const> target)
      : count_(columns.size()), lengths_(count_), right_(count_), left_(count_ * count_) {
    for (std::size_t i = 0; i < count_; ++i) {
      double const length = std::sqrt(dot(columns[i], columns[i]));
      lengths_[i] = length > 0 ? length : 1;
      right_[i] = dot(columns[i], target) / lengths_[i];
      for (std::size_t j = 0; j <= i; ++j) {
        left_[i * count_ + j] = left_[j * count_ + i] = dot(columns[i], columns[j]) / lengths_[i] / lengths_[j];
      }
    }
  }

  double length(std::size_t column) const { return lengths_[column]; }

  /// How fast the sum of squares falls as this coefficient grows.
  double gain(std::size_t column, std::vector<double> const& solution) const {
    return right_[column] - dot(std::span(left_).subspan(column * count_, count_), solution);
  }

  /// The solution for these columns alone, without the condition on signs, by Cholesky's decomposition.
  std::vector<double> solve(std::vector<std::size_t> const& chosen) const {
    std::size_t const n = chosen.size();
    std::vector<double> lower(n * n), x(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = left_[chosen[i] * count_ + chosen[j]] + (i == j ? ridge : 0);
        for (std::size_t k = 0; k < j; ++k) sum -= lower[i * n + k] * lower[j * n + k];
        lower[i * n + j] = i == j ? std::sqrt(std::max(sum, ridge)) : sum / lower[j * n + j];
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      double sum = right_[chosen[i]];
      for (std::size_t k = 0; k < i; ++k) sum -= lower[i * n + k] * x[k];
      x[i] = sum / lower[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t k = i + 1; k < n; ++k) x[i] -= lower[k * n + i] * x[k];
      x[i] /= lower[i * n + i];
    }
    return x;
  }

 private:
  std::size_t count_;
  std::vector<double> lengths_, right_, left_;
};

/// Moves from coefficients that are all at least 0 towards a solution, as far as none becomes negative. Columns whose
/// coefficient reaches 0 are no longer chosen.
void approach(std::vector<double>& at, std::vector<std::size_t>& chosen, std::vector<double> const& solution) {
  double share = 1;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    double const from = at[chosen[i]];
    if (solution[i] <= 0) share = std::min(share, from / (from - solution[i]));
  }
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    double& value = at[chosen[i]];
    bool const ends = solution[i] <= 0 && value / (value - solution[i]) <= share;
    value += share * (solution[i] - value);
    if (ends || value <= 0) {
      value = 0;
    } else {
      left.push_back(chosen[i]);
    }
  }
  chosen = std::move(left);
}

}  // namespace

std::vector<double> nonnegative_least_squares(std::span<std::vector<double> const> columns,
                                              std::span<double const> target) {
  for (auto const& column : columns) expects(column.size() == target.size(), "columns as long as the target");
  NormalEquations const equations(columns, target);
  double const smallest = no_gain * std::sqrt(dot(target, target));
  std::vector<double> at(columns.size(), 0.0);
  std::vector<std::size_t> chosen;
  for (int exchange = 0; exchange < most_exchanges; ++exchange) {
    std::size_t best = columns.size();
    double most = smallest;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (std::ranges::find(chosen, i) != chosen.end()) continue;
      double const gain = equations.gain(i, at);
      if (gain > most) most = gain, best = i;
    }
    if (best == columns.size()) break;
    chosen.push_back(best);
    while (!chosen.empty()) {
      std::vector<double> const solution = equations.solve(chosen);
      bool const inside = std::ranges::all_of(solution, [](double each) { return each > 0; });
      approach(at, chosen, solution);
      if (inside) break;
    }
  }
  for (std::size_t i = 0; i < at.size(); ++i) at[i] /= equations.length(i);
  return at;
}

}  // namespace rondo::fit
