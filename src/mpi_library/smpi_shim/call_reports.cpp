// Reports the bytes of each collective call to Rondo.

#include "mpi_library/smpi_shim/call_reports.hpp"

#include "mpi_library/calls/communicator_kind.hpp"

namespace rondo::mpi {
namespace {

int size_of(MPI_Comm comm) {
  int size = 0;
  if (!is_inter(comm)) PMPI_Comm_size(comm, &size);
  return size;
}

/// The sum of the counts of all ranks, or of `each` for every rank.
long long sum_of(int const* counts, int each, MPI_Comm comm) {
  int const size = size_of(comm);
  if (counts == nullptr) return static_cast<long long>(each) * size;
  long long sum = 0;
  for (int i = 0; i < size; ++i) sum += counts[i];
  return sum;
}

/// Elements of one type that a rank passes to a call.
struct Passed {
  long long count;
  MPI_Datatype type;
};

/// The data that a rank passes: its send buffer; in a scatter, and in place, its part of the receive buffer.
Passed passed(CollectiveCall const& call, MPI_Comm comm) {
  using enum ClassicalCollective;
  bool const received = call.send == MPI_IN_PLACE || call.collective == scatter || call.collective == reduce_scatter;
  bool const for_each = call.collective == alltoall || call.collective == reduce_scatter;
  int const count = received ? call.receive_count : call.send_count;
  MPI_Datatype const type = received ? call.receive_type : call.send_type;
  if (!for_each) return {count, type};
  if (call.by_counts && (received ? call.counts : call.send_counts) == nullptr) return {0, type};
  return {sum_of(received ? call.counts : call.send_counts, count, comm), type};
}

}  // namespace

/// Reports the begin of a call; without a listener it does nothing.
CollectiveScope::CollectiveScope(char const* name, CollectiveCall const& call, MPI_Comm comm) {
  if (rondo_call_begins == nullptr || comm == MPI_COMM_NULL) return;
  auto const [count, type] = passed(call, comm);
  int size = 0;
  if (type != MPI_DATATYPE_NULL && count > 0) PMPI_Type_size(type, &size);
  call_ = rondo_call_begins(name, is_inter(comm) ? MPI_COMM_NULL : comm, count * size);
}

CollectiveScope::~CollectiveScope() {
  if (call_ != nullptr) rondo_call_ends(call_);
}

}  // namespace rondo::mpi
