#pragma once

// Generators of the collectives on all ranks. problem/catalogue.def describes the algorithms: each of its rows names
// the generator of one algorithm.

#include "problem/classical.hpp"
#include "schedule/collective.hpp"
#include "schedule/schedule.hpp"

namespace rondo::generate {

/// Generates the schedule of the problem's algorithm. Throws InputError if the algorithm, or the hierarchy of a
/// composition, does not fit the number of ranks.
Schedule generate(problem::Classical const& problem);
/// The blocks that the schedule must deliver. If the schedule cuts blocks into pieces, the promise is cut in the same
/// way.
Collective promise(problem::Classical const& problem);

namespace classical {

/// Declares the generator of each row. generate() checks the number of ranks before it calls one of them.
#define ALGORITHM(collective, word, generator, counts, ...) Schedule generator(problem::Classical const& problem);
#include "problem/catalogue.def"
#undef ALGORITHM

}  // namespace classical
}  // namespace rondo::generate
