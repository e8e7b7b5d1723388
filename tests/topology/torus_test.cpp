#include "topology/torus.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>
#include <queue>
#include <string>

#include "base/error.hpp"

namespace rondo {
namespace {

std::string torus_refusal(std::vector<int> const& extents) {
  try {
    Torus const torus(extents);
  } catch (InputError const& error) {
    return error.what();
  }
  return "accepted";
}

/// The coordinates of all ranks, by counting: the last dimension varies fastest.
std::vector<std::vector<int>> counted(std::vector<int> const& extents) {
  std::vector<std::vector<int>> all = {{}};
  for (int const extent : extents) {
    std::vector<std::vector<int>> longer;
    for (std::vector<int> const& prefix : all) {
      for (int c = 0; c < extent; ++c) {
        longer.push_back(prefix);
        longer.back().push_back(c);
      }
    }
    all = std::move(longer);
  }
  return all;
}

/// Hops from rank 0 to every rank by breadth-first search over immediate neighbors.
std::vector<int> searched_distances(Torus const& torus) {
  std::vector<int> hops(static_cast<std::size_t>(torus.size()), -1);
  std::queue<Rank> open;
  hops[0] = 0;
  open.push(Rank(0));
  while (!open.empty()) {
    Rank const here = open.front();
    open.pop();
    for (int j = 0; j < torus.dimensions(); ++j) {
      for (int const step : {-1, 1}) {
        Rank const next = torus.shift(here, j, step);
        int& known = hops[static_cast<std::size_t>(next.value)];
        if (known >= 0) continue;
        known = hops[static_cast<std::size_t>(here.value)] + 1;
        open.push(next);
      }
    }
  }
  return hops;
}

TEST(Torus, numbers_ranks_row_major) {
  Torus const torus({8, 6, 10});
  EXPECT_EQ(torus.size(), 480);
  EXPECT_EQ(torus.coordinates(Rank(0)), (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(torus.coordinates(Rank(1)), (std::vector<int>{0, 0, 1}));
  EXPECT_EQ(torus.coordinates(Rank(10)), (std::vector<int>{0, 1, 0}));
  EXPECT_EQ(torus.coordinates(Rank(479)), (std::vector<int>{7, 5, 9}));
  EXPECT_EQ(torus.rank(std::vector<int>{-1, 6, 11}), Rank(421));  // (7, 0, 1): 7*60 + 0*10 + 1
}

TEST(Torus, without_extents_has_one_rank) {
  Torus const torus({});
  EXPECT_EQ(torus.size(), 1);
  EXPECT_EQ(torus.rank({}), Rank(0));
  EXPECT_EQ(torus.distance(std::vector<int>{}), 0);
}

TEST(Torus, shifts_back_to_itself_on_extents_of_1_and_2) {
  Torus const torus({1, 2});
  EXPECT_EQ(torus.shift(Rank(1), 0, 5), Rank(1));
  EXPECT_EQ(torus.shift(Rank(0), 1, 1), torus.shift(Rank(0), 1, -1));
  EXPECT_TRUE(torus.is_self(std::vector<int>{7, -4}));
  EXPECT_FALSE(torus.is_self(std::vector<int>{7, -3}));
}

TEST(Torus, has_limits) {
  EXPECT_EQ(torus_refusal({4, 0}), "a torus extent must be an integer from 1 to 16777216, got 0");
  EXPECT_EQ(torus_refusal({-3}), "a torus extent must be an integer from 1 to 16777216, got -3");
  EXPECT_EQ(torus_refusal({4096, 4096}), "accepted");
  EXPECT_EQ(torus_refusal({4096, 4096, 2}), "a torus has at most 16777216 ranks");
  EXPECT_EQ(torus_refusal({2147483647, 2147483647, 2147483647}), "a torus has at most 16777216 ranks");
}

RC_GTEST_PROP(Torus, agrees_with_counting_and_searching, ()) {
  auto const extents = *rc::gen::resize(4, rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 6)));
  RC_PRE(extents.size() <= 4u);
  Torus const torus(extents);
  std::vector<std::vector<int>> const all = counted(extents);
  std::vector<int> const hops = searched_distances(torus);
  RC_ASSERT(static_cast<std::size_t>(torus.size()) == all.size());
  for (int r = 0; r < torus.size(); ++r) {
    auto const at = static_cast<std::size_t>(r);
    RC_ASSERT(torus.coordinates(Rank(r)) == all[at]);
    RC_ASSERT(torus.rank(all[at]) == Rank(r));
    RC_ASSERT(torus.distance(Rank(0), Rank(r)) == hops[at]);
    RC_ASSERT(torus.distance(all[at]) == hops[at]);
    RC_ASSERT(torus.is_self(all[at]) == (r == 0));
  }
}

RC_GTEST_PROP(Torus, addition_is_coordinatewise_and_subtraction_its_inverse, ()) {
  auto const extents = *rc::gen::container<std::vector<int>>(3, rc::gen::inRange(1, 9));
  auto const offset = *rc::gen::container<std::vector<int>>(3, rc::gen::inRange(-1048576, 1048577));
  Torus const torus(extents);
  Rank const from(*rc::gen::inRange(0, torus.size()));
  std::vector<int> sum = torus.coordinates(from);
  Rank walked = from;
  for (std::size_t j = 0; j < 3; ++j) {
    sum[j] += offset[j];
    walked = torus.shift(walked, static_cast<int>(j), offset[j]);
  }
  Rank const target = torus.add(from, offset);
  RC_ASSERT(target == torus.rank(sum));
  RC_ASSERT(target == walked);
  RC_ASSERT(torus.subtract(target, offset) == from);
  RC_ASSERT(torus.distance(from, target) == torus.distance(offset));
}

}  // namespace
}  // namespace rondo
