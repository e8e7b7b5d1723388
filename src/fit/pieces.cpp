// Fits the terms of pieces.hpp, and chooses the boundaries between ranges of sizes.

#include "fit/pieces.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "fit/nonnegative.hpp"
#include "fit/robust.hpp"

namespace rondo::fit {
namespace {

/// The fewest measured sizes of a piece. Any two sizes lie on a line, so they say nothing about a piece.
constexpr std::size_t fewest_sizes = 3;
constexpr std::size_t most_boundaries = 5;
/// The most sizes among which boundaries are chosen; of more sizes, evenly spread ones are taken.
constexpr std::size_t most_points = 128;
/// The parameters of a piece: its latency, its bandwidth, and its boundary, which counts twice because it is chosen
/// among many places.
constexpr double parameters_a_piece = 4;
/// Times may fall at a boundary only if this lowers the criterion by more than so much.
constexpr double criterion_of_falls = 12;
/// The relative error below which a better fit does not count, because no measurement is more exact.
constexpr double certain = 0.01;
/// With fewer sizes than this, a piece costs as much in the criterion as with this number of sizes.
constexpr double few = 24;
/// The most turns of fit_terms.
constexpr int most_reweightings = 40;
/// A relative decrease of the loss by less than this ends fit_terms.
constexpr double same_loss = 1e-9;

using Times = std::map<std::int64_t, std::vector<double>>;  ///< by size; those of a size in the order of the file

Times times_of(Samples const& samples) {
  Times times;
  for (Sample const& each : samples.all) times[each.bytes].push_back(each.time.value);
  return times;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  std::size_t const half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// Takes one time for each size: the median of its times. If there are more than most_points sizes, evenly spread ones
/// are taken.
std::vector<Sample> points_of(Times const& times) {
  std::vector<Sample> all;
  for (auto const& [bytes, values] : times) all.push_back({bytes, Seconds(median(values))});
  if (all.size() <= most_points) return all;
  std::vector<Sample> some;
  for (std::size_t i = 0; i < most_points; ++i) some.push_back(all[i * (all.size() - 1) / (most_points - 1)]);
  return some;
}

/// Predicts the time of a size: the sum of the terms with these coefficients.
double sum_of(PieceTerms const& terms, std::vector<double> const& coefficients, std::int64_t bytes) {
  double sum = 0;
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    if (coefficients[i] > 0) sum += coefficients[i] * terms.at(i, bytes);
  }
  return sum;
}

/// Sums the robust losses of log(predicted / measured).
double loss_of(PieceTerms const& terms, std::vector<double> const& coefficients, std::span<Sample const> samples) {
  double loss = 0;
  for (Sample const& each : samples) {
    loss += robust_loss(std::log(sum_of(terms, coefficients, each.bytes) / each.time.value));
  }
  return loss;
}

/// Returns the loss of the best fit with these boundaries.
double loss_of(std::vector<Boundary> const& boundaries, std::span<Sample const> points) {
  PieceTerms const terms(boundaries);
  return loss_of(terms, fit_terms(terms, points), points);
}

/// Finds the coefficients with the least weighted sum of squares of (t / expected - target). Near `expected`, t /
/// expected - 1 approximates log(t / expected).
std::vector<double> weighted_fit(PieceTerms const& terms, std::span<Sample const> samples,
                                 std::vector<double> const& expected, std::vector<double> const& target,
                                 std::vector<double> const& weights) {
  std::vector<std::vector<double>> columns(terms.terms().size(), std::vector<double>(samples.size()));
  std::vector<double> right(samples.size());
  for (std::size_t row = 0; row < samples.size(); ++row) {
    double const root = std::sqrt(weights[row]);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      columns[i][row] = root * terms.at(i, samples[row].bytes) / expected[row];
    }
    right[row] = root * target[row];
  }
  return nonnegative_least_squares(columns, right);
}

/// Rates a choice of boundaries by Bayes' information criterion; a lower value is better.
double criterion(double loss, std::size_t sizes, std::size_t boundaries) {
  double const n = static_cast<double>(sizes);
  double const parameters = parameters_a_piece * static_cast<double>(boundaries);
  return n * std::log(loss / n + certain * certain) + parameters * std::log(std::max(n, few));
}

/// Tells whether each range has at least fewest_sizes different sizes.
bool large_enough(std::vector<Boundary> const& boundaries, std::span<Sample const> points) {
  PieceTerms const terms(boundaries);
  std::vector<std::size_t> sizes(terms.ranges(), 0);
  for (Sample const& each : points) ++sizes[terms.range_of(each.bytes)];
  return std::ranges::all_of(sizes, [](std::size_t each) { return each >= fewest_sizes; });
}

/// Searches for the boundaries that pay among `candidates`, which ascend.
class Choice {
 public:
  Choice(std::vector<Sample> points, std::vector<Boundary> candidates)
      : points_(std::move(points)), candidates_(std::move(candidates)) {}

