// How the shim makes the request of a collective: on an inter-communicator its own, on any other one that of the
// algorithm that is chosen (mpi_library/classical/choice.hpp), or the library's.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <utility>

#include "mpi_library/calls/communicator_kind.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/calls/library_request.hpp"
#include "mpi_library/calls/ordered_reduction.hpp"
#include "mpi_library/classical/calls.hpp"
#include "mpi_library/graph/request_handles.hpp"
#include "mpi_library/intergroup/inter_collectives.hpp"
#include "mpi_library/smpi_shim/answer.hpp"

namespace rondo::mpi {

inline std::unique_ptr<NeighborRequest> neighbors(InterComm const& inter, NeighborCall call) {
  call.form = NeighborForm::non_blocking;
  return make_request(inter.both, call);
}

/// What a collective is to anybody but two groups: a call for which an algorithm can be chosen, or none.
using Choosable = std::optional<CollectiveCall>;

/// For collectives that the library does right.
inline std::unique_ptr<Requested> nothing_instead() { return nullptr; }

/// A reduction or scan of ours, on one group, where the library's own is wrong.
inline auto ordered(OrderedCall const& call) {
  return [=]() -> std::unique_ptr<Requested> {
    bool const wrong = needs_order(call.op) || call.kind == OrderedCall::Kind::exclusive;
    if (call.comm == MPI_COMM_NULL || !wrong) return nullptr;
    return std::make_unique<OrderedReduction>(call);
  };
}

template <typename Between, typename Instead>
std::unique_ptr<Requested> made_here(MPI_Comm comm, Choosable const& call, Between const& between,
                                     Instead const& instead) {
  if (is_inter(comm)) return between(*inter_comm(comm));
  std::unique_ptr<Requested> chosen = call ? requested_by_choice(*call, comm) : nullptr;
  if (chosen != nullptr) return chosen;
  return instead();
}

/// On an inter-communicator `between` makes the request. On any other one it is that of the algorithm that is chosen
/// for the call, else what `instead` makes, and where that is nothing, `within` starts the library's own.
template <typename Between, typename Within, typename Instead = decltype(&nothing_instead)>
int begin(MPI_Comm comm, MPI_Request* request, char const* function, Choosable const& call, Between const& between,
          Within const& within, Instead const& instead = &nothing_instead) {
  bool done = false;
  int const code = guarded([&] {
    std::unique_ptr<Requested> made = made_here(comm, call, between, instead);
    if (made == nullptr) return;
    if (request == nullptr) throw MpiFailure(MPI_ERR_ARG);
    *request = handle_for(std::move(made), Lifetime::once);
    done = true;
  });
  return answer(comm, done || code != MPI_SUCCESS ? code : within(request), function);
}

/// As the function before, for a request that is to be started later, and again.
template <typename Between, typename Within, typename Instead = decltype(&nothing_instead)>
int init(MPI_Comm comm, MPI_Request* request, char const* function, Choosable const& call, Between const& between,
         Within const& within, Instead const& instead = &nothing_instead) {
  int const code = guarded([&] {
    if (comm == MPI_COMM_NULL) throw MpiFailure(MPI_ERR_COMM);
    std::unique_ptr<Requested> made = made_here(comm, call, between, instead);
    if (made == nullptr) made = std::make_unique<LibraryRequest>(within);
    if (request == nullptr) throw MpiFailure(MPI_ERR_ARG);
    *request = handle_for(std::move(made), Lifetime::persistent);
  });
  return answer(comm, code, function);
}

}  // namespace rondo::mpi
