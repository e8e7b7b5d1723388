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

/// The requests of a process by their handles.
struct Handles {
  std::map<MPI_Request, Ours> all;
};

/// The number of handles of all ranks that share this program's variables. While it is 0, no request can be Rondo's.
std::atomic<int> handles_in_use = 0;

std::map<MPI_Request, Ours>& handles() { return Attached<Handles>::of_this_process().all; }

int query(void*, MPI_Status* status) {
  set_empty(status, MPI_SUCCESS);
  return MPI_SUCCESS;
}
int release(void*) { return MPI_SUCCESS; }
int cancel(void*, int) { return MPI_SUCCESS; }

}  // namespace

MPI_Request handle_for(std::unique_ptr<Requested> operation, Lifetime lifetime) {
  MPI_Request token = MPI_REQUEST_NULL;
  check(PMPI_Grequest_start(query, release, cancel, nullptr, &token));
  ++handles_in_use;
  Ours& made = handles()[token];
  made = {std::move(operation), lifetime, false};
  if (lifetime == Lifetime::once) {
    made.started = true;
    made.operation->start();
  }
  return token;
}

bool any_handles() { return handles_in_use != 0; }

Ours* ours(MPI_Request request) {
  if (handles_in_use == 0 || request == MPI_REQUEST_NULL) return nullptr;
  std::map<MPI_Request, Ours>& all = handles();
  auto const found = all.find(request);
  return found == all.end() ? nullptr : &found->second;
}

int finish(MPI_Request* request, MPI_Status* status) {
  Ours* const known = ours(*request);
  int code = MPI_SUCCESS;
  if (known->started) code = guarded([&] { known->operation->finish(); });
  known->started = false;
  if (code != MPI_SUCCESS) note_failed(known->operation->carrier());
  known->operation->tell(status, code);
  if (known->lifetime == Lifetime::once) forget(request);
  return code;
}

int finish_of_library(MPI_Request* request, int code) {
  Ours* const known = ours(*request);
  known->started = false;
  if (code == MPI_SUCCESS) code = guarded([&] { known->operation->finish(); });
  if (code != MPI_SUCCESS) note_failed(known->operation->carrier());
  if (known->lifetime == Lifetime::once) forget(request);
  return code;
}

void forget(MPI_Request* request) {
  MPI_Request token = *request;
  handles().erase(token);
  --handles_in_use;
  PMPI_Grequest_complete(token);
  PMPI_Wait(&token, MPI_STATUS_IGNORE);
  *request = MPI_REQUEST_NULL;
}

void Requested::tell(MPI_Status* status, int code) const { set_empty(status, code); }

void set_empty(MPI_Status* status, int code) {
  if (status == MPI_STATUS_IGNORE) return;
  status->MPI_SOURCE = MPI_ANY_SOURCE;
  status->MPI_TAG = MPI_ANY_TAG;
  status->MPI_ERROR = code;
  MPI_Status_set_elements(status, MPI_BYTE, 0);
  MPI_Status_set_cancelled(status, 0);
}

}  // namespace rondo::mpi
