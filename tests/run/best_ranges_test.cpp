// The search for the best of several, over curves that a test knows; no schedule, no engine.

#include "run/points/best_ranges.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/random.hpp"

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

SizeSearch tolerant(std::int64_t from, std::int64_t to) {
  SizeSearch search{Bytes(from), Bytes(to)};
  search.tolerance = 0.02;
  return search;
}

/// The second is up to 1 % faster and slower than the first, by turns.
TEST(BestRanges, curves_that_cross_often_within_the_tolerance_are_one_range) {
  auto const time = [](std::size_t i, Bytes m) {
    auto const bytes = static_cast<double>(m.value);
    return Seconds(bytes * (i == 0 ? 1 : 1 + 0.01 * std::sin(40 * std::log2(bytes))));
  };
  EXPECT_EQ(best_ranges(tolerant(1, 1 << 20), 2, time).size(), 1U);
  SizeSearch exact = tolerant(1, 1 << 20);
  exact.tolerance = 0;
  EXPECT_GT(best_ranges(exact, 2, time).size(), 5U);
}

/// Where two lines cross once, the tolerance moves nothing: 6000 + 54 m and 26000 + 26 m cross behind 714.
TEST(BestRanges, a_crossing_that_stands_alone_is_found_to_the_byte_whatever_the_tolerance) {
  TimeOf const time = times_of({{6000, 54}, {26000, 26}});
  for (double const tolerance : {0.0, 0.001, 0.02, 0.2}) {
    SizeSearch search{Bytes(1), Bytes(4096)};
    search.tolerance = tolerance;
    std::vector<BestRange> const ranges = best_ranges(search, 2, time);
    EXPECT_EQ(ranges, (std::vector<BestRange>{{Bytes(1), Bytes(714), 0}, {Bytes(715), Bytes(4096), 1}})) << tolerance;
    EXPECT_EQ(ranges[1].crossings, 1);
  }
}

/// 1 % apart, by turns, from 64 to 1024; the second is 30 % slower below and 30 % faster above.
TEST(BestRanges, say_between_which_sizes_two_curves_cross_several_times) {
  auto const time = [](std::size_t i, Bytes m) {
    auto const bytes = static_cast<double>(m.value);
    if (i == 0) return Seconds(bytes);
    if (m < Bytes(64)) return Seconds(1.3 * bytes);
    if (m > Bytes(1024)) return Seconds(0.7 * bytes);
    bool const slower = static_cast<std::int64_t>(2 * std::log2(bytes) + 0.01) % 2 == 0;
    return Seconds(bytes * (slower ? 1.01 : 0.99));
  };
  std::vector<BestRange> const ranges = best_ranges(tolerant(1, 1 << 14), 2, time);
  ASSERT_EQ(ranges.size(), 2U);
  EXPECT_EQ(ranges[0].algorithm, 0U);
  EXPECT_EQ(ranges[1].algorithm, 1U);
  EXPECT_GT(ranges[1].crossings, 3);
  EXPECT_LE(ranges[1].cross_from, Bytes(64));
  EXPECT_GE(ranges[1].cross_to, Bytes(1024));
  EXPECT_GE(ranges[1].from, Bytes(64));
}

/// The second is 20 % faster from 70 to 80 alone; the grid has 64 and 91, and 76 lies between them.
TEST(BestRanges, are_checked_at_sizes_between_those_of_the_grid) {
  auto const time = [](std::size_t i, Bytes m) {
    bool const fast = i == 1 && m >= Bytes(70) && m <= Bytes(80);
    return Seconds(i == 0 ? 1.0 : fast ? 0.8 : 2.0);
  };
  EXPECT_EQ(
      best_ranges(tolerant(64, 1024), 2, time),
      (std::vector<BestRange>{{Bytes(64), Bytes(69), 0}, {Bytes(70), Bytes(80), 1}, {Bytes(81), Bytes(1024), 0}}));
}

/// Any curves: the ranges cover all sizes, neighbors differ, and at each size that was announced the algorithm of its
/// range is slower than the fastest by at most the tolerance.
TEST(BestRanges, hold_at_every_size_that_was_looked_at) {
  Random random(7);
  for (int trial = 0; trial < 300; ++trial) {
    // Steps of up to 4 % at places that are drawn, on a line.
    std::vector<std::map<std::int64_t, double>> steps(4);
    for (auto& curve : steps) {
      for (int i = 0; i < 30; ++i) curve[1 + random.below(4096)] = 1 + 0.04 * random.unit();
    }
    auto const time = [&](std::size_t i, Bytes m) {
      auto const at = steps[i].upper_bound(m.value);
      double const factor = at == steps[i].begin() ? 1 : std::prev(at)->second;
      return Seconds(factor * (100 + static_cast<double>(m.value)));
    };
    SizeSearch const search = tolerant(1, 4096);
    std::set<Bytes> looked;
    std::vector<BestRange> const ranges = best_ranges(search, steps.size(), time, [&](std::vector<Bytes> const& sizes) {
      looked.insert(sizes.begin(), sizes.end());
    });
    EXPECT_EQ(ranges.front().from, search.from);
    EXPECT_EQ(ranges.back().to, search.to);
    for (std::size_t i = 1; i < ranges.size(); ++i) {
      EXPECT_EQ(ranges[i].from.value, ranges[i - 1].to.value + 1);
      EXPECT_NE(ranges[i].algorithm, ranges[i - 1].algorithm);
    }
    int missed = 0;
    for (Bytes const size : looked) {
      auto const range = std::ranges::find_if(ranges, [&](BestRange const& each) { return size <= each.to; });
      Seconds least = time(0, size);
      for (std::size_t i = 1; i < steps.size(); ++i) least = std::min(least, time(i, size));
      if (!as_fast(time(range->algorithm, size), least, search.tolerance)) ++missed;
    }
    EXPECT_EQ(missed, 0) << trial;
  }
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
