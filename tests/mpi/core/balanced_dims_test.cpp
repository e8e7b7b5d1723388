// The extents of MPI_Dims_create, against all factorizations, one by one.

#include "mpi_library/graph/cart_comm.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

namespace rondo::mpi {
namespace {

using Extents = std::vector<int>;

/// How bad extents are: the difference of the largest and the smallest, then the extents, negative, from the smallest
/// on.
using Badness = std::pair<int, Extents>;
constexpr int worst = std::numeric_limits<int>::max();

Badness badness(Extents extents) {
  std::ranges::sort(extents);
  int const difference = extents.back() - extents.front();
  for (int& extent : extents) extent = -extent;
  return {difference, extents};
}

/// The least of all factorizations of `places` into `count` factors behind those that are chosen.
Badness least_badness(int places, int count, Extents const& chosen) {
  if (count == 0) return places == 1 ? badness(chosen) : Badness{worst, {}};
  Badness least{worst, {}};
  for (int factor = 1; factor <= places; ++factor) {
    if (places % factor != 0) continue;
    Extents longer = chosen;
    longer.push_back(factor);
    least = std::min(least, least_badness(places / factor, count - 1, longer));
  }
  return least;
}

TEST(BalancedDims, no_factorization_is_nearer_to_a_cube) {
  for (int places = 1; places <= 144; ++places) {
    for (int count = 1; count <= 4; ++count) {
      Extents const extents = balanced_extents(places, count);
      ASSERT_EQ(static_cast<int>(extents.size()), count);
      EXPECT_EQ(std::accumulate(extents.begin(), extents.end(), 1, std::multiplies<>()), places);
      EXPECT_TRUE(std::is_sorted(extents.begin(), extents.end(), std::greater<>())) << places;
      EXPECT_EQ(badness(extents), least_badness(places, count, {})) << places << " " << count;
    }
  }
}

TEST(BalancedDims, squares_and_cubes_are_found) {
  EXPECT_EQ(balanced_extents(9, 2), (Extents{3, 3}));
  EXPECT_EQ(balanced_extents(36, 2), (Extents{6, 6}));
  EXPECT_EQ(balanced_extents(36, 3), (Extents{4, 3, 3}));
  EXPECT_EQ(balanced_extents(1 << 30, 3), (Extents{1024, 1024, 1024}));
  EXPECT_EQ(balanced_extents(46341 * 46339, 2), (Extents{46341, 46339}));
  EXPECT_EQ(balanced_extents(2147483647, 3), (Extents{2147483647, 1, 1}));
  EXPECT_EQ(balanced_extents(1, 40), Extents(40, 1));
}

/// 21 x 16 x 15 is preferred to 20 x 18 x 14.
TEST(BalancedDims, of_equal_differences_the_one_that_is_larger_at_the_small_end_is_taken) {
  EXPECT_EQ(balanced_extents(5040, 3), (Extents{21, 16, 15}));
  EXPECT_EQ(balanced_extents(6240, 3), (Extents{26, 16, 15}));
  EXPECT_EQ(balanced_extents(98784, 5), (Extents{14, 14, 9, 8, 7}));
}

TEST(BalancedDims, what_is_given_stays) {
  Extents extents{0, 3, 0};
  fill_in_extents(6, extents);
  EXPECT_EQ(extents, (Extents{2, 3, 1}));
  extents = {2, 3};
  fill_in_extents(6, extents);
  EXPECT_EQ(extents, (Extents{2, 3}));
}

}  // namespace
}  // namespace rondo::mpi
