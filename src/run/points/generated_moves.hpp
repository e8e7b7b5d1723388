#pragma once

// The schedules that Rondo generates for a promise, as messages of a question. They are upper bounds of an optimum.

#include "optimum/moves.hpp"
#include "run/points/optimum.hpp"

namespace rondo {

/// The schedules of all algorithms of the scenario's collective, with those options that change how many rounds they
/// take, as far as they answer the question. The algorithm forest is left out, because it takes seconds. Ends early if
/// `options.stop` says so.
std::vector<optimum::Moves> generated_moves(scenario::Scenario const& scenario, std::string const& file,
                                            optimum::Question const& question, OptimumOptions const& options);

}  // namespace rondo
