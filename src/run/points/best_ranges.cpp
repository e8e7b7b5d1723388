// The search of best_ranges.hpp: a grid of sizes, closer looks where ranges do not hold, and bisection for cut-offs.

#include "run/points/best_ranges.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.hpp"

namespace rondo {
namespace {

/// How often the search examines sizes between the checked ones. Each time it halves the distance where a range did not
/// hold.
constexpr int most_looks = 6;

/// The search for one set of algorithms. It asks for times through `time_` and announces sizes through `due_`, so that
/// points can run in parallel.
class RangeSearch {
 public:
  RangeSearch(SizeSearch const& search, std::size_t algorithms, TimeOf const& time, TimesDue const& due)
      : search_(search), algorithms_(algorithms), time_(time), due_(due) {
    std::vector<Bytes> const sizes = grid(search);
    announce(sizes);
    checked_.insert(sizes.begin(), sizes.end());
  }

  /// The ranges, ascending. The loop ends because each look adds sizes and the number of looks is limited.
  std::vector<BestRange> ranges() {
    std::vector<BestRange> found = over_checked();
    // Curves that never settle are not examined more and more closely.
    for (int looks = 1; !look_between(found, looks <= most_looks); ++looks) found = over_checked();
    for (std::size_t i = 1; i < found.size(); ++i) cut_off(found[i - 1], found[i]);
    return found;
  }

 private:
  void announce(std::vector<Bytes> const& sizes) const {
    if (due_ && !sizes.empty()) due_(sizes);
  }

  /// The first algorithm of those that are as fast as the fastest one. The order of the user decides ties.
  std::size_t best_at(Bytes size) const {
    std::vector<Seconds> times;
    for (std::size_t i = 0; i < algorithms_; ++i) times.push_back(time_(i, size));
    Seconds const least = *std::min_element(times.begin(), times.end());
    auto const first =
        std::find_if(times.begin(), times.end(), [&](Seconds each) { return as_fast(each, least, search_.tie); });
    return static_cast<std::size_t>(first - times.begin());
  }

  /// Whether the first of two algorithms is taken before the second.
  bool wins(std::size_t one, std::size_t other, Bytes size) const {
    Seconds const mine = time_(one, size), its = time_(other, size);
    return one < other ? as_fast(mine, its, search_.tie) : !as_fast(its, mine, search_.tie);
  }

  /// Whether the algorithm keeps its range at this size.
  bool keeps(std::size_t algorithm, Bytes size) const {
    if (search_.tolerance == 0) return algorithm == best_at(size);
    return as_fast(time_(algorithm, size), time_(best_at(size), size), std::max(search_.tie, search_.tolerance));
  }

  /// The ranges that follow from the checked sizes alone.
  std::vector<BestRange> over_checked() const {
    std::vector<BestRange> ranges;
    for (Bytes const size : checked_) {
      if (!ranges.empty() && keeps(ranges.back().algorithm, size)) {
        ranges.back().to = size;
      } else {
        take_over(ranges, best_at(size), size);
      }
    }
    return ranges;
  }

  /// Gives `size` to the algorithm that is the fastest there, and also the sizes below, down to where the algorithm
  /// before it wins. At those sizes the other algorithm keeps its range, and this one is faster, so that it holds there
  /// too.
  void take_over(std::vector<BestRange>& ranges, std::size_t algorithm, Bytes size) const {
    BestRange range{size, size, algorithm};
    while (!ranges.empty()) {
      BestRange& below = ranges.back();
      auto at = checked_.find(below.to);
      while (*at >= below.from && wins(algorithm, below.algorithm, *at)) {
        range.from = *at;
        if (at == checked_.begin()) break;
        --at;
      }
      if (range.from > below.from) {
        below.to = *at;
        break;
      }
      ranges.pop_back();
    }
    if (!ranges.empty() && ranges.back().algorithm == algorithm) {
      ranges.back().to = size;
    } else {
      ranges.push_back(range);
    }
  }

  /// Examines a size between each two neighbors in one range; sizes at which the range does not hold become checked
  /// sizes. Returns whether all ranges hold. `closer` permits sizes that were not examined before.
  bool look_between(std::vector<BestRange> const& ranges, bool closer) {
    std::vector<Bytes> sizes;
    for (BestRange const& range : ranges) {
      if (!closer) break;
      for (auto at = checked_.find(range.from); *at < range.to; ++at) {
        Bytes const middle = between(*at, *std::next(at));
        if (*at < middle && middle < *std::next(at) && !between_.contains(middle)) sizes.push_back(middle);
      }
    }
    announce(sizes);
    between_.insert(sizes.begin(), sizes.end());
    bool hold = true;
    for (Bytes const size : between_) {
      auto const range =
          std::find_if(ranges.begin(), ranges.end(), [&](BestRange const& each) { return size <= each.to; });
      // A size between two ranges narrows down where they meet.
      if (size >= range->from && keeps(range->algorithm, size)) continue;
      hold = !checked_.insert(size).second && hold;
    }
    return hold;
  }

  static Bytes between(Bytes lower, Bytes upper) {
    return Bytes(std::llround(std::sqrt(static_cast<double>(lower.value) * static_cast<double>(upper.value))));
  }

  bool within_tolerance(std::size_t one, std::size_t other, Bytes size) const {
    Seconds const mine = time_(one, size), its = time_(other, size);
    return as_fast(mine, its, search_.tolerance) && as_fast(its, mine, search_.tolerance);
  }

  /// Finds where two ranges meet that follow each other among the checked sizes.
  void cut_off(BestRange& below, BestRange& above) const {
    std::set<Bytes> looked = checked_;
    looked.insert(between_.begin(), between_.end());
    auto first = looked.find(below.to), last = looked.find(above.from);
    auto const same = [&](Bytes size) {
      return size >= below.from && size <= above.to && within_tolerance(below.algorithm, above.algorithm, size);
    };
    while (first != looked.begin() && same(*first)) --first;
    while (std::next(last) != looked.end() && same(*last)) ++last;
    above.cross_from = *first;
    above.cross_to = *last;
    for (auto at = first; at != last; ++at) {
      bool const before = wins(below.algorithm, above.algorithm, *at);
      if (before != wins(below.algorithm, above.algorithm, *std::next(at))) ++above.crossings;
    }
    if (above.crossings > 1) {
      below.to = Bytes(above.from.value - 1);
      return;
    }
    above.from =
        first_without(below.to, above.from, [&](Bytes size) { return wins(below.algorithm, above.algorithm, size); });
    below.to = Bytes(above.from.value - 1);
  }

  /// The least size in (below, above] at which `holds` does not hold, found by bisection to the resolution; it holds at
  /// `below` and not at `above`.
  Bytes first_without(Bytes below, Bytes above, std::function<bool(Bytes)> const& holds) const {
    while (above.value - below.value >
           std::max<std::int64_t>(1, std::llround(search_.resolution * static_cast<double>(above.value)))) {
      Bytes const middle(below.value + (above.value - below.value) / 2);
      (holds(middle) ? below : above) = middle;
    }
    return above;
  }

  SizeSearch const& search_;
  std::size_t algorithms_;
  TimeOf const& time_;
  TimesDue const& due_;
  std::set<Bytes> checked_;
  std::set<Bytes> between_ = {};
};

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

std::vector<BestRange> best_ranges(SizeSearch const& search, std::size_t algorithms, TimeOf const& time,
                                   TimesDue const& due) {
  expects(algorithms >= 1, "an algorithm");
  return RangeSearch(search, algorithms, time, due).ranges();
}

}  // namespace rondo
