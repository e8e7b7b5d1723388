#pragma once

// The messages of SMPI's own collectives, which are Open MPI's, MPICH's and MVAPICH's algorithms as SimGrid ships them:
// code that nobody here wrote.

#include <map>
#include <string>
#include <tuple>

#include "problem/classical.hpp"

namespace rondo::test {

/// How often a message of so many bytes passes from a source to a target.
using Messages = std::map<std::tuple<int, int, std::int64_t>, int>;

struct LibraryRun {
  Messages messages;
  std::string error;  ///< how it failed; empty if it did not
};

/// The messages of one call of the collective with the problem's ranks, root and block, or of its v variant with the
/// problem's sizes, carried out by SMPI's algorithm of that name ("rdb", "ompi_binomial"). What SMPI has one algorithm
/// of goes by that, whatever the name.
LibraryRun library_messages(problem::Classical const& problem, std::string const& name);

/// The messages of the problem's own schedule.
Messages schedule_messages(problem::Classical const& problem);

/// The first message of which there are not as many on both sides, in words; empty if there is none.
std::string difference(Messages const& theirs, Messages const& ours);

}  // namespace rondo::test
