// The table of Rondo's requests, one for each rank.

#include "mpi_library/graph/request_handles.hpp"

#include <atomic>
#include <map>
#include <utility>

#include "mpi/runtime/failure.hpp"
#include "mpi_library/calls/attached.hpp"
#include "mpi_library/calls/failed_comm.hpp"
#include "mpi_library/calls/guarded.hpp"

namespace rondo::mpi {
namespace {

/// The requests of a process.
struct RequestTable {
  std::map<MPI_Request, RondoRequest> by_handle;
};

/// The handles of all ranks of this program. Ranks may be threads or SMPI actors that share global variables, whereas
/// RequestTable belongs to one rank. While this is 0, no request is Rondo's, and look-ups are skipped.
std::atomic<int> handles_in_use = 0;

std::map<MPI_Request, RondoRequest>& requests() { return Attached<RequestTable>::of_this_process().by_handle; }

// Callbacks of the generalized requests. They have nothing to do: request_completion.cpp completes Rondo's requests,
// and MPI sees such a request only when free_handle() frees it.
int query(void*, MPI_Status* status) {
  set_empty_status(status, MPI_SUCCESS);
  return MPI_SUCCESS;
}
int release(void*) { return MPI_SUCCESS; }
int cancel(void*, int) { return MPI_SUCCESS; }

/// Ends a start of the request. Returns the code.
int retire(RondoRequest& request, MPI_Request* handle, int code) {
  request.started = false;
  if (code != MPI_SUCCESS) note_failed(request.operation->comm());
  if (request.lifetime == Lifetime::once) free_handle(handle);
  return code;
}

}  // namespace

MPI_Request start_generalized() {
  MPI_Request request = MPI_REQUEST_NULL;
  check(PMPI_Grequest_start(query, release, cancel, nullptr, &request));
  return request;
}

/// Handles are generalized requests, so that programs can pass them to any function of MPI.
MPI_Request make_handle(std::unique_ptr<RequestOperation> operation, Lifetime lifetime) {
  MPI_Request handle = start_generalized();
  ++handles_in_use;
  RondoRequest& request = requests()[handle];
  request = {std::move(operation), lifetime, false, false};
  if (lifetime == Lifetime::persistent) return handle;
  request.started = true;
  try {
    request.operation->start();
  } catch (std::exception const&) {
    free_handle(&handle);
    throw;
  }
  return handle;
}

void take_over(MPI_Request handle, std::unique_ptr<RequestOperation> operation) {
  ++handles_in_use;
  requests()[handle] = {std::move(operation), Lifetime::once, true, true};
}

bool any_handles() { return handles_in_use != 0; }

/// Null if the handle is not Rondo's. Without any handle of Rondo no search takes place, since every MPI call comes
/// here.
RondoRequest* find_request(MPI_Request handle) {
  if (handles_in_use == 0 || handle == MPI_REQUEST_NULL) return nullptr;
  std::map<MPI_Request, RondoRequest>& by_handle = requests();
  auto const found = by_handle.find(handle);
  return found == by_handle.end() ? nullptr : &found->second;
}

/// Ends the operation and tells its status; persistent requests stay.
int finish(MPI_Request* handle, MPI_Status* status) {
  RondoRequest& request = *find_request(*handle);
  if (!request.started) {  // an inactive persistent request
    set_empty_status(status, MPI_SUCCESS);
    return MPI_SUCCESS;
  }
  int const code = guarded([&] { request.operation->finish(); });
  request.operation->set_status(status, code);
  return retire(request, handle, code);
}

int finish_mpi_request(MPI_Request* handle, MPI_Status const& status, int code) {
  RondoRequest& request = *find_request(*handle);
  request.operation->completed(status, code);
  if (code == MPI_SUCCESS) code = guarded([&] { request.operation->finish(); });
  return retire(request, handle, code);
}

/// Frees the generalized request, too.
void free_handle(MPI_Request* handle) {
  MPI_Request generalized = std::exchange(*handle, MPI_REQUEST_NULL);
  bool const is_freed = find_request(generalized)->frees_handle;
  requests().erase(generalized);
  --handles_in_use;
  if (is_freed) return;
  // A generalized request is freed by completing it and waiting for it.
  PMPI_Grequest_complete(generalized);
  PMPI_Wait(&generalized, MPI_STATUS_IGNORE);
}

}  // namespace rondo::mpi