  /// Adds one boundary at a time, each at the place that makes the loss least, and then moves each of them to its best
  /// place. Stops after two additions that do not lower the criterion. So it finds two boundaries that only help
  /// together, but not three. Returns the choice with the least criterion.
  std::vector<Boundary> made() const {
    std::vector<Boundary> chosen, best;
    double smallest = criterion(loss({}), points_.size(), 0);
    while (chosen.size() < most_boundaries && chosen.size() < best.size() + 2) {
      auto const next = with_one_more(chosen);
      if (!next) break;
      chosen = moved(*next);
      double const value = criterion(loss(chosen), points_.size(), chosen.size());
      if (value < smallest) smallest = value, best = chosen;
    }
    return best;
  }

  std::span<Sample const> points() const { return points_; }

 private:
  double loss(std::vector<Boundary> const& boundaries) const { return loss_of(boundaries, points_); }

  /// Adds the candidate that makes the loss least; nothing if every candidate would leave a piece with too few sizes.
  std::optional<std::vector<Boundary>> with_one_more(std::vector<Boundary> const& chosen) const {
    std::optional<std::vector<Boundary>> best;
    double smallest = HUGE_VAL;
    for (Boundary const& each : candidates_) {
      if (std::ranges::find(chosen, each.up_to, &Boundary::up_to) != chosen.end()) continue;
      std::vector<Boundary> more = chosen;
      more.insert(std::ranges::upper_bound(more, each.up_to, {}, &Boundary::up_to), each);
      if (!large_enough(more, points_)) continue;
      double const value = loss(more);
      if (value < smallest) smallest = value, best = std::move(more);
    }
    return best;
  }

  /// Takes out each boundary once, and puts it back at the place that makes the loss least.
  std::vector<Boundary> moved(std::vector<Boundary> chosen) const {
    for (std::size_t i = 0; chosen.size() > 1 && i < chosen.size(); ++i) {
      std::vector<Boundary> others = chosen;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      if (auto better = with_one_more(others); better && loss(*better) < loss(chosen)) chosen = std::move(*better);
    }
    return chosen;
  }

  std::vector<Sample> points_;
  std::vector<Boundary> candidates_;
};

/// Tells whether the fit becomes much worse, more than chance explains, if times may not fall at this boundary.
bool pays_to_fall(std::vector<Boundary> boundaries, std::size_t which, std::span<Sample const> points) {
  std::size_t const sizes = points.size();
  double const falling = criterion(loss_of(boundaries, points), sizes, 0);
  boundaries[which].falls = false;
  return criterion(loss_of(boundaries, points), sizes, 0) > criterion_of_falls + falling;
}

/// Tells whether pays_to_fall holds, and also holds if any single point in the two pieces beside the boundary is left
/// out. So no single size decides.
bool pays_to_fall_without_any(std::vector<Boundary> const& boundaries, std::size_t which,
                              std::span<Sample const> points) {
  PieceTerms const terms(boundaries);
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::size_t const range = terms.range_of(points[i].bytes);
    if (range != which && range != which + 1) continue;
    std::vector<Sample> others(points.begin(), points.end());
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    if (!pays_to_fall(boundaries, which, others)) return false;
  }
  return pays_to_fall(boundaries, which, points);
}

/// Finds the first boundary at which times fall although chance, or a single size, may be the reason. Unset if there is
/// none.
std::optional<std::int64_t> doubtful(std::vector<Boundary> const& chosen, std::span<Sample const> points) {
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i].falls && !pays_to_fall_without_any(chosen, i, points)) return chosen[i].up_to;
  }
  return std::nullopt;
}

}  // namespace

