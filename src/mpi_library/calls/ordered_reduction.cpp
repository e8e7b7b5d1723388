// Gathers the vectors of all ranks, then joins them in order at each rank that needs the result. That takes more bytes
// than a tree, and gives the one result that MPI permits for operators that do not commute.

#include "mpi_library/calls/ordered_reduction.hpp"

#include <algorithm>

#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

#ifdef SMPI_H
bool needs_order(MPI_Op op) {
  int commutes = 1;
  return op != MPI_OP_NULL && PMPI_Op_commutative(op, &commutes) == MPI_SUCCESS && commutes == 0;
}
#else
bool needs_order(MPI_Op) { return false; }
#endif

/// Finds the memory that a vector spans, which may begin before its address, and begins to gather.
void OrderedReduction::start() {
  MPI_Aint low = 0, true_low = 0, true_extent = 0;
  check(PMPI_Comm_rank(call_.comm, &rank_));
  check(PMPI_Comm_size(call_.comm, &ranks_));
  check(MPI_Type_get_extent(call_.type, &low, &extent_));
  check(MPI_Type_get_true_extent(call_.type, &true_low, &true_extent));
  // What is before the address of a vector and behind its last element is the same for all.
  vector_bytes_ = extent_ * call_.count;
  first_ = std::max<MPI_Aint>(0, -std::min(true_low, low));
  std::ptrdiff_t const behind = std::max<MPI_Aint>(0, true_low + true_extent - extent_);
  received_.assign(hears() ? static_cast<std::size_t>(first_ + vector_bytes_ * ranks_ + behind) : 0, std::byte{});
  void const* const mine = call_.send == MPI_IN_PLACE ? call_.receive : call_.send;
  int const count = call_.count;
  check(call_.kind == OrderedCall::Kind::rooted
            ? PMPI_Igather(mine, count, call_.type, vector_of(0), count, call_.type, call_.root, call_.comm, &request_)
            : PMPI_Iallgather(mine, count, call_.type, vector_of(0), count, call_.type, call_.comm, &request_));
}

void OrderedReduction::wait() { check(PMPI_Wait(&request_, MPI_STATUS_IGNORE)); }

int OrderedReduction::last() const {
  switch (call_.kind) {
    case OrderedCall::Kind::inclusive:
      return rank_;
    case OrderedCall::Kind::exclusive:
      return rank_ - 1;
    default:
      return ranks_ - 1;
  }
}

/// MPI_Reduce_local computes inout = in op inout, so each vector is joined as the right operand of those before it.
void OrderedReduction::finish() {
  if (!hears() || last() < 0 || call_.count == 0) return;
  for (int rank = 1; rank <= last(); ++rank) {
    check(PMPI_Reduce_local(vector_of(rank - 1), vector_of(rank), call_.count, call_.type, call_.op));
  }
  check(PMPI_Sendrecv(vector_of(last()) + part_.first * extent_, part_.count, call_.type, 0, 0, call_.receive,
                      part_.count, call_.type, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE));
}

void scan_in_order(OrderedCall const& call) {
  OrderedReduction scan(call);
  scan.start();
  scan.wait();
  scan.finish();
}

}  // namespace rondo::mpi
