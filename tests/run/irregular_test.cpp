// Irregular all-to-alls: bytes are whole numbers, and what is made of them is exact.

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "run/points/run.hpp"
#include "sanitized.hpp"

namespace rondo {
namespace {

using scenario::Json;

Record irregular_record(std::vector<int> const& torus, std::vector<std::vector<int>> const& offsets,
                        std::vector<std::string> const& sizes, std::string const& block, std::string const& algorithm,
                        std::vector<bool> const& periodic = {}) {
  int hosts = 1;
  for (int const extent : torus) hosts *= extent;
  Json document{
      {"machine",
       {{"topology", {{"kind", "fully_connected"}, {"hosts", hosts}}}, {"latency", "1us"}, {"bandwidth", "1GBps"}}},
      {"collective",
       {{"kind", "isomorphic_alltoall"},
        {"torus", torus},
        {"neighborhood", {{"kind", "offsets"}, {"offsets", offsets}}},
        {"shortest_wrap", true},
        {"block_sizes", sizes}}},
      {"algorithm", algorithm},
      {"block", block},
      {"engine", "native"}};
  if (!periodic.empty()) document["collective"]["periodic"] = periodic;
  return run_point(scenario::parse(scenario::Sweep(document, "s.json")[0], "s.json"), "s.json", 1, {});
}

// 2 * 39 + 2 * 16 + 3 * 47 bytes by torus, which no schedule undercuts on unit links, in blocks of 10 B.
TEST(Irregular, volumes_of_a_planted_case_are_divided_once) {
  Record const record =
      irregular_record({4, 4, 3}, {{-1, 1, 0}, {1, 0, -1}, {-1, 1, 1}}, {"39B", "16B", "47B"}, "10B", "torus");
  EXPECT_EQ(record.error.value_or(""), "");
  EXPECT_EQ(record.volume_bytes, 251);
  EXPECT_EQ(record.volume_blocks, 25.1);
  EXPECT_EQ(record.bound.volume_blocks, 25.1);
  EXPECT_EQ(record.gap_volume(), 1);
  EXPECT_NE(record.optimal.value_or("").find("volume"), std::string::npos);
}

// With the shortest way round in each dimension `torus` sends each block as often as it is far, and `straightforward`
// once: both meet the bounds of their link class, whatever the sizes.
TEST(Irregular, volumes_of_300_random_points_meet_their_bounds_exactly) {
  Random random(181);
  for (int k = 0; k < 300 / test::thinned; ++k) {
    std::vector<int> torus(random.between(1, 3));
    for (int& extent : torus) extent = static_cast<int>(random.between(2, 5));
    std::vector<std::vector<int>> offsets(random.between(1, 6));
    std::vector<std::string> sizes;
    for (auto& offset : offsets) {
      for (std::size_t j = 0; j < torus.size(); ++j) offset.push_back(static_cast<int>(random.between(-1, 1)));
      sizes.push_back(std::to_string(random.between(1, 99)) + "B");
    }
    std::string const block = std::to_string(random.between(3, 30)) + "B";
    for (char const* algorithm : {"torus", "straightforward"}) {
      Record const record = irregular_record(torus, offsets, sizes, block, algorithm);
      EXPECT_EQ(record.error.value_or(""), "") << k;
      EXPECT_EQ(record.volume_blocks, record.bound.volume_blocks) << k << algorithm;
      EXPECT_EQ(record.gap_volume(), 1) << k << algorithm;
      EXPECT_NE(record.optimal.value_or("").find("volume"), std::string::npos) << k << algorithm;
    }
  }
}

// Where dimensions are open some rank sends its own blocks all by itself: `straightforward` meets that bound. Nothing
// is faster than the bounds, and every point has them, whatever dimensions are open and whatever the sizes.
TEST(Irregular, no_schedule_is_below_the_bounds_where_some_dimensions_are_open) {
  Random random(182);
  for (int k = 0; k < 200 / test::thinned; ++k) {
    std::vector<int> torus(random.between(1, 3));
    for (int& extent : torus) extent = static_cast<int>(random.between(2, 5));
    std::vector<bool> periodic;
    for (std::size_t j = 0; j < torus.size(); ++j) periodic.push_back(random.below(2) == 1);
    std::vector<std::vector<int>> offsets(random.between(1, 6));
    std::vector<std::string> sizes;
    for (auto& offset : offsets) {
      for (std::size_t j = 0; j < torus.size(); ++j) offset.push_back(static_cast<int>(random.between(-2, 2)));
      sizes.push_back(std::to_string(random.between(1, 99)) + "B");
    }
    for (char const* algorithm : {"torus", "direct", "straightforward"}) {
      Record const record = irregular_record(torus, offsets, sizes, "10B", algorithm, periodic);
      ASSERT_EQ(record.error.value_or(""), "") << k;
      ASSERT_TRUE(record.bound.rounds && record.bound.volume_bytes && record.bound.time_s) << k << algorithm;
      EXPECT_GE(record.rounds, record.bound.rounds) << k << algorithm;
      EXPECT_GE(record.volume_bytes, record.bound.volume_bytes) << k << algorithm;
      EXPECT_GE(record.time_s, *record.bound.time_s * (1 - 1e-12)) << k << algorithm;
      if (std::string(algorithm) == "straightforward") {
        EXPECT_EQ(record.volume_bytes, record.bound.volume_bytes) << k;
      }
    }
  }
}

}  // namespace
}  // namespace rondo
