// SMPI has no inter-communicators to compare with; programs/intercommunicators.c tests ours under smpirun.

#include "mpi/cases.hpp"

namespace rondo::mpi::testing {

std::vector<TestCase> platform_cases() { return {}; }

}  // namespace rondo::mpi::testing
