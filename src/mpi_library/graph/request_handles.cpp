// The table of Rondo's requests, one for each rank. SMPI's own requests are kept by counting references to them.

#include "mpi_library/graph/request_handles.hpp"

#include <atomic>
#include <map>
#include <memory>
#include <utility>

#include "mpi/runtime/failure.hpp"
#include "mpi_library/calls/attached.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/calls/progress.hpp"
#include "mpi_library/calls/request_operation.hpp"

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

#ifdef SMPI_H
// SimGrid's library exports this, and no header that it installs declares it.
namespace simgrid::smpi {
class Request {
 public:
  void ref();
  static void unref(MPI_Request* request);
};
}  // namespace simgrid::smpi
#endif

namespace rondo::mpi {

bool any_of_rondo(std::span<MPI_Request const> requests) {
  if (!any_handles()) return false;
  for (MPI_Request const request : requests) {
    if (find_request(request) != nullptr) return true;
  }
  return false;
}

MPI_Request* mpi_request_of(MPI_Request& handle) {
  RondoRequest const* const request = find_request(handle);
  return request == nullptr ? &handle : request->mpi_request();
}

std::vector<MPI_Request> mpi_requests(std::span<MPI_Request> requests) {
  std::vector<MPI_Request> result;
  for (MPI_Request& request : requests) {
    MPI_Request const* const found = mpi_request_of(request);
    result.push_back(found == nullptr ? MPI_REQUEST_NULL : *found);
  }
  return result;
}

void store_mpi_requests(std::span<MPI_Request> requests, std::vector<MPI_Request> const& copies) {
  for (std::size_t i = 0; i < copies.size(); ++i) {
    if (MPI_Request* const found = mpi_request_of(requests[i])) *found = copies[i];
  }
}

int error_of(int code, MPI_Status const& status) {
  return code == MPI_SUCCESS && tells_errors_in_statuses() ? status.MPI_ERROR : code;
}

/// Calls MPI_Test, because SMPI's MPI_Request_get_status reports every message as complete.
bool is_complete(RondoRequest const& request) {
  if (MPI_Request* const found = request.mpi_request()) {
    int flag = 0;
    MPI_Status status{};
    int const code = PMPI_Test(found, &flag, &status);
    if (flag != 0) request.operation->completed(status, error_of(code, status));
  } else if (request.started) {
    Progress::of_this_process().test();
  }
  return !request.operation->active();
}

#ifdef SMPI_H
namespace {

/// A message that is complete, and the request of SMPI's that has carried it.
class EndedRequest : public CompleteRequest {
 public:
  EndedRequest(MPI_Request request, MPI_Status const& status, int code)
      : CompleteRequest(status, code), request_(request) {}
  ~EndedRequest() override { simgrid::smpi::Request::unref(&request_); }

 private:
  MPI_Request request_;
};

}  // namespace

bool is_complete(MPI_Request request) {
  if (RondoRequest const* const found = find_request(request)) return is_complete(*found);
  request->ref();
  MPI_Request tested = request;
  int flag = 0;
  MPI_Status status{};
  int const code = PMPI_Test(&tested, &flag, &status);
  if (flag != 0) {
    take_over(request, std::make_unique<EndedRequest>(request, status, error_of(code, status)));
  } else {
    simgrid::smpi::Request::unref(&request);
  }
  return flag != 0;
}
#else
bool is_complete(MPI_Request request) {
  if (RondoRequest const* const found = find_request(request)) return is_complete(*found);
  int flag = 0;
  PMPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
  return flag != 0;
}
#endif

/// MPI_Testsome reports buffered sends, so it is called for each request.
int test_each(std::span<MPI_Request> requests, int* index, int* flag, MPI_Status* status) {
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (requests[i] == MPI_REQUEST_NULL) continue;
    int complete = 0, unused_index = 0;
    int const code = PMPI_Testsome(1, &requests[i], &complete, &unused_index, status);
    if (complete == MPI_UNDEFINED) continue;
    *flag = complete == 0 ? 0 : 1;
    if (*flag == 0) continue;
    *index = static_cast<int>(i);
    return code == MPI_ERR_IN_STATUS ? status->MPI_ERROR : error_of(code, *status);
  }
  return MPI_SUCCESS;
}

}  // namespace rondo::mpi
