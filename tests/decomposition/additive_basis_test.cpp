#include "decomposition/additive_basis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>

#include "base/random.hpp"
#include "reference.hpp"

namespace rondo {
namespace {

Torus wide(int dimensions) { return Torus(std::vector<int>(static_cast<std::size_t>(dimensions), 41)); }

/// Each neighbor lies at the sum of its distinct steps.
void expect_sums(Decomposition const& basis, Neighborhood const& neighborhood, std::string const& what) {
  ASSERT_EQ(basis.uses.size(), static_cast<std::size_t>(neighborhood.size())) << what;
  for (int i = 0; i < neighborhood.size(); ++i) {
    auto const& uses = basis.uses[static_cast<std::size_t>(i)];
    EXPECT_TRUE(std::is_sorted(uses.begin(), uses.end(), std::less_equal<>())) << what;
    for (std::size_t j = 0; j < neighborhood[i].size(); ++j) {
      int sum = 0;
      for (int const u : uses) sum += basis.steps[static_cast<std::size_t>(u)][j];
      EXPECT_EQ(sum, neighborhood[i][j]) << what;
    }
  }
}

Neighborhood line(std::vector<int> const& values) {
  std::vector<std::vector<int>> offsets;
  for (int const value : values) offsets.push_back({value});
  return Neighborhood(1, offsets);
}

TEST(AdditiveBasis, has_the_recorded_size) {
  auto const pairs = reference::pairs("isomorphic.json", "additive_basis");
  EXPECT_EQ(pairs.size(), 6U);
  for (auto const& pair : pairs) {
    auto const& request = pair["request"];
    Neighborhood const neighborhood =
        request.contains("set") ? line(request["set"].get<std::vector<int>>()) : reference::neighborhood_of(request);
    Decomposition const basis = additive_basis(wide(neighborhood.dimensions()), neighborhood);
    EXPECT_EQ(basis.steps.size(), pair["answer"]["size"]) << pair;
    EXPECT_TRUE(basis.is_smallest) << pair;
    expect_sums(basis, neighborhood, pair.dump());
  }
}

// docs/notes.md#additive-bases; 2^b - 1 sums are not enough below: {1..8} needs 4 = ceil(log2 9), Moore(2,1) 4 =
// ceil(log2 9); Moore(3,1) needs 6 though 2^5 > 27.
TEST(AdditiveBasis, has_the_sizes_of_the_notes) {
  EXPECT_EQ(additive_basis(wide(1), line({1, 2, 3, 4, 5, 6, 7, 8})).steps.size(), 4U);
  Decomposition const flat = additive_basis(wide(2), moore(2, 1));
  EXPECT_EQ(flat.steps.size(), 4U);
  EXPECT_TRUE(flat.is_smallest);
  Decomposition const cube = additive_basis(wide(3), moore(3, 1));
  EXPECT_EQ(cube.steps.size(), 6U);
  EXPECT_TRUE(cube.is_smallest);
  expect_sums(cube, moore(3, 1), "Moore(3,1)");
}

/// Whether every value from 1 to 8 is a sum of distinct ones of the four.
bool reaches_one_to_eight(std::vector<int> const& four) {
  std::set<int> sums{0};
  for (int const value : four) {
    for (int const sum : std::vector<int>(sums.begin(), sums.end())) sums.insert(sum + value);
  }
  return std::ranges::all_of(std::vector{1, 2, 3, 4, 5, 6, 7, 8}, [&](int value) { return sums.contains(value); });
}

// The paper names two bases of {1, ..., 8}: there are 102 sets of four values, and 27 more in which a value occurs
// twice, which is as good, as each is a round of its own. Values past 16 or below -16 would be of no use.
TEST(AdditiveBasis, of_one_to_eight_is_one_of_129_of_which_102_are_sets) {
  std::set<std::vector<int>> bases;
  int with_a_value_twice = 0;
  for (int a = -16; a <= 16; ++a) {
    for (int b = a; b <= 16; ++b) {
      for (int c = b; c <= 16; ++c) {
        for (int d = c; d <= 16; ++d) {
          if (!reaches_one_to_eight({a, b, c, d})) continue;
          bases.insert({a, b, c, d});
          if (a == b || b == c || c == d) ++with_a_value_twice;
        }
      }
    }
  }
  EXPECT_EQ(bases.size(), 129U);
  EXPECT_EQ(with_a_value_twice, 27);
  std::vector<int> found;
  for (auto const& step : additive_basis(wide(1), line({1, 2, 3, 4, 5, 6, 7, 8})).steps) found.push_back(step[0]);
  std::ranges::sort(found);
  EXPECT_TRUE(bases.contains(found)) << testing::PrintToString(found);
}

// {-3..3} in each dimension is 3 vectors; 343 sums need at least 9.
TEST(AdditiveBasis, of_a_large_neighborhood_is_put_together_by_dimension) {
  Decomposition const basis = additive_basis(wide(3), moore(3, 3));
  EXPECT_EQ(basis.steps.size(), 9U);
  EXPECT_TRUE(basis.is_smallest);
  expect_sums(basis, moore(3, 3), "Moore(3,3)");
}

/// Whether some set of `size` vectors from [-limit, limit] makes all values: every such set is tried.
bool exists_within(std::vector<int> const& values, int size, int limit, int next, std::set<int> const& sums) {
  if (std::all_of(values.begin(), values.end(), [&](int value) { return sums.contains(value); })) return true;
  if (size == 0) return false;
  for (int vector = next; vector <= limit; ++vector) {
    std::set<int> more = sums;
    for (int const sum : sums) more.insert(sum + vector);
    if (exists_within(values, size - 1, limit, vector, more)) return true;
  }
  return false;
}

// The vectors of a basis of three need not be larger than three times the largest value.
TEST(AdditiveBasis, exact_search_agrees_with_trying_all_small_vectors) {
  Random random(8);
  for (int k = 0; k < 60; ++k) {
    std::set<int> values;
    for (std::uint64_t n = random.below(6); n < 6; ++n) values.insert(static_cast<int>(random.between(-6, 6)));
    values.erase(0);
    std::vector<int> const all(values.begin(), values.end());
    Decomposition const basis = additive_basis(wide(1), line(all));
    EXPECT_TRUE(basis.is_smallest);
    expect_sums(basis, line(all), std::to_string(k));
    int const size = static_cast<int>(basis.steps.size());
    EXPECT_FALSE(size > 0 && size <= 4 && exists_within(all, size - 1, 18, -18, {0})) << k;
  }
}

// Some smallest bases have a vector that is neither an offset nor a sum of the others: {1, 2, 4, 5} = {1, 4} + ...
TEST(AdditiveBasis, is_not_confined_to_the_offsets) {
  // a + b = 3, a + c = 4, b + c = 5 only for a = 1, b = 2, c = 3; two vectors make three sums at most, of which the
  // largest is the sum of the others, and 3 + 4 != 5.
  Decomposition const basis = additive_basis(wide(1), line({3, 4, 5, 6}));
  EXPECT_EQ(basis.steps.size(), 3U);
  expect_sums(basis, line({3, 4, 5, 6}), "3 4 5 6");
}

/// Whether `size` more elements of the torus, not below `first`, make all these places sums. Places are numbers of
/// ranks.
bool exists_around(Torus const& torus, std::set<int> const& wanted, int size, int first, std::set<int> const& sums) {
  if (std::includes(sums.begin(), sums.end(), wanted.begin(), wanted.end())) return true;
  for (int vector = first; size > 0 && vector < torus.size(); ++vector) {
    std::set<int> more = sums;
    std::vector<int> const step = torus.coordinates(Rank(vector));
    for (int const sum : sums) more.insert(torus.add(Rank(sum), step).value);
    if (exists_around(torus, wanted, size - 1, vector, more)) return true;
  }
  return false;
}

// (0, 1, -1) is (0, 1, 1) + (0, 0, 1) on a torus whose last extent is 3, and three integer vectors need three rounds.
TEST(AdditiveBasis, goes_around_the_torus_where_that_is_smaller) {
  std::vector<std::vector<int>> const offsets{{0, 0, 1}, {0, 1, 1}, {0, 1, -1}};
  EXPECT_EQ(additive_basis(Torus({2, 2, 3}), Neighborhood(3, offsets)).steps.size(), 2U);
  EXPECT_EQ(additive_basis(Torus({2, 2, 4}), Neighborhood(3, offsets)).steps.size(), 3U);
  EXPECT_EQ(
      additive_basis(Torus({2, 2, 3}), Neighborhood(3, offsets), Boundary::closed_in({true, true, false})).steps.size(),
      3U);
}

TEST(AdditiveBasis, of_up_to_four_offsets_is_the_least_of_all_on_small_tori) {
  Random random(10);
  for (std::vector<int> const& extents :
       {std::vector{7}, {8}, {2, 4}, {3, 3}, {2, 2, 2}, {2, 5}, {11}, {3, 4}, {2, 2, 3}}) {
    Torus const torus(extents);
    for (int k = 0; k < 30; ++k) {
      std::set<int> places;
      for (int n = 0; n < 4; ++n) places.insert(static_cast<int>(random.between(1, torus.size() - 1)));
      std::vector<std::vector<int>> offsets;
      for (int const place : places) offsets.push_back(torus.coordinates(Rank(place)));
      Decomposition const basis = additive_basis(torus, Neighborhood(torus.dimensions(), offsets));
      auto const size = static_cast<int>(basis.steps.size());
      for (std::size_t i = 0; i < offsets.size(); ++i) {
        Rank at(0);
        for (int const u : basis.uses[i]) at = torus.add(at, basis.steps[static_cast<std::size_t>(u)]);
        EXPECT_EQ(at.value, *std::next(places.begin(), static_cast<std::ptrdiff_t>(i)));
      }
      EXPECT_TRUE(basis.is_smallest);
      EXPECT_FALSE(exists_around(torus, places, size - 1, 1, {0})) << k;
    }
  }
}

TEST(AdditiveBasis, leaves_out_what_stays_at_the_rank) {
  Decomposition const basis = additive_basis(Torus({3, 1}), Neighborhood(2, {{3, 0}, {0, 2}, {1, 5}, {1, 0}}));
  EXPECT_EQ(basis.steps.size(), 1U);
  EXPECT_EQ(basis.uses, (std::vector<std::vector<int>>{{}, {}, {0}, {0}}));
  EXPECT_TRUE(additive_basis(Torus({3}), Neighborhood(1, {})).steps.empty());
}

TEST(LongAdditiveBasis, of_random_sets_is_a_basis) {
  Random random(9);
  for (int k = 0; k < 25; ++k) {
    int const d = static_cast<int>(random.between(1, 4));
    std::vector<std::vector<int>> offsets(random.below(40));
    for (auto& offset : offsets) {
      for (int j = 0; j < d; ++j) offset.push_back(static_cast<int>(random.between(-4, 4)));
    }
    Neighborhood const neighborhood(d, offsets);
    Decomposition const basis = additive_basis(wide(d), neighborhood);
    expect_sums(basis, neighborhood, std::to_string(k));
    std::set<std::vector<int>> distinct(offsets.begin(), offsets.end());
    distinct.erase(std::vector<int>(static_cast<std::size_t>(d), 0));
    EXPECT_LE(basis.steps.size(), distinct.size()) << k;
    EXPECT_GE(static_cast<int>(basis.steps.size()), std::bit_width(distinct.size())) << k;
  }
}

}  // namespace
}  // namespace rondo
