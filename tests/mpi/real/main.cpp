// All cases in one launch on a real MPI: one line a case from rank 0, exit code 1 if any rank found something wrong.
// With a word only the cases whose names hold it, with the most effort.

#include <fmt/format.h>

#include <string_view>

#include "mpi/cases.hpp"

namespace {

using namespace rondo::mpi::testing;

/// Prints, rank by rank, what is wrong; returns how many ranks found something.
int show_failures(World const& world, Report const& report) {
  constexpr std::size_t most_shown = 5;
  int const wrong = report.failures().empty() ? 0 : 1;
  for (std::size_t i = 0; i < report.failures().size() && i < most_shown; ++i) {
    fmt::print(stderr, "rank {}: {}\n", world.rank, report.failures()[i]);
  }
  int all = 0;
  MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, world.comm);
  return all;
}

bool passes(World const& world, TestCase const& test) {
  if (world.rank == 0) fmt::print("[ RUN      ] {}\n", test.name);
  Report report;
  double const begin = MPI_Wtime();
  test.run(world, report);
  int const wrong = show_failures(world, report);
  double const milliseconds = (MPI_Wtime() - begin) * 1000;
  if (world.rank == 0)
    fmt::print("[ {} ] {} ({:.0f} ms)\n", wrong == 0 ? "      OK" : " FAILED ", test.name, milliseconds);
  std::fflush(stdout);
  return wrong == 0;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  // MPICH hands to this communicator what a wait finds wrong, whatever the communicator of the message.
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  World world{MPI_COMM_WORLD, 0, 0, Effort::sampled};
  MPI_Comm_rank(world.comm, &world.rank);
  MPI_Comm_size(world.comm, &world.size);
  std::vector<TestCase> all = cases();
  if (argc > 1) {
    world.effort = Effort::most;
    std::erase_if(
        all, [&](TestCase const& test) { return std::string_view(test.name).find(argv[1]) == std::string_view::npos; });
  }
  int failed = all.empty() ? 1 : 0;
  for (TestCase const& test : all) failed += passes(world, test) ? 0 : 1;
  if (world.rank == 0) {
    fmt::print("[{}] {} of {} cases, {} processes\n", failed == 0 ? "  PASSED  " : "  FAILED  ",
               failed == 0 ? all.size() : static_cast<std::size_t>(failed), all.size(), world.size);
  }
  MPI_Finalize();
  return failed == 0 ? 0 : 1;
}
