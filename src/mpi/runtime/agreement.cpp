#include "mpi/runtime/agreement.hpp"

#include <array>

#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

void Fingerprint::add(std::int64_t number) {
  // The finalizer of splitmix64, which is a bijection, over a state that depends on all numbers before.
  std::uint64_t mixed = (value_ ^ static_cast<std::uint64_t>(number)) + 0x9e3779b97f4a7c15U;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
  value_ = mixed ^ (mixed >> 31);
}

int agree(MPI_Comm comm, Vote const& mine) {
  // The largest complement is the complement of the smallest: one reduction gives both ends.
  std::uint64_t const said = mine.said.value();
  std::array<std::uint64_t, 3> const own{static_cast<std::uint64_t>(mine.code), said, ~said};
  std::array<std::uint64_t, 3> largest{};
  check(MPI_Allreduce(own.data(), largest.data(), 3, MPI_UINT64_T, MPI_MAX, comm));
  if (largest[0] != MPI_SUCCESS) return static_cast<int>(largest[0]);
  return largest[1] == ~largest[2] ? MPI_SUCCESS : MPI_ERR_NOT_SAME;
}

}  // namespace rondo::mpi
