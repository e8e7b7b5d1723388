#include "mpi_library/graph/neighbor_waits.hpp"

#include <vector>

#include "mpi/runtime/wait_any.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/calls/progress.hpp"
#include "mpi_library/graph/request_handles.hpp"

namespace rondo::mpi {
namespace {

bool any_of_ours(std::span<MPI_Request const> requests) {
  if (!any_handles()) return false;
  for (MPI_Request const request : requests) {
    if (ours(request) != nullptr) return true;
  }
  return false;
}

MPI_Status* status_at(MPI_Status* statuses, std::size_t i) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + i;
}

/// The library's request that stands behind a request; null if there is none.
MPI_Request* in_library(MPI_Request& request) {
  Ours const* const known = ours(request);
  return known == nullptr ? &request : known->under_way();
}

/// The library's requests alone, each at its place in the list.
std::vector<MPI_Request> foreign(std::span<MPI_Request> requests) {
  std::vector<MPI_Request> result;
  for (MPI_Request& request : requests) {
    MPI_Request const* const found = in_library(request);
    result.push_back(found == nullptr ? MPI_REQUEST_NULL : *found);
  }
  return result;
}

void put_back(std::span<MPI_Request> requests, std::vector<MPI_Request> const& library) {
  for (std::size_t i = 0; i < library.size(); ++i) {
    if (MPI_Request* const found = in_library(requests[i])) *found = library[i];
  }
}

/// Does the rest of the work for a request that the library has completed with this code. Returns the code.
int completed(MPI_Request& request, int code) {
  return ours(request) == nullptr ? code : finish_of_library(&request, code);
}

/// Like completed(), for that one of the requests that the library has completed, if there is one.
int completed_one(std::span<MPI_Request> requests, int index, int code) {
  return index == MPI_UNDEFINED ? code : completed(requests[static_cast<std::size_t>(index)], code);
}

/// Like completed(), for those of the requests that the library has completed.
void completed_some(std::span<MPI_Request> requests, int number, int const* indices, MPI_Status const* statuses,
                    int code) {
  for (int i = 0; i < number; ++i) {
    bool const told = code == MPI_ERR_IN_STATUS && statuses != MPI_STATUSES_IGNORE;
    completed(requests[static_cast<std::size_t>(indices[i])], told ? statuses[i].MPI_ERROR : MPI_SUCCESS);
  }
}

void go_on() { Progress::of_this_process().test(); }

/// The index of a completed request of Rondo, or MPI_UNDEFINED.
int complete_one(std::span<MPI_Request const> requests) {
  for (std::size_t i = 0; i < requests.size(); ++i) {
    Ours const* const known = ours(requests[i]);
    if (known != nullptr && known->under_way() == nullptr && known->complete()) return static_cast<int>(i);
  }
  return MPI_UNDEFINED;
}

/// Whether there is a request to wait for that is not the library's.
bool any_active(std::span<MPI_Request const> requests) {
  for (MPI_Request const request : requests) {
    Ours const* const known = ours(request);
    if (known != nullptr && known->started && known->under_way() == nullptr) return true;
  }
  return false;
}

/// Completes one of the library's requests. If only buffered sends are left, SMPI's MPI_Testany claims that all
/// requests are inactive; MPI_Testsome finds them.
int test_each(std::span<MPI_Request> library, int* index, int* flag, MPI_Status* status) {
  for (std::size_t i = 0; i < library.size(); ++i) {
    if (library[i] == MPI_REQUEST_NULL) continue;
    int complete = 0, first = 0;
    MPI_Status own{};
    int const code = PMPI_Testsome(1, &library[i], &complete, &first, &own);
    if (complete == MPI_UNDEFINED) continue;
    *flag = complete == 0 ? 0 : 1;
    if (*flag == 0) continue;
    *index = static_cast<int>(i);
    if (status != MPI_STATUS_IGNORE) *status = own;
    return code == MPI_ERR_IN_STATUS ? own.MPI_ERROR : code;
  }
  return MPI_SUCCESS;
}

int length(std::span<MPI_Request const> requests) { return static_cast<int>(requests.size()); }

/// Finishes a request of Rondo, and enters it at its place in the lists of completed ones.
struct Some {
  std::span<MPI_Request> requests;
  int* complete;
  int* indices;
  MPI_Status* statuses;
  int code = MPI_SUCCESS;