/// Makes the terms of pieces.hpp for each sum. A sum covers the ranges `from` to `to` - 1, between two boundaries at
/// which times fall. A term has the line `below` in the ranges before `turn`, and `above` from there on.
PieceTerms::PieceTerms(std::vector<Boundary> boundaries) : boundaries_(std::move(boundaries)) {
  auto const add = [&](std::size_t from, std::size_t to, std::size_t turn, Line below, Line above, bool slope) {
    std::vector<Line> lines(ranges());
    for (std::size_t k = from; k < to; ++k) lines[k] = k < turn ? below : above;
    terms_.push_back(std::move(lines));
    slope_.push_back(slope);
  };
  for (std::size_t from = 0; from < ranges();) {
    std::size_t to = from + 1;
    while (to < ranges() && !boundaries_[to - 1].falls) ++to;
    add(from, to, from, {}, {1, 0}, false);
    add(from, to, from, {}, {0, 1}, true);
    for (std::size_t turn = from + 1; turn < to; ++turn) {
      auto const size = static_cast<double>(boundaries_[turn - 1].up_to);
      add(from, to, turn, {0, 1}, {size, 0}, false);
      add(from, to, turn, {}, {1, 0}, false);
      add(from, to, turn, {}, {0, 1}, false);
    }
    from = to;
  }
}

std::size_t PieceTerms::range_of(std::int64_t bytes) const {
  auto const holds = [&](Boundary const& each) { return bytes <= each.up_to; };
  return static_cast<std::size_t>(std::ranges::find_if(boundaries_, holds) - boundaries_.begin());
}

double PieceTerms::at(std::size_t term, std::int64_t bytes) const {
  Line const& line = terms_[term][range_of(bytes)];
  return line.latency + line.per_byte * static_cast<double>(bytes);
}

/// Solves weighted problems, each with weights and residuals from the last solution, until the robust loss stops
/// falling. A solution with a larger loss is moved halfway to the best one, up to 20 times.
std::vector<double> fit_terms(PieceTerms const& terms, std::span<Sample const> samples) {
  std::vector<double> expected, target(samples.size(), 1), weights(samples.size(), 1);
  for (Sample const& each : samples) expected.push_back(each.time.value);
  std::vector<double> best;
  double smallest = HUGE_VAL;
  for (int weighting = 0; weighting < most_reweightings; ++weighting) {
    std::vector<double> found = weighted_fit(terms, samples, expected, target, weights);
    double loss = loss_of(terms, found, samples);
    for (int half = 0; !best.empty() && !(loss < smallest) && half < 20; ++half) {
      for (std::size_t i = 0; i < found.size(); ++i) found[i] = (found[i] + best[i]) / 2;
      loss = loss_of(terms, found, samples);
    }
    bool const done = !(loss < (1 - same_loss) * smallest);
    if (loss < smallest) smallest = loss, best = std::move(found);
    if (done || best.empty()) break;
    for (std::size_t row = 0; row < samples.size(); ++row) {
      expected[row] = sum_of(terms, best, samples[row].bytes);
      double const residual = std::log(expected[row] / samples[row].time.value);
      target[row] = 1 - residual;
      weights[row] = robust_weight(residual);
    }
  }
  return best;
}

std::vector<ObservedFall> falls_seen(Samples const& samples) {
  Times const times = times_of(samples);
  std::vector<ObservedFall> seen;
  if (times.empty()) return seen;
  for (auto last = times.begin(), next = std::next(last); next != times.end(); last = next++) {
    ObservedFall each{last->first, next->first, 0, 0};
    for (std::size_t run = 0; run < std::min(last->second.size(), next->second.size()); ++run) {
      ++each.runs;
      each.falling += next->second[run] < last->second[run] ? 1 : 0;
    }
    seen.push_back(each);
  }
  return seen;
}

std::vector<Boundary> boundaries_that_pay(Samples const& samples) {
  std::vector<Sample> const points = points_of(times_of(samples));
  std::vector<ObservedFall> const seen = falls_seen(samples);
  std::vector<std::int64_t> doubted;
  while (true) {
    std::vector<Boundary> candidates;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      std::int64_t const last = points[i].bytes;
      auto const here = std::ranges::find(seen, last, &ObservedFall::last);
      bool const falls = here->in_most() && std::ranges::find(doubted, last) == doubted.end();
      candidates.push_back({last, falls});
    }
    Choice const choice(points, candidates);
    std::vector<Boundary> chosen = choice.made();
    auto const doubt = doubtful(chosen, choice.points());
    if (!doubt) return chosen;
    doubted.push_back(*doubt);
  }
}

}  // namespace rondo::fit
