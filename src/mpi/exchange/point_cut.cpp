// Finds the median across the longest axis by sums over all ranks. First come the centre, the matrix of second moments
// and its principal axis. Then the digits of the points' keys give the median, from the highest digit on (radix
// selection).

#include "mpi/exchange/point_cut.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/error.hpp"
namespace rondo::mpi {

namespace {

using Coordinates = std::array<double, 3>;
using Matrix = std::array<Coordinates, 3>;

/// Rotates the plane of dimensions i and j so that the matrix gets a zero there (Jacobi), and rotates the basis with
/// it.
void rotate(Matrix& matrix, Matrix& basis, std::size_t i, std::size_t j) {
  if (matrix[i][j] == 0) return;
  double const theta = (matrix[j][j] - matrix[i][i]) / (2 * matrix[i][j]);
  double const t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
  double const c = 1 / std::sqrt(t * t + 1), s = t * c;
  for (std::size_t k = 0; k < 3; ++k) {
    double const a = matrix[k][i], b = matrix[k][j];
    matrix[k][i] = c * a - s * b;
    matrix[k][j] = s * a + c * b;
  }
  for (std::size_t k = 0; k < 3; ++k) {
    double const a = matrix[i][k], b = matrix[j][k];
    matrix[i][k] = c * a - s * b;
    matrix[j][k] = s * a + c * b;
  }
  for (Coordinates& row : basis) {
    double const a = row[i], b = row[j];
    row[i] = c * a - s * b;
    row[j] = s * a + c * b;
  }
}

/// The mean of all points.
Coordinates centre(Reductions& ranks, std::span<CloudPoint const> points, std::int64_t all) {
  Coordinates sums = {};
  for (CloudPoint const& point : points) {
    for (std::size_t i = 0; i < 3; ++i) sums[i] += point.at[i];
  }
  ranks.sum(std::span<double>(sums));
  for (double& sum : sums) sum /= static_cast<double>(all);
  return sums;
}

/// The principal axis of the second moments.
Coordinates longest_axis(Reductions& ranks, std::span<CloudPoint const> points, Coordinates const& centre) {
  std::array<double, 6> moments = {};
  for (CloudPoint const& point : points) {
    double const x = point.at[0] - centre[0], y = point.at[1] - centre[1], z = point.at[2] - centre[2];
    std::array<double, 6> const products{x * x, x * y, x * z, y * y, y * z, z * z};
    for (std::size_t i = 0; i < products.size(); ++i) moments[i] += products[i];
  }
  ranks.sum(std::span<double>(moments));
  return principal_axis(moments);
}

/// Maps numbers to integers in the same order.
std::uint64_t ordered(double number) {
  auto const bits = std::bit_cast<std::uint64_t>(number == 0 ? 0.0 : number);
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  return (bits & sign) != 0 ? ~bits : bits | sign;
}

constexpr int digits = 16;  ///< bytes of a key
constexpr std::size_t values = 256;

unsigned digit(CutKey const& key, int place) {
  std::uint64_t const word = place < 8 ? key.first : key.second;
  return static_cast<unsigned>(word >> (56 - 8 * (place % 8)) & 0xff);
}

void set_digit(CutKey& key, int place, std::uint64_t value) {
  (place < 8 ? key.first : key.second) |= value << (56 - 8 * (place % 8));
}

/// Finds the key that has `in` keys before it, one digit at a time. Among the keys that agree with the limit so far,
/// all ranks together count how many have each value of the next digit.
class Selection {
 public:
  Selection(Reductions& ranks, std::vector<CutKey> keys, std::int64_t in)
      : ranks_(ranks), keys_(std::move(keys)), in_(in) {}

  /// The first key behind the cut, digit by digit from the highest one.
  CutKey limit() {
    CutKey limit = {};
    for (int place = 0; place < digits; ++place) {
      auto const counts = count(place);
      std::size_t value = 0;
      while (value < values && in_ >= counts[value]) in_ -= counts[value++];
      // All keys with a smaller digit are in, and they are as many as wanted.
      if (in_ == 0 && value < values) {
        set_digit(limit, place, value);
        return limit;
      }
      expects(value < values, "fewer keys in than there are");
      set_digit(limit, place, value);
      std::erase_if(keys_, [&](CutKey const& key) { return digit(key, place) != value; });
    }
    throw ContractViolation("points that differ in home or index");
  }

 private:
  /// How many keys of all ranks have each value of a digit.
  std::array<std::int64_t, values> count(int place) {
    std::array<std::int64_t, values> counts = {};
    for (CutKey const& key : keys_) ++counts[digit(key, place)];
    ranks_.sum(std::span<std::int64_t>(counts));
    return counts;
  }

  Reductions& ranks_;
  std::vector<CutKey> keys_;
  std::int64_t in_;
};

}  // namespace

/// The eigenvector of the largest eigenvalue of a symmetric matrix, given by its upper triangle.
std::array<double, 3> principal_axis(std::array<double, 6> const& m) {
  Matrix matrix{{{m[0], m[1], m[2]}, {m[1], m[3], m[4]}, {m[2], m[4], m[5]}}};
  Matrix basis{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  // Jacobi's method converges quadratically: a few sweeps reach the precision of a double.
  for (int sweep = 0; sweep < 12; ++sweep) {
    rotate(matrix, basis, 0, 1);
    rotate(matrix, basis, 0, 2);
    rotate(matrix, basis, 1, 2);
  }
  std::size_t longest = 0;
  for (std::size_t i = 1; i < 3; ++i) {
    if (matrix[i][i] > matrix[longest][longest]) longest = i;
  }
  return {basis[0][longest], basis[1][longest], basis[2][longest]};
}

CutKey Cut::key(CloudPoint const& point) const {
  double const projection = point.at[0] * axis[0] + point.at[1] * axis[1] + point.at[2] * axis[2];
  return {ordered(projection), static_cast<std::uint64_t>(point.home) << 32 | point.index};
}

/// The cut that has `in` of `all` points on its lower side.
Cut median_cut(Reductions& ranks, std::span<CloudPoint const> points, std::int64_t in, std::int64_t all) {
  Cut cut;
  if (in == 0) return cut;
  if (in == all) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    cut.limit = {most, most};
    return cut;
  }
  Coordinates const middle = centre(ranks, points, all);
  cut.axis = longest_axis(ranks, points, middle);
  std::vector<CutKey> keys;
  for (CloudPoint const& point : points) keys.push_back(cut.key(point));
  cut.limit = Selection(ranks, std::move(keys), in).limit();
  return cut;
}

}  // namespace rondo::mpi