  void add(int index) {
    auto const i = static_cast<std::size_t>(index);
    if (finish(&requests[i], status_at(statuses, static_cast<std::size_t>(*complete))) != MPI_SUCCESS) {
      code = MPI_ERR_IN_STATUS;
    }
    indices[(*complete)++] = index;
  }
};

}  // namespace

int start(MPI_Request* request) {
  Ours* const known = ours(*request);
  if (known == nullptr) return PMPI_Start(request);
  if (known->lifetime == Lifetime::once || known->started) return MPI_ERR_REQUEST;
  known->started = true;
  return guarded([&] { known->operation->start(); });
}

int start_all(std::span<MPI_Request> requests) {
  for (MPI_Request& request : requests) {
    if (int const code = start(&request); code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

int wait(MPI_Request* request, MPI_Status* status) {
  Ours const* const known = ours(*request);
  if (known == nullptr) return PMPI_Wait(request, status);
  if (MPI_Request* const found = known->under_way()) return completed(*request, PMPI_Wait(found, status));
  if (known->started) guarded([&] { known->operation->wait(); });
  return finish(request, status);
}

int wait_all(std::span<MPI_Request> requests, MPI_Status* statuses) {
  if (!any_of_ours(requests)) return PMPI_Waitall(length(requests), requests.data(), statuses);
  bool failed = false;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    int const code = wait(&requests[i], status_at(statuses, i));
    if (statuses != MPI_STATUSES_IGNORE) statuses[i].MPI_ERROR = code;
    failed = failed || code != MPI_SUCCESS;
  }
  return failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
}

int wait_any(std::span<MPI_Request> requests, int* index, MPI_Status* status) {
  if (!any_active(requests)) {
    std::vector<MPI_Request> library = foreign(requests);
    forget_the_last_call();
    int const code = PMPI_Waitany(length(requests), library.data(), index, status);
    put_back(requests, library);
    return completed_one(requests, *index, code);
  }
  for (;;) {
    *index = complete_one(requests);
    if (*index != MPI_UNDEFINED) return finish(&requests[static_cast<std::size_t>(*index)], status);
    std::vector<MPI_Request> library = foreign(requests);
    auto const done = Progress::of_this_process().wait_for_any(library);
    put_back(requests, library);
    if (done.which == MPI_UNDEFINED) continue;
    *index = done.which;
    if (status != MPI_STATUS_IGNORE) *status = done.status;
    return completed_one(requests, *index, done.code);
  }
}

int wait_some(std::span<MPI_Request> requests, int* complete, int* indices, MPI_Status* statuses) {
  if (!any_active(requests)) {
    std::vector<MPI_Request> library = foreign(requests);
    int const code = PMPI_Waitsome(length(requests), library.data(), complete, indices, statuses);
    put_back(requests, library);
    if (*complete != MPI_UNDEFINED) completed_some(requests, *complete, indices, statuses, code);
    return code;
  }
  *complete = 0;
  int first = MPI_UNDEFINED;
  int const code = wait_any(requests, &first, status_at(statuses, 0));
  if (code != MPI_SUCCESS && statuses != MPI_STATUSES_IGNORE) statuses[0].MPI_ERROR = code;
  indices[(*complete)++] = first;
  Some some{requests, complete, indices, statuses, code == MPI_SUCCESS ? MPI_SUCCESS : MPI_ERR_IN_STATUS};
  for (int next = complete_one(requests); next != MPI_UNDEFINED; next = complete_one(requests)) some.add(next);
  return some.code;
}

int test(MPI_Request* request, int* flag, MPI_Status* status) {
  if (*request == MPI_REQUEST_NULL) {
    // SMPI does not set the flag if the status is ignored.
    *flag = 1;
    set_empty(status, MPI_SUCCESS);
    return MPI_SUCCESS;
  }
  Ours const* const known = ours(*request);
  if (known == nullptr) return PMPI_Test(request, flag, status);
  if (MPI_Request* const found = known->under_way()) {
    int const code = PMPI_Test(found, flag, status);
    return *flag == 0 ? code : completed(*request, code);
  }
  if (known->started) go_on();
  *flag = known->operation->active() ? 0 : 1;
  return *flag == 0 ? MPI_SUCCESS : finish(request, status);
}

int test_all(std::span<MPI_Request> requests, int* flag, MPI_Status* statuses) {
  if (!any_of_ours(requests)) return PMPI_Testall(length(requests), requests.data(), flag, statuses);
  go_on();
  for (MPI_Request& request : requests) {
    MPI_Request const* const found = in_library(request);
    *flag = 1;
    if (found == nullptr)
      *flag = ours(request)->operation->active() ? 0 : 1;
    else if (*found != MPI_REQUEST_NULL)
      PMPI_Request_get_status(*found, flag, MPI_STATUS_IGNORE);
    if (*flag == 0) return MPI_SUCCESS;
  }
  return wait_all(requests, statuses);
}

int test_any(std::span<MPI_Request> requests, int* index, int* flag, MPI_Status* status) {
  if (any_active(requests)) go_on();
  *index = complete_one(requests);
  *flag = *index == MPI_UNDEFINED ? 0 : 1;
  if (*flag != 0) return finish(&requests[static_cast<std::size_t>(*index)], status);
  std::vector<MPI_Request> library = foreign(requests);
  int code = PMPI_Testany(length(requests), library.data(), index, flag, status);
  if (*flag != 0 && *index == MPI_UNDEFINED) code = test_each(library, index, flag, status);
  put_back(requests, library);
  if (*flag != 0) code = completed_one(requests, *index, code);
  // The library says so if it has nothing to complete itself, but a request of Rondo is under way.
  if (*index == MPI_UNDEFINED && any_active(requests)) *flag = 0;
  return code;
}

int test_some(std::span<MPI_Request> requests, int* complete, int* indices, MPI_Status* statuses) {
  if (any_active(requests)) go_on();
  bool const waiting = any_active(requests);
  std::vector<MPI_Request> library = foreign(requests);
  int const code = PMPI_Testsome(length(requests), library.data(), complete, indices, statuses);
  put_back(requests, library);
  if (*complete != MPI_UNDEFINED) completed_some(requests, *complete, indices, statuses, code);
  if (!waiting) return code;
  if (*complete == MPI_UNDEFINED) *complete = 0;
  Some some{requests, complete, indices, statuses, code};
  for (int next = complete_one(requests); next != MPI_UNDEFINED; next = complete_one(requests)) some.add(next);
  return some.code;
}

int get_status(MPI_Request request, int* flag, MPI_Status* status) {
  Ours const* const known = ours(request);
  if (known == nullptr) return PMPI_Request_get_status(request, flag, status);
  if (MPI_Request const* const found = known->under_way()) return PMPI_Request_get_status(*found, flag, status);
  if (known->started) go_on();
  *flag = known->operation->active() ? 0 : 1;
  if (*flag != 0) known->operation->tell(status, MPI_SUCCESS);
  return MPI_SUCCESS;
}

int free_request(MPI_Request* request) {
  Ours const* const known = ours(*request);
  if (known == nullptr) return PMPI_Request_free(request);
  if (MPI_Request* const found = known->under_way()) {
    if (known->lifetime == Lifetime::once) return MPI_ERR_REQUEST;
    int const code = PMPI_Request_free(found);
    forget(request);
    return code;
  }
  // MPI does not allow to free the request of a non-blocking collective operation, nor an active request.
  if (known->lifetime == Lifetime::once || known->started) return MPI_ERR_REQUEST;
  forget(request);
  return MPI_SUCCESS;
}

int cancel(MPI_Request* request) {
  Ours const* const known = ours(*request);
  if (known == nullptr) return PMPI_Cancel(request);
  // Collective operations cannot be canceled.
  MPI_Request* const found = known->under_way();
  return found == nullptr ? MPI_ERR_REQUEST : PMPI_Cancel(found);
}

}  // namespace rondo::mpi
