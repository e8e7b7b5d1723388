// Each target is a sum of some of the unknown vectors, which is a row of 0 and 1. The rows that are chosen so far form
// a system of linear equations for the vectors. When it has full rank, the vectors are known, and the other targets
// only have to be looked up. Vectors that all rows so far treat equally are interchangeable, so a row uses the first
// ones of them.

#include "decomposition/additive_basis_search.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>

#include "base/ids.hpp"
#include "decomposition/additive_basis.hpp"

namespace rondo::additive {
namespace {

/// Arrays of fixed size, because the search creates millions of these.
using Coefficients = std::array<std::int64_t, exact_basis_size>;
using Sum = std::array<std::int64_t, exact_basis_dimensions>;

/// One equation: the sum of coefficients times unknown vectors is `sum`.
struct Row {
  Coefficients coefficients{};
  Sum sum{};

  bool independent() const { return coefficients != Coefficients{}; }

  /// this * factor - other * share.
  void eliminate(Row const& other, std::int64_t factor, std::int64_t share) {
    for (std::size_t c = 0; c < coefficients.size(); ++c) {
      coefficients[c] = coefficients[c] * factor - other.coefficients[c] * share;
    }
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] = sum[j] * factor - other.sum[j] * share;
    if (factor != 1 && factor != -1) shorten();
  }

 private:
  /// Divides by the greatest common divisor of all numbers.
  void shorten() {
    std::int64_t common = 0;
    for (std::int64_t const each : coefficients) common = std::gcd(common, each);
    for (std::int64_t const each : sum) common = std::gcd(common, each);
    if (common < 2) return;
    for (std::int64_t& each : coefficients) each /= common;
    for (std::int64_t& each : sum) each /= common;
  }
};

/// Independent equations. The pivot column of each equation is 0 in all others.
class System {
 public:
  int rank() const { return rank_; }

  /// The part of the equation that the system does not determine.
  Row reduced(Row row) const {
    for (int r = 0; r < rank_; ++r) {
      std::size_t const p = pivot(r);
      if (row.coefficients[p] != 0) row.eliminate(rows_[at(r)], rows_[at(r)].coefficients[p], row.coefficients[p]);
    }
    return row;
  }

  /// `row` must be reduced and independent.
  void add(Row row) {
    auto const first = std::find_if(row.coefficients.begin(), row.coefficients.end(), [](auto c) { return c != 0; });
    auto const p = static_cast<std::size_t>(first - row.coefficients.begin());
    if (row.coefficients[p] < 0) row.eliminate(Row{}, -1, 0);
    for (int r = 0; r < rank_; ++r) {
      Row& each = rows_[at(r)];
      if (each.coefficients[p] != 0) each.eliminate(row, row.coefficients[p], each.coefficients[p]);
    }
    rows_[at(rank_)] = row;
    pivots_[at(rank_++)] = p;
  }

  /// Finds integer vectors that solve the system, if there are any. Free unknowns only matter modulo the pivots, so
  /// finitely many values are tried.
  bool solve(int unknowns, std::size_t dimensions, std::array<Sum, exact_basis_size>& vectors) const {
    for (std::size_t j = 0; j < dimensions; ++j) {
      if (!solve_dimension(unknowns, j, vectors)) return false;
    }
    return true;
  }

 private:
  using Vectors = std::array<Sum, exact_basis_size>;
  std::size_t pivot(int r) const { return pivots_[at(r)]; }
  std::int64_t pivot_value(int r) const { return rows_[at(r)].coefficients[pivot(r)]; }

  /// Solves one coordinate. Free unknowns are 0 first; then values below the product of the pivots are tried, because
  /// divisibility repeats with this period.
  bool solve_dimension(int unknowns, std::size_t j, Vectors& vectors) const {
    std::vector<std::size_t> free;
    for (std::size_t c = 0; rank_ < unknowns && c < at(unknowns); ++c) {
      if (std::find(pivots_.begin(), pivots_.begin() + rank_, c) == pivots_.begin() + rank_) free.push_back(c);
    }
    std::int64_t period = 1;
    for (int r = 0; r < rank_; ++r) period = std::lcm(period, pivot_value(r));
    for (std::size_t const c : free) vectors[c][j] = 0;
    while (!solve_pivots(j, free, vectors)) {
      std::size_t f = 0;
      while (f < free.size() && ++vectors[free[f]][j] == period) vectors[free[f++]][j] = 0;
      if (f == free.size()) return false;
    }
    return true;
  }

  /// The unknowns at pivots from the free ones; false if one is no integer.
  bool solve_pivots(std::size_t j, std::vector<std::size_t> const& free, Vectors& vectors) const {
    for (int r = 0; r < rank_; ++r) {
      std::int64_t rest = rows_[at(r)].sum[j];
      for (std::size_t const c : free) rest -= rows_[at(r)].coefficients[c] * vectors[c][j];
      if (rest % pivot_value(r) != 0) return false;
      vectors[pivot(r)][j] = rest / pivot_value(r);
    }
    return true;
  }

