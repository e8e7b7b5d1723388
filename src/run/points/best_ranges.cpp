#include "run/points/best_ranges.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace rondo {
namespace {

std::size_t best_at(Bytes size, double tie, std::size_t algorithms, TimeOf const& time) {
  std::vector<Seconds> times;
  for (std::size_t i = 0; i < algorithms; ++i) times.push_back(time(i, size));
  Seconds const least = *std::min_element(times.begin(), times.end());
  auto const first = std::find_if(times.begin(), times.end(), [&](Seconds each) { return as_fast(each, least, tie); });
  return static_cast<std::size_t>(first - times.begin());
}

/// The largest size in [below, above) at which `holds`, found by bisection; it does at `below` and not at `above`.
Bytes last_that(Bytes below, Bytes above, std::function<bool(Bytes)> const& holds) {
  while (below.value + 1 < above.value) {
    Bytes const middle(below.value + (above.value - below.value) / 2);
    (holds(middle) ? below : above) = middle;
  }
  return below;
}

}  // namespace

bool as_fast(Seconds time, Seconds other, double tie) { return time.value <= other.value * (1 + tie); }

std::vector<Bytes> grid(SizeSearch const& search) {
  expects(search.from >= Bytes(1) && search.from <= search.to && search.per_doubling >= 1, "a range of sizes");
  std::vector<Bytes> sizes{search.from};
  auto const first = static_cast<double>(search.from.value);
  for (int i = 1; sizes.back() < search.to; ++i) {
    Bytes const size(std::llround(first * std::exp2(static_cast<double>(i) / search.per_doubling)));
    if (size > sizes.back()) sizes.push_back(std::min(size, search.to));
  }
  return sizes;
}

std::vector<BestRange> best_ranges(SizeSearch const& search, std::size_t algorithms, TimeOf const& time) {
  expects(algorithms >= 1, "an algorithm");
  auto const best = [&](Bytes size) { return best_at(size, search.tie, algorithms, time); };
  std::vector<BestRange> ranges{{search.from, search.from, best(search.from)}};
  for (Bytes const size : grid(search)) {
    std::size_t const here = best(size);
    while (ranges.back().algorithm != here) {
      BestRange& range = ranges.back();
      range.to = last_that(range.to, size, [&](Bytes each) { return best(each) == range.algorithm; });
      Bytes const next(range.to.value + 1);
      ranges.push_back({next, next, best(next)});
    }
    ranges.back().to = size;
  }
  return ranges;
}

}  // namespace rondo
