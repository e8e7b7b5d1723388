#include "mpi/cases.hpp"

#include <fmt/format.h>

namespace rondo::mpi::testing {

void Report::expect(bool holds, std::string const& what) {
  if (!holds) failures_.push_back(what);
}

void Report::expect_code(int code, int expected, std::string const& call) {
  expect(code == expected, fmt::format("{} returned {}, not {}", call, code, expected));
}

std::vector<TestCase> cases() {
  std::vector<TestCase> result = data_cases();
  for (auto const& more : {request_cases(), error_cases(), wrong_cases(), intergroup_cases(), neighbor_cases(),
                           topology_cases(), graph_cases(), whole_graph_cases(), stencil_cases(), choice_cases(),
                           wait_cases(), naming_cases(), collective_cases(), classical_cases(), extent_cases(),
                           platform_cases(), sparse_cases(), sparse_interface_cases(), program_cases()})
    result.insert(result.end(), more.begin(), more.end());
  return result;
}

}  // namespace rondo::mpi::testing
