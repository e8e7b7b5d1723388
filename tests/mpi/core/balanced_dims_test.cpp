// The extents of MPI_Dims_create, against all factorizations, one by one.

#include "mpi/graph/balanced_dims.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

namespace rondo::mpi {
namespace {

using Extents = std::vector<int>;

/// The least difference of the largest and the smallest of `count` factors of `places`.
int least_difference(int places, int count, int largest, int smallest) {
  if (count == 0) return places == 1 ? largest - smallest : std::numeric_limits<int>::max();
  int least = std::numeric_limits<int>::max();
  for (int factor = 1; factor <= places; ++factor) {
    if (places % factor != 0) continue;
    least = std::min(
        least, least_difference(places / factor, count - 1, std::max(largest, factor), std::min(smallest, factor)));
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
      EXPECT_EQ(extents.front() - extents.back(), least_difference(places, count, 1, places)) << places << " " << count;
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
