#include "topology/neighborhood.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>

#include "base/error.hpp"

namespace rondo {
namespace {

using Offsets = std::vector<std::vector<int>>;

Offsets rows(Neighborhood const& neighborhood) {
  Offsets result;
  for (int i = 0; i < neighborhood.size(); ++i) {
    std::span<int const> const offset = neighborhood[i];
    result.emplace_back(offset.begin(), offset.end());
  }
  return result;
}

int power(int base, int exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }

/// The number of integer points of L1 norm at most r in d dimensions: sum over k of 2^k C(d,k) C(r,k).
int points_of_cross_polytope(int d, int r) {
  auto const choose = [](int n, int k) {
    int result = 1;
    for (int i = 0; i < k; ++i) result = result * (n - i) / (i + 1);
    return result;
  };
  int sum = 0;
  for (int k = 0; k <= std::min(d, r); ++k) sum += power(2, k) * choose(d, k) * choose(r, k);
  return sum;
}

std::string refusal(std::function<Neighborhood()> const& make) {
  try {
    make();
  } catch (InputError const& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Neighborhood, counts_follow_their_closed_forms) {
  for (int d = 1; d <= 5; ++d) {
    for (int r = 0; r <= 3; ++r) {
      EXPECT_EQ(moore(d, r).size(), power(2 * r + 1, d) - 1) << "moore " << d << " " << r;
      EXPECT_EQ(octant(d, r).size(), power(r + 1, d) - 1) << "octant " << d << " " << r;
      EXPECT_EQ(von_neumann(d, r).size(), points_of_cross_polytope(d, r) - 1) << "von_neumann " << d << " " << r;
      int const inner = r == 0 ? 0 : power(2 * r - 1, d);
      EXPECT_EQ(shales(d, {r}).size(), power(2 * r + 1, d) - inner) << "shales " << d << " " << r;
    }
  }
}

TEST(Neighborhood, counts_of_the_paper) {
  EXPECT_EQ(moore(3, 1).size(), 26);          // the 27-point stencil
  EXPECT_EQ(moore(5, 3).size(), 16806);       // 7^5 - 1
  EXPECT_EQ(octant(3, 3).size(), 63);         // 4^3 - 1
  EXPECT_EQ(shales(3, {3, 7}).size(), 1396);  // (7^3 - 5^3) + (15^3 - 13^3) = 218 + 1178
}

TEST(Neighborhood, rows_come_in_lexicographic_order) {
  EXPECT_EQ(rows(moore(2, 1)), (Offsets{{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}}));
  EXPECT_EQ(rows(von_neumann(2, 1)), (Offsets{{-1, 0}, {0, -1}, {0, 1}, {1, 0}}));
  EXPECT_EQ(rows(octant(2, 1)), (Offsets{{0, 1}, {1, 0}, {1, 1}}));
  EXPECT_EQ(rows(shales(1, {2, 1})), (Offsets{{-2}, {-1}, {1}, {2}}));
  Offsets const large = rows(shales(3, {3, 7}));
  EXPECT_TRUE(std::is_sorted(large.begin(), large.end()));
}

TEST(Neighborhood, offsets_keep_their_order_with_duplicates_and_the_zero_vector) {
  Offsets const offsets = {{1, 0}, {0, 0}, {1, 0}, {-9, 4}};
  Neighborhood const neighborhood(2, offsets);
  EXPECT_EQ(neighborhood.dimensions(), 2);
  EXPECT_EQ(rows(neighborhood), offsets);
}

TEST(Neighborhood, may_be_empty) {
  EXPECT_EQ(Neighborhood(3, {}).size(), 0);
  EXPECT_EQ(moore(3, 0).size(), 0);
  EXPECT_EQ(moore(0, 5).size(), 0);
  EXPECT_EQ(shales(3, {}).size(), 0);
  EXPECT_EQ(rows(shales(2, {0})), (Offsets{{0, 0}}));
}

TEST(Neighborhood, has_limits) {
  EXPECT_EQ(refusal([] { return Neighborhood(2, {{1, 2}, {1}}); }), "expected an offset of 2 coordinates, got 1");
  EXPECT_EQ(refusal([] { return Neighborhood(1, {{1048577}}); }),
            "expected a coordinate from -1048576 to 1048576, got 1048577");
  EXPECT_EQ(refusal([] { return Neighborhood(1, {{-1048576}, {1048576}}); }), "accepted");
  EXPECT_EQ(refusal([] { return moore(2, -1); }), "a radius must be an integer from 0 to 1048576, got -1");
  EXPECT_EQ(refusal([] { return moore(1, 1048577); }), "a radius must be an integer from 0 to 1048576, got 1048577");
  EXPECT_EQ(refusal([] { return moore(64, 1); }), "a neighborhood of radius 1 in 64 dimensions is too large");
  EXPECT_EQ(refusal([] { return moore(2, 1000); }), "a neighborhood of radius 1000 in 2 dimensions is too large");
  EXPECT_EQ(refusal([] { return moore(2, 8192); }), "a neighborhood of radius 8192 in 2 dimensions is too large");
}

}  // namespace
}  // namespace rondo
