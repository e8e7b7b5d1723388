// Waits for any of several requests.

#include "mpi/runtime/wait_any.hpp"

#include "base/error.hpp"
#include "mpi/runtime/failure.hpp"

#ifdef SMPI_H
#include <simgrid/actor.h>
#endif

namespace rondo::mpi {

void clear_stale_call() {
#ifdef SMPI_H
  sg_actor_yield();
#endif
}

/// The index of the request that has completed.
std::size_t wait_any(std::span<MPI_Request> requests, MPI_Status* status) {
  clear_stale_call();
  int which = MPI_UNDEFINED;
  check(PMPI_Waitany(static_cast<int>(requests.size()), requests.data(), &which, status));
  expects(which != MPI_UNDEFINED, "a request to wait for");
  auto const index = static_cast<std::size_t>(which);
  // In some calls SMPI leaves it to its caller to make a completed request null.
  requests[index] = MPI_REQUEST_NULL;
  return index;
}

}  // namespace rondo::mpi
