// How the shim makes the request of a collective: on an inter-communicator its own, on any other one that of the
// algorithm that is chosen (mpi/classical/choice.hpp), or the library's.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <utility>

#include "mpi/classical/calls.hpp"
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

/// What a collective is to anybody but two groups: a call for which an algorithm can be chosen, or none.
using Choosable = std::optional<CollectiveCall>;

/// `between` makes the request on an inter-communicator, `within` starts the library's own on any other one, unless an
/// algorithm is chosen for the call.
template <typename Between, typename Within>
int begin(MPI_Comm comm, MPI_Request* request, char const* function, Choosable const& call, Between const& between,
          Within const& within) {
  bool done = false;
  int const code = guarded([&] {
    std::unique_ptr<Requested> made;
    if (is_inter(comm))
      made = between(*inter_comm(comm));
    else if (call)
      made = requested_by_choice(*call, comm);
    if (made == nullptr) return;
    if (request == nullptr) throw MpiFailure(MPI_ERR_ARG);
    *request = handle_for(std::move(made), Lifetime::once);
    done = true;
  });
  return answer(comm, done || code != MPI_SUCCESS ? code : within(request), function);
}

/// The same for a request that is to be started later, and again.
template <typename Between, typename Within>
int init(MPI_Comm comm, MPI_Request* request, char const* function, Choosable const& call, Between const& between,
         Within const& within) {
  int const code = guarded([&] {
    if (comm == MPI_COMM_NULL) throw MpiFailure(MPI_ERR_COMM);
    std::unique_ptr<Requested> made;
    if (is_inter(comm))
      made = between(*inter_comm(comm));
    else if (call)
      made = requested_by_choice(*call, comm);
    if (made == nullptr) made = std::make_unique<LibraryRequest>(within);
    if (request == nullptr) throw MpiFailure(MPI_ERR_ARG);
    *request = handle_for(std::move(made), Lifetime::persistent);
  });
  return answer(comm, code, function);
}

}  // namespace rondo::mpi
