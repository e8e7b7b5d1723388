// Searches compositions: at each size of the grid, those whose lower bounds allow a win are simulated in batches, the
// most promising first. The search stops when the next bound is above the best time, which proves that no other one
// wins.

#include "run/points/composition_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace rondo {
namespace {

/// How many compositions are simulated together. At one size at most `most_at_a_size` that cut data into segments are
/// simulated, and as many that do not.
constexpr std::size_t batch = 8, most_at_a_size = 24;

}  // namespace

Candidate candidate_of(std::string const& name, problem::Classical const& composition) {
  return {name, enum_name(composition.algorithm), options_of(composition)};
}

CompositionSearch::CompositionSearch(scenario::Json const& document, std::string const& file,
                                     TuneOptions const& options, Simulations& simulations)
    : document_(document), file_(file), options_(options), simulations_(simulations), segments_(options.segments) {
  segments_.insert(segments_.begin(), Bytes(0));
}

void CompositionSearch::search(Decisions& decisions) {
  for (Bytes const size : grid(decisions.sizes)) search_at(size, decisions);
  decisions.tally = tally_;
}

/// The scenario with this size as its block.
scenario::Scenario CompositionSearch::at(Bytes size) const {
  scenario::Point point;
  point.expanded = document_;
  point.expanded["block"] = fmt::format("{}B", size.value);
  return scenario::parse(point, file_);
}

/// The best time of all algorithms that are known so far.
Seconds CompositionSearch::least_of_known(Bytes size, Decisions const& decisions) {
  std::vector<Simulations::Key> keys;
  for (std::string const& word : decisions.algorithms) keys.emplace_back(word, size.value);
  simulations_.run(keys);
  Seconds least(std::numeric_limits<double>::infinity());
  for (std::string const& word : decisions.algorithms) least = std::min(least, simulations_.time(word, size));
  return least;
}

/// Simulates compositions at a size, and updates the best one.
void CompositionSearch::simulate(std::vector<problem::Classical> const& compositions, Bytes size, Best& best) {
  std::vector<Simulations::Key> keys;
  for (problem::Classical const& each : compositions) {
    std::string const name = key_of(each);
    simulations_.add(candidate_of(name, each));
    keys.emplace_back(name, size.value);
  }
  simulations_.run(keys);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    Seconds const time = simulations_.time(keys[i].first, size);
    if (!as_fast(best.time, time, options_.sizes.tie)) best = {time, keys[i].first, compositions[i]};
  }
  tally_.simulated += keys.size();
}

/// Simulates batches until bounds exclude all others, or until the limit for one size is reached, which the tally
/// notes.
void CompositionSearch::try_all(Compositions const& all, Segmented segmented, Bytes size, std::set<std::string>& tried,
                                Best& best) {
  // An improvement smaller than the rounding of sums of doubles is none.
  double const margin = 1 + std::max(options_.sizes.tolerance, 1e-9);
  for (std::size_t simulated = 0;;) {
    std::vector<Composition> const next = all.below(segmented, Seconds(best.time.value / margin), tried, batch);
    if (next.empty()) return;
    if (simulated >= most_at_a_size) {
      if (tally_.cut_short.empty() || tally_.cut_short.back() != size) tally_.cut_short.push_back(size);
      return;
    }
    std::vector<problem::Classical> problems;
    for (Composition const& each : next) {
      problems.push_back(each.problem);
      tried.insert(key_of(each.problem));
    }
    simulate(problems, size, best);
    simulated += next.size();
  }
}

void CompositionSearch::try_like(Compositions const& all, Bytes size, std::set<std::string>& tried, Best& best) {
  std::vector<problem::Classical> others = all.like(*best.problem);
  std::erase_if(others, [&](problem::Classical const& each) { return !tried.insert(key_of(each)).second; });
  simulate(others, size, best);
}

/// Searches one size. A composition that wins by more than the tolerance joins the algorithms, under a name such as
/// hierarchical#1, or ALGORITHM*RINGS if it consists of rings, so that it is also timed at all other sizes.
void CompositionSearch::search_at(Bytes size, Decisions& decisions) {
  Compositions const all(at(size), segments_);
  Seconds const known = least_of_known(size, decisions);
  Best best{known};
  std::set<std::string> tried;
  for (NamedComposition const& each : decisions.compositions) {
    tried.insert(key_of(each.problem));
  }
  // Bounds are tighter for whole vectors, so that these are tried first.
  for (Segmented const segmented : {Segmented::no, Segmented::yes}) try_all(all, segmented, size, tried, best);
  if (!best.problem || as_fast(known, best.time, options_.sizes.tolerance)) return;
  try_like(all, size, tried, best);
  std::string const name = best.problem->hierarchy.stated()
                               ? fmt::format("hierarchical#{}", decisions.compositions.size() + 1)
                               : fmt::format("{}*{}", enum_name(best.problem->algorithm), best.problem->rings);
  simulations_.rename(best.name, name);
  decisions.algorithms.push_back(name);
  decisions.compositions.push_back({name, *best.problem});
}

}  // namespace rondo
