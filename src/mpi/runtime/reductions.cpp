// The parts of reductions.hpp that are not templates.

#include "mpi/runtime/reductions.hpp"

#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

Reductions::Reductions(MPI_Comm comm) : comm_(comm) {
  check(MPI_Comm_rank(comm_, &rank_));
  check(MPI_Comm_size(comm_, &size_));
}

/// In stage k each rank knows the sum over the 2^k ranks up to itself, and sends it to the rank 2^k further on.
std::int64_t Reductions::sum_before(std::int64_t mine) {
  ++calls_;
  std::int64_t before = 0, until = mine;
  for (int distance = 1; distance < size_; distance *= 2) {
    std::int64_t const sent = until;
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank_ + distance < size_) {
      check(MPI_Isend(&sent, 1, MPI_INT64_T, rank_ + distance, tag, comm_, &request));
      ++messages_;
    }
    if (rank_ >= distance) {
      std::int64_t theirs = 0;
      receive(rank_ - distance, &theirs, sizeof theirs);
      before += theirs;
      until += theirs;
    }
    check(MPI_Wait(&request, MPI_STATUS_IGNORE));
  }
  return before;
}

void Reductions::send(int to, void const* data, std::size_t bytes) {
  check(MPI_Send(data, static_cast<int>(bytes), MPI_BYTE, to, tag, comm_));
  ++messages_;
}

void Reductions::receive(int from, void* data, std::size_t bytes) {
  check(MPI_Recv(data, static_cast<int>(bytes), MPI_BYTE, from, tag, comm_, MPI_STATUS_IGNORE));
}

}  // namespace rondo::mpi
