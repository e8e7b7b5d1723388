#pragma once

#include <string>
#include <vector>

#include "mpi/cases.hpp"

namespace rondo::mpi::testing {

/// Runs a case on so many simulated ranks, in a child process. What the ranks found wrong, a deadlock, or how the
/// simulation ended if not well.
std::vector<std::string> run_simulated(TestCase const& test, int ranks);

}  // namespace rondo::mpi::testing
