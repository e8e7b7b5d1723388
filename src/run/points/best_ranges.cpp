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

/// The least size in (below, above] at which `holds` does not hold, found by bisection to the resolution; it holds at
/// `below` and not at `above`.
Bytes first_without(Bytes below, Bytes above, double resolution, std::function<bool(Bytes)> const& holds) {
  while (above.value - below.value >
         std::max<std::int64_t>(1, std::llround(resolution * static_cast<double>(above.value)))) {
    Bytes const middle(below.value + (above.value - below.value) / 2);
    (holds(middle) ? below : above) = middle;
  }
  return above;
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
      Bytes const next =
          first_without(range.to, size, search.resolution, [&](Bytes each) { return best(each) == range.algorithm; });
      range.to = Bytes(next.value - 1);
      ranges.push_back({next, next, best(next)});
    }
    ranges.back().to = size;
  }
  return ranges;
}

}  // namespace rondo
