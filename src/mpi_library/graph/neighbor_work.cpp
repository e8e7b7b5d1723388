// Adds up messages and bytes of rounds. A rank may send and receive at the same time, so the larger direction counts.

#include "mpi_library/graph/neighbor_work.hpp"

#include <algorithm>
#include <span>

#include "base/index.hpp"
#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

std::vector<NeighborWork> work_by_round(Program const& program) {
  std::vector<NeighborWork> result;
  auto const work = [&](std::span<Transfer const> transfers) {
    NeighborWork all;
    for (Transfer const& each : transfers) all += {1, static_cast<double>(program.bytes(each).value)};
    return all;
  };
  for (int round = 1; round <= program.rounds(); ++round) {
    result.push_back(work(program.sends(round)));
    NeighborWork const received = work(program.receives(round));
    result.back().messages = std::max(result.back().messages, received.messages);
    result.back().bytes = std::max(result.back().bytes, received.bytes);
  }
  return result;
}

NeighborWork sum(std::vector<NeighborWork> const& rounds) {
  NeighborWork result;
  for (NeighborWork const& each : rounds) result += each;
  return result;
}

NeighborWork sum_of_largest(std::vector<NeighborWork> mine, MPI_Comm comm) {
  int const rounds = static_cast<int>(mine.size());
  int most_rounds = 0;
  check(PMPI_Allreduce(&rounds, &most_rounds, 1, MPI_INT, MPI_MAX, comm));
  mine.resize(at(most_rounds));
  std::vector<NeighborWork> most(mine.size());
  static_assert(sizeof(NeighborWork) == 2 * sizeof(double));  // MPI takes each element as two doubles
  check(PMPI_Allreduce(mine.data(), most.data(), 2 * most_rounds, MPI_DOUBLE, MPI_MAX, comm));
  return sum(most);
}

NeighborWork scaled(NeighborWork const& blocks, Bytes size) {
  return {blocks.messages, blocks.bytes * static_cast<double>(size.value)};
}

}  // namespace rondo::mpi
