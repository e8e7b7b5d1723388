#pragma once

// The cases of the interfaces for MPI programs, each a program that all ranks of a communicator run. The same cases run
// in the embedded SMPI (smpi/) and on a real MPI (real/).

#include <mpi.h>

#include <string>
#include <vector>

namespace rondo::mpi::testing {

/// What a rank found wrong.
class Report {
 public:
  void expect(bool holds, std::string const& what);
  /// An error class by its number, and the call it is expected of.
  void expect_code(int code, int expected, std::string const& call);
  std::vector<std::string> const& failures() const { return failures_; }

 private:
  std::vector<std::string> failures_;
};

/// How many combinations a case runs: a real MPI with more processes than cores takes milliseconds for a message.
/// `most`: of the random graphs, by hand and in .ci/long.
enum class Effort { sampled, full, most };

struct World {
  MPI_Comm comm;
  int rank;
  int size;
  Effort effort;
};

struct TestCase {
  char const* name;
  void (*run)(World const& world, Report& report);
};

std::vector<TestCase> cases();

// By file.
std::vector<TestCase> data_cases();
std::vector<TestCase> request_cases();
std::vector<TestCase> error_cases();
std::vector<TestCase> wrong_cases();
std::vector<TestCase> intergroup_cases();
std::vector<TestCase> neighbor_cases();
std::vector<TestCase> topology_cases();
std::vector<TestCase> graph_cases();
std::vector<TestCase> whole_graph_cases();
std::vector<TestCase> stencil_cases();
std::vector<TestCase> choice_cases();
std::vector<TestCase> wait_cases();
std::vector<TestCase> naming_cases();
std::vector<TestCase> collective_cases();
std::vector<TestCase> classical_cases();
std::vector<TestCase> extent_cases();
/// Cases that only a real MPI library runs; empty on SMPI.
std::vector<TestCase> platform_cases();
std::vector<TestCase> sparse_cases();
std::vector<TestCase> sparse_interface_cases();
std::vector<TestCase> program_cases();

}  // namespace rondo::mpi::testing
