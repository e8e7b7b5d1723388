#pragma once

#include <string>
#include <vector>

#include "mpi/cases.hpp"

namespace rondo::mpi::testing {

/// `usual`: small messages are sent eagerly, as by any MPI. `exact`: each message takes 1us and 1ns a byte, one after
/// the other in each direction of a rank.
enum class Times { usual, exact };

/// Runs a case on so many simulated ranks, in a child process. What the ranks found wrong, a deadlock, or how the
/// simulation ended if not well.
std::vector<std::string> run_simulated(TestCase const& test, int ranks, Times times = Times::usual);

}  // namespace rondo::mpi::testing
