// The search for the best of several, over curves that a test knows; no schedule, no engine.

#include "run/points/best_ranges.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace rondo {
namespace {

/// alpha*rounds + beta*volume*m, in whole units so that equal times are equal.
struct Line {
  std::int64_t start, slope;
};

TimeOf times_of(std::vector<Line> const& lines) {
  return [lines](std::size_t i, Bytes m) {
    return Seconds(static_cast<double>(lines[i].start + lines[i].slope * m.value));
  };
}

TEST(BestRanges, two_lines_change_at_the_last_size_before_they_cross) {
  // 6000 + 54 m < 26000 + 26 m while m < 20000/28 = 714.28...; and with 20028 they meet at 715 + 2/7 -> below at 715
  std::vector<BestRange> const ranges = best_ranges({Bytes(1), Bytes(4096)}, 2, times_of({{6000, 54}, {26000, 26}}));
  EXPECT_EQ(ranges, (std::vector<BestRange>{{Bytes(1), Bytes(714), 0}, {Bytes(715), Bytes(4096), 1}}));
}

TEST(BestRanges, at_a_crossing_in_whole_bytes_the_first_named_has_the_size) {
  // 100 + 3 m and 200 + m are equal at m = 50
  SizeSearch const search{Bytes(1), Bytes(1000)};
  EXPECT_EQ(best_ranges(search, 2, times_of({{100, 3}, {200, 1}}))[0].to, Bytes(50));
  EXPECT_EQ(best_ranges(search, 2, times_of({{200, 1}, {100, 3}}))[0].to, Bytes(49));
}

TEST(BestRanges, one_that_is_best_only_inside_a_cell_of_the_grid_is_found_where_three_meet_there) {
  // envelope: 0 + 10 m up to 100, 500 + 5 m from 100 to 200, 1300 + m from 200: one cell of one doubling a size
  SizeSearch search{Bytes(64), Bytes(256)};
  search.per_doubling = 1;
  std::vector<BestRange> const ranges = best_ranges(search, 3, times_of({{0, 10}, {500, 5}, {1300, 1}}));
  EXPECT_EQ(ranges, (std::vector<BestRange>{
                        {Bytes(64), Bytes(100), 0}, {Bytes(101), Bytes(200), 1}, {Bytes(201), Bytes(256), 2}}));
}

TEST(BestRanges, one_that_is_best_twice_has_two_ranges) {
  // the second is slow between 100 and 300 only, as where a library changes its protocol and back
  auto const time = [](std::size_t i, Bytes m) {
    bool const slow = m >= Bytes(100) && m <= Bytes(300);
    return Seconds(i == 0 ? 2.0 : slow ? 3.0 : 1.0);
  };
  std::vector<BestRange> const ranges = best_ranges({Bytes(1), Bytes(1024)}, 2, time);
  EXPECT_EQ(ranges, (std::vector<BestRange>{
                        {Bytes(1), Bytes(99), 1}, {Bytes(100), Bytes(300), 0}, {Bytes(301), Bytes(1024), 1}}));
}

TEST(BestRanges, equal_times_are_a_tie_even_if_their_last_bits_differ) {
  auto const time = [](std::size_t i, Bytes m) {
    return Seconds(static_cast<double>(m.value) * 1e-9 * (i == 0 ? 1 + 1e-15 : 1));
  };
  EXPECT_EQ(best_ranges({Bytes(1), Bytes(4096)}, 2, time), (std::vector<BestRange>{{Bytes(1), Bytes(4096), 0}}));
}

TEST(BestRanges, a_single_size_is_a_range) {
  EXPECT_EQ(best_ranges({Bytes(7), Bytes(7)}, 1, times_of({{1, 1}})),
            (std::vector<BestRange>{{Bytes(7), Bytes(7), 0}}));
}

TEST(BestRanges, the_grid_has_both_ends_each_size_once_and_the_steps_promised) {
  SizeSearch search{Bytes(3), Bytes(1000)};
  for (search.per_doubling = 1; search.per_doubling <= 8; ++search.per_doubling) {
    std::vector<Bytes> const sizes = grid(search);
    EXPECT_EQ(sizes.front(), Bytes(3));
    EXPECT_EQ(sizes.back(), Bytes(1000));
    EXPECT_TRUE(std::is_sorted(sizes.begin(), sizes.end()));
    EXPECT_EQ(std::adjacent_find(sizes.begin(), sizes.end()), sizes.end());
    for (std::size_t i = 1; i < sizes.size(); ++i) {
      double const step = std::exp2(1.0 / search.per_doubling);
      EXPECT_LE(static_cast<double>(sizes[i].value), static_cast<double>(sizes[i - 1].value) * step + 2);
    }
  }
}

/// The lower envelope of lines is convex, so that no line is the best in two places; a line whose range begins and ends
/// inside one cell may be missed, and is left out of what is compared.
RC_GTEST_PROP(BestRanges, are_those_that_looking_at_every_size_gives_where_each_holds_a_size_of_the_grid, ()) {
  auto const lines = *rc::gen::container<std::vector<Line>>(
      *rc::gen::inRange<std::size_t>(1, 6),
      rc::gen::apply(
          [](std::int64_t start, std::int64_t slope) {
            return Line{start, slope};
          },
          rc::gen::inRange<std::int64_t>(0, 5000), rc::gen::inRange<std::int64_t>(1, 60)));
  SizeSearch const search{Bytes(1), Bytes(600)};
  TimeOf const time = times_of(lines);
  std::vector<BestRange> every;
  for (Bytes m = search.from; m <= search.to; m += Bytes(1)) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < lines.size(); ++i) best = time(i, m) < time(best, m) ? i : best;
    if (every.empty() || every.back().algorithm != best) every.push_back({m, m, best});
    every.back().to = m;
  }
  std::vector<Bytes> const looked = grid(search);
  bool const all_seen = std::all_of(every.begin(), every.end(), [&](BestRange const& range) {
    return std::any_of(looked.begin(), looked.end(), [&](Bytes m) { return range.from <= m && m <= range.to; });
  });
  RC_PRE(all_seen);
  RC_ASSERT(best_ranges(search, lines.size(), time) == every);
}

}  // namespace
}  // namespace rondo
