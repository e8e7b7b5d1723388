#pragma once

// The compositions that tune tries (problem/composition_forms.hpp): ranks of a host are a group. Every algorithm of
// every phase, with 1, 2, 4, ... and all lanes and in segments or whole, makes thousands of them; lower bounds
// (theory/composition_bounds.hpp) say which ones cannot be faster than a time that is known, without simulating them.
// Algorithms of a phase that none of the bounds tells apart, as those that send as much in as many rounds, are tried by
// one of them, and the others only in the place of the best one's.

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "problem/composition_forms.hpp"
#include "scenario/scenario.hpp"
#include "theory/composition_bounds.hpp"

namespace rondo {

/// Whether ranks share hosts, there are several hosts, and the collective can be put together from others.
bool has_compositions(scenario::Scenario const& scenario);

/// What no message on the machine costs less than, and no rank or host is occupied for less.
theory::LeastCost least_cost(Platform const& machine, int ranks);

struct Composition {
  problem::Classical problem;
  Seconds least;  ///< at the size asked about: no schedule of it takes less
};

/// What a scenario says of it beside /algorithm, in members of /collective.
scenario::Json options_of(problem::Classical const& composition);
/// Its algorithm and its options, as a text that no other has.
std::string key_of(problem::Classical const& composition);

enum class Segmented : bool { no, yes };

/// The compositions of a scenario at its block size.
class Compositions {
 public:
  Compositions(scenario::Scenario const& scenario, std::vector<Bytes> const& segments);
  ~Compositions();

  /// Those, in segments or whole, that may take less than `limit`, of algorithms that are alike by one of them, but for
  /// those in `known` (by key_of), in the order of `least`: all, or the first `most`.
  std::vector<Composition> below(Segmented segmented, Seconds limit, std::set<std::string> const& known,
                                 std::size_t most) const;
  /// Those that have another algorithm for one phase, which bounds do not tell from the one there.
  std::vector<problem::Classical> like(problem::Classical const& composition) const;

 private:
  class Form;
  theory::LeastCost cost_;
  std::vector<problem::CompositionForm> forms_;
  std::vector<Form> bounds_;  ///< of each form
};

/// What each level does: "in a host: reduce by binomial, bcast by chain; between hosts: allreduce by ring; 2 lanes".
std::string said_of(problem::Classical const& composition);

/// The variables that tell the MPI library to do so: {"RONDO_ALLREDUCE_ALGORITHM", "hierarchical"} and so on; none with
/// several rings, which it does not have.
std::vector<std::pair<std::string, std::string>> variables_of(problem::Classical const& composition);

}  // namespace rondo
