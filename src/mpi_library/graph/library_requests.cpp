// SMPI's own requests are kept by counting references to them.

#include "mpi_library/graph/library_requests.hpp"

#include <memory>

#include "mpi_library/calls/complete_request.hpp"
#include "mpi_library/calls/progress.hpp"

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
