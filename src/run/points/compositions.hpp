#pragma once

// The compositions that `rondo tune` tries (problem/composition.hpp); the ranks of a host are a group. There
// are thousands of them: every algorithm of every phase, with 1, 2, 4, ... and all lanes, in segments or whole. Lower
// bounds (theory/composition_bounds.hpp) show, without a simulation, which of them cannot be faster than a known time.
// Algorithms of a phase with the same bounds (because they send the same amount in the same number of rounds) are
// represented by one of them; the others are tried only in the place of the best one.

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "problem/composition.hpp"
#include "scenario/scenario.hpp"
#include "theory/composition_bounds.hpp"

namespace rondo {

/// Whether there are several hosts with several ranks each, and the collective can be put together from others.
bool has_compositions(scenario::Scenario const& scenario);

/// Lower bounds of the costs of a message on the machine, and of the time for which it occupies a rank and a host.
theory::LeastCost least_cost(Platform const& machine, int ranks);

/// A composition with a lower bound of its time.
struct Composition {
  problem::Classical problem;
  Seconds least;  ///< at the size asked about: no schedule of it takes less
};

/// The options of a composition in a scenario besides /algorithm, as members of /collective.
scenario::Json options_of(problem::Classical const& composition);
/// Its algorithm and options as a text that no other composition has.
std::string key_of(problem::Classical const& composition);

/// Whether data is cut into segments. Bounds for the two cases differ, so they are searched apart.
enum class Segmented : bool { no, yes };

/// The compositions of a scenario at its block size.
class Compositions {
 public:
  Compositions(scenario::Scenario const& scenario, std::vector<Bytes> const& segments);
  ~Compositions();

  /// The compositions, in segments or whole, that may take less than `limit`, in the order of `least`: all, or the
  /// first `most`. Of algorithms with the same bounds only one is tried. Those in `known` (by key_of) are left out.
  std::vector<Composition> below(Segmented segmented, Seconds limit, std::set<std::string> const& known,
                                 std::size_t most) const;
  /// The compositions that differ from this one by the algorithm of one phase, with the same bounds.
  std::vector<problem::Classical> like(problem::Classical const& composition) const;

 private:
  class Form;
  theory::LeastCost cost_;
  std::vector<problem::CompositionForm> forms_;
  std::vector<Form> bounds_;  ///< of each form
};

/// What each level does: "in a host: reduce by binomial, bcast by chain; between hosts: allreduce by ring; 2 lanes".
std::string composition_text(problem::Classical const& composition);

/// The variables by which the MPI library uses this composition: {"RONDO_ALLREDUCE_ALGORITHM", "hierarchical"} and so
/// on. None for several rings, which the library does not have.
std::vector<std::pair<std::string, std::string>> variables_of(problem::Classical const& composition);

}  // namespace rondo
