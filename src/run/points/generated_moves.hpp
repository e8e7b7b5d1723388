#pragma once

// Generates the schedules from which the solver of optimum/ starts. Each is a list of messages that answers its
// question, so its number of rounds is an upper bound of the optimum.

#include "optimum/moves.hpp"
#include "run/points/optimum.hpp"

namespace rondo {

/// Generates the schedules of all algorithms of the scenario's collective, and returns those that answer the question.
/// Options that change the number of rounds are also tried with other values, unless the scenario states them. `forest`
/// is left out, because it takes seconds. Algorithms that refuse the problem are skipped. Returns early if
/// `options.stop` returns a reason.
std::vector<optimum::Moves> generated_moves(scenario::Scenario const& scenario, std::string const& file,
                                            optimum::Question const& question, OptimumOptions const& options);

}  // namespace rondo