  int rank_ = 0;
  std::array<Row, exact_basis_size> rows_{};
  std::array<std::size_t, exact_basis_size> pivots_{};
};

/// A depth-first search over the rows of the targets, one target after the other.
class Search {
 public:
  /// Notes a fingerprint of each target, by which sums are found fast.
  Search(std::vector<Vector> const& targets, int size) : size_(size), dimensions_(targets.front().size()) {
    for (Vector const& target : targets) {
      targets_.emplace_back();
      std::copy(target.begin(), target.end(), targets_.back().begin());
      target_prints_.push_back(fingerprint(targets_.back()));
    }
  }

  std::optional<std::vector<Vector>> run() {
    unsigned const all_alike = (1U << (size_ - 1)) - 1;
    extend(0, System(), all_alike);
    return found_;
  }

 private:
  /// The equation: the vectors of the mask add up to the target.
  Row equation(unsigned mask, std::size_t target) const {
    Row row;
    for (int c = 0; c < size_; ++c) row.coefficients[static_cast<std::size_t>(c)] = (mask >> c) & 1U;
    row.sum = targets_[target];
    return row;
  }

  /// Bit c of `alike`: the vectors c and c + 1 have been used equally so far.
  void extend(std::size_t target, System const& system, unsigned alike) {
    if (system.rank() == size_ || target == targets_.size()) return finish(target, system);
    std::array<Row, std::size_t{1} << exact_basis_size> rows;
    for (unsigned mask = 1; mask < 1U << size_; ++mask) {
      rows[mask] = system.reduced(equation(mask, target));
      // The target is a sum in any case, whatever the vectors will be, so no other row is tried.
      if (!rows[mask].independent() && rows[mask].sum == Sum{}) return extend(target + 1, system, alike);
    }
    for (unsigned mask = 1; mask < 1U << size_ && !found_; ++mask) {
      if ((alike & ~mask & (mask >> 1)) != 0 || !rows[mask].independent()) continue;
      System extended = system;
      extended.add(rows[mask]);
      extend(target + 1, extended, alike & ~(mask ^ (mask >> 1)));
    }
  }

  /// Checks a solution against all targets, and keeps it.
  void finish(std::size_t target, System const& system) {
    std::array<Sum, exact_basis_size> vectors{};
    if (!system.solve(size_, dimensions_, vectors) || !makes_targets_from(target, vectors)) return;
    found_.emplace();
    for (int v = 0; v < size_; ++v) {
      Sum const& vector = vectors[static_cast<std::size_t>(v)];
      found_->emplace_back(vector.begin(), vector.begin() + static_cast<std::ptrdiff_t>(dimensions_));
    }
  }

  /// A linear fingerprint: the fingerprint of a sum is the sum of the fingerprints. Vectors with different fingerprints
  /// differ.
  static std::uint64_t fingerprint(Sum const& vector) {
    std::uint64_t factor = 1;
    std::uint64_t result = 0;
    for (std::int64_t const each : vector) result += static_cast<std::uint64_t>(each) * (factor *= 0x9e3779b97f4a7c15);
    return result;
  }

  /// The targets before `first` are sums by construction. Almost all candidates fail at the next few fingerprints.
  bool makes_targets_from(std::size_t first, std::array<Sum, exact_basis_size> const& vectors) const {
    std::array<std::uint64_t, std::size_t{1} << exact_basis_size> prints{};
    std::size_t count = 1;
    for (int v = 0; v < size_; ++v) {
      std::uint64_t const print = fingerprint(vectors[static_cast<std::size_t>(v)]);
      for (std::size_t k = 0; k < count; ++k) prints[count + k] = prints[k] + print;
      count *= 2;
    }
    for (std::size_t t = first; t < targets_.size(); ++t) {
      std::size_t k = 0;
      while (k < count && (prints[k] != target_prints_[t] || sum_of(k, vectors) != targets_[t])) ++k;
      if (k == count) return false;
    }
    return true;
  }

  /// The sum of the vectors of a mask.
  Sum sum_of(std::size_t mask, std::array<Sum, exact_basis_size> const& vectors) const {
    Sum sum{};
    for (std::size_t v = 0; v < vectors.size(); ++v) {
      for (std::size_t j = 0; j < dimensions_ && ((mask >> v) & 1U) != 0; ++j) sum[j] += vectors[v][j];
    }
    return sum;
  }

  std::vector<Sum> targets_;
  std::vector<std::uint64_t> target_prints_;
  int size_;
  std::size_t dimensions_;
  std::optional<std::vector<Vector>> found_;
};

}  // namespace

std::optional<std::vector<Vector>> basis_of_size(std::vector<Vector> const& targets, int size) {
  return Search(targets, size).run();
}

}  // namespace rondo::additive
