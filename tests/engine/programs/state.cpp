// What C++'s streams, exceptions and static objects have in a process; each rank has its own.
#include <mpi.h>

#include <iomanip>
#include <iostream>
#include <sstream>
#include <stdexcept>

namespace {

struct Farewell {
  /// All ranks have returned, but MPI is still finalized.
  ~Farewell() {
    int begun = 0;
    int over = 0;
    MPI_Initialized(&begun);
    MPI_Finalized(&over);
    std::cout << (begun == 1 && over == 1 ? "farewell " : "MPI is not finalized ") << rank << '\n';
  }
  int rank = -1;
} farewell;

bool each_catches_its_own(int rank) {
  try {
    throw std::runtime_error(std::to_string(rank));
  } catch (std::runtime_error const&) {
    MPI_Barrier(MPI_COMM_WORLD);
    try {
      throw;
    } catch (std::runtime_error const& again) {
      return again.what() == std::to_string(rank);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  farewell.rank = rank;
  std::ostringstream aside;
  std::streambuf* const before = std::cout.rdbuf();
  std::cout << std::fixed << std::setprecision(rank + 1);
  if (rank == 1) std::cout.rdbuf(aside.rdbuf());
  MPI_Barrier(MPI_COMM_WORLD);
  std::cout << 0.5 << std::endl;
  bool const right = each_catches_its_own(rank);
  MPI_Barrier(MPI_COMM_WORLD);
  std::cout.rdbuf(before);
  MPI_Finalize();
  return !right || (rank == 1) != (aside.str() == "0.50\n");
}
