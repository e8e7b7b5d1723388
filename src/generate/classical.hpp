#pragma once

// The collectives on all ranks: the generator of each row of problem/catalogue.def, which describes the algorithms.

#include "problem/classical.hpp"
#include "schedule/collective.hpp"
#include "schedule/schedule.hpp"

namespace rondo::generate {

/// The schedule of the problem's algorithm. Throws InputError for a number of ranks that it does not know.
Schedule generate(problem::Classical const& problem);
/// The promise of the problem: the blocks that its schedule must deliver.
Collective promise(problem::Classical const& problem);

namespace classical {

#define ALGORITHM(collective, word, generator, counts, ...) Schedule generator(problem::Classical const& problem);
#include "problem/catalogue.def"
#undef ALGORITHM

}  // namespace classical
}  // namespace rondo::generate
