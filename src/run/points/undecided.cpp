// Compares the two fastest algorithms at each size of the grid. If each true time lies within a factor 1 + part of its
// prediction, the order is certain only if the predictions differ by more than (1 + part)^2.

#include "run/points/undecided.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace rondo {
namespace {

Choice const& choice_at(Decisions const& decisions, Bytes size) {
  return *std::ranges::find_if(decisions.choices, [&](Choice const& each) { return size <= each.to; });
}

bool is_chosen(Decisions const& decisions, std::string const& word) {
  return std::ranges::any_of(decisions.choices, [&](Choice const& each) { return each.algorithm == word; });
}

/// The fastest algorithm except for the chosen one and those that are equally fast; empty if there is none. Of several
/// equal ones, one that is chosen elsewhere.
std::string rival_of(Choice const& choice, Decisions const& decisions, Bytes size, Simulations& search) {
  std::string best;
  for (std::string const& word : decisions.algorithms) {
    if (word == choice.algorithm || std::ranges::find(choice.as_fast, word) != choice.as_fast.end()) continue;
    bool const ties = !best.empty() && as_fast(search.time(word, size), search.time(best, size), decisions.sizes.tie);
    bool const is_faster =
        best.empty() || !as_fast(search.time(best, size), search.time(word, size), decisions.sizes.tie);
    if (is_faster || (ties && is_chosen(decisions, word) && !is_chosen(decisions, best))) best = word;
  }
  return best;
}

/// The size that is nearest to the geometric mean of the first and the last one.
Bytes middle(std::vector<Bytes> const& sizes) {
  double const mean = std::sqrt(static_cast<double>(sizes.front().value) * static_cast<double>(sizes.back().value));
  return *std::ranges::min_element(
      sizes, {}, [&](Bytes size) { return std::abs(std::log(static_cast<double>(size.value) / mean)); });
}

}  // namespace

std::vector<Undecided> undecided(Decisions const& decisions, double part, Simulations& search) {
  /// Neighboring sizes with the same two algorithms.
  struct Run {
    std::string chosen, rival;
    std::vector<Bytes> sizes;
  };
  std::vector<Run> runs;
  bool goes_on = false;
  for (Bytes const size : grid(decisions.sizes)) {
    Choice const& choice = choice_at(decisions, size);
    std::string const rival = rival_of(choice, decisions, size, search);
    double const both = (1 + part) * (1 + part);
    bool const apart =
        rival.empty() || search.time(rival, size).value > both * search.time(choice.algorithm, size).value;
    if (!apart) {
      bool const same =
          goes_on && std::minmax(runs.back().chosen, runs.back().rival) == std::minmax(choice.algorithm, rival);
      if (!same) runs.push_back({choice.algorithm, rival, {}});
      runs.back().sizes.push_back(size);
    }
    goes_on = !apart;
  }
  std::vector<Undecided> found;
  for (Run const& run : runs) {
    Bytes const probe = middle(run.sizes);
    found.push_back({run.sizes.front(), run.sizes.back(), run.chosen, run.rival, probe, search.time(run.chosen, probe),
                     search.time(run.rival, probe)});
  }
  return found;
}

}  // namespace rondo
