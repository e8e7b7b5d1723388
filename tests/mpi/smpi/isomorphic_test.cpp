// The cases in the embedded SMPI: one simulation, in a child process, for each case and number of ranks.

#include <gtest/gtest.h>

#include "mpi/cases.hpp"
#include "simulated_ranks.hpp"

namespace rondo::mpi::testing {
namespace {

class IsomorphicInterface : public ::testing::TestWithParam<TestCase> {};

TEST_P(IsomorphicInterface, on) {
  for (int const ranks : {1, 2, 4, 6, 9}) {
    SCOPED_TRACE(std::to_string(ranks) + " ranks");
    EXPECT_EQ(run_simulated(GetParam(), ranks), std::vector<std::string>());
  }
}

INSTANTIATE_TEST_SUITE_P(Requests, IsomorphicInterface, ::testing::ValuesIn(cases()),
                         [](auto const& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace rondo::mpi::testing
