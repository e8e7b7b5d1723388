#include "mpi_library/smpi_shim/called.hpp"

#include "mpi_library/calls/communicator_kind.hpp"

namespace rondo::mpi {
namespace {

int size_of(MPI_Comm comm) {
  int size = 0;
  if (comm != MPI_COMM_NULL && !is_inter(comm)) PMPI_Comm_size(comm, &size);
  return size;
}

long long sum_of(int const* counts, MPI_Comm comm) {
  long long sum = 0;
  if (rondo_call_begins == nullptr || counts == nullptr) return 0;
  for (int i = 0; i < size_of(comm); ++i) sum += counts[i];
  return sum;
}

}  // namespace

Called::Called(char const* name, MPI_Comm comm, long long count, MPI_Datatype type) {
  if (rondo_call_begins == nullptr || comm == MPI_COMM_NULL) return;
  int size = 0;
  if (type != MPI_DATATYPE_NULL && count > 0) PMPI_Type_size(type, &size);
  call_ = rondo_call_begins(name, is_inter(comm) ? MPI_COMM_NULL : comm, count * size);
}

Called::Called(char const* name, MPI_Comm comm, int const* counts, MPI_Datatype type)
    : Called(name, comm, sum_of(counts, comm), type) {}

Called Called::blocks(char const* name, MPI_Comm comm, int count, MPI_Datatype type) {
  return {name, comm, rondo_call_begins == nullptr ? 0 : static_cast<long long>(count) * size_of(comm), type};
}

Called::~Called() {
  if (call_ != nullptr) rondo_call_ends(call_);
}

}  // namespace rondo::mpi
