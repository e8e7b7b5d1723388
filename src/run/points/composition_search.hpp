#pragma once

// Finds the compositions that are the fastest at some size of a grid, for `rondo tune`.

#include <optional>
#include <set>
#include <string>

#include "run/points/compositions.hpp"
#include "run/points/simulations.hpp"
#include "run/points/tune.hpp"

namespace rondo {

/// The composition as a candidate, with the members of /collective that state it.
Candidate candidate_of(std::string const& name, problem::Classical const& composition);

/// The search for one problem. It adds the compositions that it finds to the decisions.
class CompositionSearch {
 public:
  /// Keeps references to `file`, to the options and to `simulations`, by which it simulates the scenario `document`.
  /// Errors name `file`.
  CompositionSearch(scenario::Json const& document, std::string const& file, TuneOptions const& options,
                    Simulations& simulations);

  /// Adds to the algorithms of `decisions` those that are faster, at some size of its grid, than all others there by
  /// more than the tolerance of the options. Also sets the tally of `decisions`.
  void search(Decisions& decisions);

 private:
  /// The best known result at a size: the least time, and its composition if it is a new one.
  struct Best {
    Seconds time;
    std::string name = {};                           ///< by which `simulations` knows the composition
    std::optional<problem::Classical> problem = {};  ///< unset as long as a known algorithm is the best
  };
  // `tried` has the keys (key_of) of the compositions that were simulated at this size or are known already.
  void search_at(Bytes size, Decisions& decisions);
  Seconds least_of_known(Bytes size, Decisions const& decisions);
  void simulate(std::vector<problem::Classical> const& compositions, Bytes size, Best& best);
  void try_all(Compositions const& all, Segmented segmented, Bytes size, std::set<std::string>& tried, Best& best);
  /// Simulates the compositions that differ from the best one by the algorithm of one phase and have the same bounds.
  /// try_all tries only one of the compositions with equal bounds.
  void try_like(Compositions const& all, Bytes size, std::set<std::string>& tried, Best& best);
  scenario::Scenario at(Bytes size) const;

  scenario::Json document_;
  std::string const& file_;
  TuneOptions const& options_;
  Simulations& simulations_;
  std::vector<Bytes> segments_;  ///< the sizes of segments to try; 0, for none, is the first
  CompositionTally tally_;
};

}  // namespace rondo
