#include "mpi/runtime/ordered_scan.hpp"

#include <algorithm>

#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

#ifdef SMPI_H
bool needs_order(ScanCall const& call) {
  int commutes = 1;
  return call.op != MPI_OP_NULL && PMPI_Op_commutative(call.op, &commutes) == MPI_SUCCESS && commutes == 0;
}
#else
bool needs_order(ScanCall const&) { return false; }
#endif

void OrderedScan::start() {
  int ranks = 0;
  MPI_Aint low = 0, extent = 0, true_low = 0, true_extent = 0;
  check(PMPI_Comm_rank(call_.comm, &rank_));
  check(PMPI_Comm_size(call_.comm, &ranks));
  check(PMPI_Type_get_extent(call_.type, &low, &extent));
  check(PMPI_Type_get_true_extent(call_.type, &true_low, &true_extent));
  // What is before the address of a vector and behind its last element is the same for all.
  vector_bytes_ = extent * call_.count;
  first_ = std::max<MPI_Aint>(0, -std::min(true_low, low));
  heard_.assign(
      static_cast<std::size_t>(first_ + vector_bytes_ * ranks + std::max<MPI_Aint>(0, true_low + true_extent - extent)),
      std::byte{});
  void const* const mine = call_.send == MPI_IN_PLACE ? call_.receive : call_.send;
  check(PMPI_Iallgather(mine, call_.count, call_.type, vector_of(0), call_.count, call_.type, call_.comm, &request_));
}

void OrderedScan::wait() { check(PMPI_Wait(&request_, MPI_STATUS_IGNORE)); }

void OrderedScan::finish() {
  int const last = call_.kind == ScanCall::Kind::inclusive ? rank_ : rank_ - 1;
  if (last < 0 || call_.count == 0) return;
  for (int rank = 1; rank <= last; ++rank) {
    check(PMPI_Reduce_local(vector_of(rank - 1), vector_of(rank), call_.count, call_.type, call_.op));
  }
  check(PMPI_Sendrecv(vector_of(last), call_.count, call_.type, 0, 0, call_.receive, call_.count, call_.type, 0, 0,
                      MPI_COMM_SELF, MPI_STATUS_IGNORE));
}

void scan_in_order(ScanCall const& call) {
  OrderedScan scan(call);
  scan.start();
  scan.wait();
  scan.finish();
}

}  // namespace rondo::mpi
