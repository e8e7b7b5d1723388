// How the shim makes the request of a collective: on an inter-communicator its own, on any other one the library's.
#pragma once

#include <mpi.h>

#include <memory>
#include <utility>

#include "mpi/graph/request_handles.hpp"
#include "mpi/intergroup/inter_collectives.hpp"
#include "mpi/runtime/communicator_kind.hpp"
#include "mpi/runtime/guarded.hpp"
#include "mpi/runtime/library_request.hpp"
#include "mpi/smpi_shim/answer.hpp"

namespace rondo::mpi {

inline std::unique_ptr<NeighborRequest> neighbors(InterComm const& inter, NeighborCall call) {
  call.form = NeighborForm::non_blocking;
  return make_request(inter.both, call);
}

/// `between` makes the request on an inter-communicator, `within` starts the library's own on any other one.
template <typename Between, typename Within>
int begin(MPI_Comm comm, MPI_Request* request, char const* function, Between const& between, Within const& within) {
  if (!is_inter(comm)) return answer(comm, within(request), function);
  int const code = guarded([&] {
    std::unique_ptr<Requested> made = between(*inter_comm(comm));
    if (request == nullptr) throw MpiFailure(MPI_ERR_ARG);
    *request = handle_for(std::move(made), Lifetime::once);
  });
  return answer(comm, code, function);
}

/// The same for a request that is to be started later, and again.
template <typename Between, typename Within>
int init(MPI_Comm comm, MPI_Request* request, char const* function, Between const& between, Within const& within) {
  int const code = guarded([&] {
    if (comm == MPI_COMM_NULL) throw MpiFailure(MPI_ERR_COMM);
    std::unique_ptr<Requested> made;
    if (is_inter(comm))
      made = between(*inter_comm(comm));
    else
      made = std::make_unique<LibraryRequest>(within);
    if (request == nullptr) throw MpiFailure(MPI_ERR_ARG);
    *request = handle_for(std::move(made), Lifetime::persistent);
  });
  return answer(comm, code, function);
}

}  // namespace rondo::mpi
