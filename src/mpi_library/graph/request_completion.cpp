// Waits and tests over lists that mix Rondo's requests with those of the MPI library. Rondo's Progress advances the
// operations that the MPI library does not carry out, only while the program is inside a call of MPI.

#include "mpi_library/graph/request_completion.hpp"

#include <vector>

#include "mpi/runtime/wait_any.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/calls/progress.hpp"
#include "mpi_library/graph/request_handles.hpp"

namespace rondo::mpi {
namespace {

/// Points to the status of request i, or to MPI_STATUS_IGNORE if the caller ignores the statuses.
MPI_Status* status_at(MPI_Status* statuses, std::size_t i) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + i;
}

/// Finishes a request that the MPI library has completed with this status and code. Rondo's operation does the rest of
/// its work. Returns the code, or that of an error in this work.
int finish_after_mpi(MPI_Request& request, MPI_Status const& status, int code) {
  return find_request(request) == nullptr ? code : finish_mpi_request(&request, status, code);
}

/// The same for the request at `index`. Does nothing if the index is MPI_UNDEFINED.
int finish_after_mpi(std::span<MPI_Request> requests, int index, MPI_Status const& status, int code) {
  return index == MPI_UNDEFINED ? code : finish_after_mpi(requests[static_cast<std::size_t>(index)], status, code);
}

void advance_operations() { Progress::of_this_process().test(); }

/// Tells whether MPI_Testall of the MPI library keeps the statuses of requests that complete before others. SMPI
/// completes such a request in one call, and the calls that follow do not return its status.
constexpr bool testall_keeps_statuses() {
#ifdef SMPI_H
  return false;
#else
  return true;
#endif
}

/// Finds the first request of Rondo's that is complete and that the MPI library does not carry out. Returns its index,
/// or MPI_UNDEFINED.
int find_complete(std::span<MPI_Request const> requests) {
  for (std::size_t i = 0; i < requests.size(); ++i) {
    RondoRequest const* const request = find_request(requests[i]);
    if (request != nullptr && request->mpi_request() == nullptr && request->complete()) return static_cast<int>(i);
  }
  return MPI_UNDEFINED;
}

/// Tells whether a list has a started operation that Rondo's Progress advances.
bool any_active(std::span<MPI_Request const> requests) {
  for (MPI_Request const handle : requests) {
    RondoRequest const* const request = find_request(handle);
    if (request != nullptr && request->started && request->mpi_request() == nullptr) return true;
  }
  return false;
}

/// Waits for the first operation of Rondo's that is active. Only the program can complete it, because no message can.
void wait_for_program(std::span<MPI_Request const> requests) {
  for (MPI_Request const handle : requests) {
    RondoRequest const* const request = find_request(handle);
    if (request != nullptr && request->started && request->operation->active()) return request->operation->wait();
  }
}

/// Whether a request of SMPI's has ever been cancelled. At such a request SMPI's MPI_Waitall ends and leaves the
/// others.
bool stops_waitall = false;

int length(std::span<MPI_Request const> requests) { return static_cast<int>(requests.size()); }

/// The output lists of MPI_Waitsome and MPI_Testsome, and their error code. `statuses` is never MPI_STATUSES_IGNORE.
struct CompletionLists {
  std::span<MPI_Request> requests;
  int* complete;         ///< the number of entries in `indices` and `statuses`
  int* indices;          ///< into `requests`
  MPI_Status* statuses;  ///< by entry
  int code = MPI_SUCCESS;

  /// Finishes the requests that the MPI library has entered in the lists. Their statuses have error codes only if
  /// `code` is MPI_ERR_IN_STATUS.
  void finish_after_mpi() {
    for (int i = 0; tells_errors_in_statuses() && i < *complete; ++i) {
      if (statuses[i].MPI_ERROR != MPI_SUCCESS) code = MPI_ERR_IN_STATUS;
    }
    for (int i = 0; i < *complete; ++i) {
      int const before = code == MPI_ERR_IN_STATUS ? statuses[i].MPI_ERROR : MPI_SUCCESS;
      int const after = mpi::finish_after_mpi(requests, indices[i], statuses[i], before);
      if (after != before) note_error(i, after);
    }
  }

  /// Finishes a complete request of Rondo's that the MPI library does not carry out, and adds it to the lists.
  void finish_and_add(int index) {
    int const error = finish(&requests[static_cast<std::size_t>(index)], &statuses[*complete]);
    indices[(*complete)++] = index;
    if (error != MPI_SUCCESS) note_error(*complete - 1, error);
  }

  /// Sets the error of status i. MPI_ERR_IN_STATUS makes the codes of all statuses valid, so the others are set to
  /// MPI_SUCCESS before.
  void note_error(int i, int error) {
    for (int k = 0; code != MPI_ERR_IN_STATUS && k < *complete; ++k) statuses[k].MPI_ERROR = MPI_SUCCESS;
    statuses[i].MPI_ERROR = error;
    code = MPI_ERR_IN_STATUS;
  }
};

}  // namespace

int start(MPI_Request* handle) {
  RondoRequest* const request = find_request(*handle);
  if (request == nullptr) return PMPI_Start(handle);
  // MPI forbids to start an active request. A request that is used once is started when it is made.
  if (request->lifetime == Lifetime::once || request->started) return MPI_ERR_REQUEST;
  request->started = true;
  return guarded([&] { request->operation->start(); });
}

int start_all(std::span<MPI_Request> requests) {
  for (MPI_Request& request : requests) {
    if (int const code = start(&request); code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

/// If the MPI library carries out Rondo's operation, it also waits for it.
int wait(MPI_Request* handle, MPI_Status* status) {
  RondoRequest const* const request = find_request(*handle);
  if (request == nullptr) return PMPI_Wait(handle, status);
  if (MPI_Request* const found = request->mpi_request()) {
    Statuses seen(status, 1);
    int const code = PMPI_Wait(found, seen.data());
    return finish_after_mpi(*handle, *seen.data(), code);
  }
  // finish() reports an error of wait().
  if (request->started) guarded([&] { request->operation->wait(); });
  return finish(handle, status);
}

/// Waits for one request after the other, because all have to complete.
int wait_all(std::span<MPI_Request> requests, MPI_Status* statuses) {
  if (!stops_waitall && !any_of_rondo(requests)) return PMPI_Waitall(length(requests), requests.data(), statuses);
  bool failed = false;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    int const code = wait(&requests[i], status_at(statuses, i));
    if (statuses != MPI_STATUSES_IGNORE) statuses[i].MPI_ERROR = code;
    failed = failed || code != MPI_SUCCESS;
  }
  return failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
}

/// If Rondo's Progress has nothing to advance, the MPI library waits.
int wait_any(std::span<MPI_Request> requests, int* index, MPI_Status* status) {
  if (!any_active(requests)) {
    std::vector<MPI_Request> copies = mpi_requests(requests);
    Statuses seen(status, 1);
    clear_stale_call();
    int const code = PMPI_Waitany(length(requests), copies.data(), index, seen.data());
    store_mpi_requests(requests, copies);
    if (*index == MPI_UNDEFINED) return code;
    return finish_after_mpi(requests, *index, *seen.data(), error_of(code, *seen.data()));
  }
  // Progress advances Rondo's operations inside this loop. Each turn looks for a complete one, or waits for a message
  // of any operation.
  for (;;) {
    *index = find_complete(requests);
    if (*index != MPI_UNDEFINED) return finish(&requests[static_cast<std::size_t>(*index)], status);
    std::vector<MPI_Request> copies = mpi_requests(requests);
    auto const done = Progress::of_this_process().wait_for_any(copies);
    store_mpi_requests(requests, copies);
    if (done.nothing) wait_for_program(requests);
    if (done.which == MPI_UNDEFINED) continue;
    *index = done.which;
    if (status != MPI_STATUS_IGNORE) *status = done.status;
    return finish_after_mpi(requests, *index, done.status, error_of(done.code, done.status));
  }
}

/// If Rondo's Progress has nothing to advance, the MPI library waits. Otherwise wait_any waits for one request, and all
/// complete requests that Progress advances are added.
int wait_some(std::span<MPI_Request> requests, int* complete, int* indices, MPI_Status* statuses) {
  Statuses seen(statuses, requests.size());
  if (!any_active(requests)) {
    std::vector<MPI_Request> copies = mpi_requests(requests);
    clear_stale_call();
    int const code = PMPI_Waitsome(length(requests), copies.data(), complete, indices, seen.data());
    store_mpi_requests(requests, copies);
    if (*complete == MPI_UNDEFINED) return code;
    CompletionLists lists{requests, complete, indices, seen.data(), code};
    lists.finish_after_mpi();
    return lists.code;
  }
  // MPI_Waitsome may also return other complete requests. Those that Rondo's Progress advances are returned here.
  int first = MPI_UNDEFINED;
  int const code = wait_any(requests, &first, seen.data());
  *complete = 1;
  indices[0] = first;
  CompletionLists lists{requests, complete, indices, seen.data()};
  if (code != MPI_SUCCESS) lists.note_error(0, code);
  for (int next = find_complete(requests); next != MPI_UNDEFINED; next = find_complete(requests)) {
    lists.finish_and_add(next);
  }
  return lists.code;
}

/// Reports a null request as complete.
int test(MPI_Request* handle, int* flag, MPI_Status* status) {
  if (*handle == MPI_REQUEST_NULL) {
    // SMPI does not set the flag if the status is ignored.
    *flag = 1;
    set_empty_status(status, MPI_SUCCESS);
    return MPI_SUCCESS;
  }
  RondoRequest const* const request = find_request(*handle);
  if (MPI_Request* const found = mpi_request_of(*handle)) {
    Statuses seen(status, 1);
    int const code = PMPI_Test(found, flag, seen.data());
    return *flag == 0 ? code : finish_after_mpi(*handle, *seen.data(), error_of(code, *seen.data()));
  }
  if (request->started) advance_operations();
  *flag = request->operation->active() ? 0 : 1;
  return *flag == 0 ? MPI_SUCCESS : finish(handle, status);
}

int test_all(std::span<MPI_Request> requests, int* flag, MPI_Status* statuses) {
  bool const keeps = testall_keeps_statuses() || statuses == MPI_STATUSES_IGNORE;
  if (keeps && !any_of_rondo(requests)) return PMPI_Testall(length(requests), requests.data(), flag, statuses);
  // MPI_Testall completes all requests or none. So each request is tested before any is finished.
  *flag = 0;
  for (MPI_Request const request : requests) {
    if (request != MPI_REQUEST_NULL && !is_complete(request)) return MPI_SUCCESS;
  }
  *flag = 1;
  return wait_all(requests, statuses);
}

/// Requests that Rondo's Progress advances come first. If none of them is complete, the MPI library tests the others.
int test_any(std::span<MPI_Request> requests, int* index, int* flag, MPI_Status* status) {
  if (any_active(requests)) advance_operations();
  *index = find_complete(requests);
  *flag = *index == MPI_UNDEFINED ? 0 : 1;
  if (*flag != 0) return finish(&requests[static_cast<std::size_t>(*index)], status);
  std::vector<MPI_Request> copies = mpi_requests(requests);
  Statuses seen(status, 1);
  clear_stale_call();
  int code = PMPI_Testany(length(requests), copies.data(), index, flag, seen.data());
  if (*flag != 0 && *index == MPI_UNDEFINED) code = test_each(copies, index, flag, seen.data());
  store_mpi_requests(requests, copies);
  if (*flag != 0 && *index != MPI_UNDEFINED)
    code = finish_after_mpi(requests, *index, *seen.data(), error_of(code, *seen.data()));
  // MPI_Testany sets the flag and MPI_UNDEFINED if it has no active request. That is wrong if one of Rondo's is active.
  if (*index == MPI_UNDEFINED && any_active(requests)) *flag = 0;
  return code;
}

/// The MPI library fills the lists first, and Rondo's complete requests are added.
int test_some(std::span<MPI_Request> requests, int* complete, int* indices, MPI_Status* statuses) {
  bool const any_of_progress = any_active(requests);
  if (any_of_progress) advance_operations();
  std::vector<MPI_Request> copies = mpi_requests(requests);
  Statuses seen(statuses, requests.size());
  int const code = PMPI_Testsome(length(requests), copies.data(), complete, indices, seen.data());
  store_mpi_requests(requests, copies);
  if (*complete == MPI_UNDEFINED && !any_of_progress) return code;
  if (*complete == MPI_UNDEFINED) *complete = 0;
  CompletionLists lists{requests, complete, indices, seen.data(), code};
  lists.finish_after_mpi();
  for (int next = find_complete(requests); next != MPI_UNDEFINED; next = find_complete(requests)) {
    lists.finish_and_add(next);
  }
  return lists.code;
}

int get_status(MPI_Request handle, int* flag, MPI_Status* status) {
  RondoRequest const* request = find_request(handle);
#ifdef SMPI_H
  *flag = 0;
  if (request == nullptr && handle != MPI_REQUEST_NULL) {
    if (!is_complete(handle)) return MPI_SUCCESS;
    request = find_request(handle);
  }
#endif
  if (request == nullptr) return PMPI_Request_get_status(handle, flag, status);
  *flag = is_complete(*request) ? 1 : 0;
  if (!request->started) {
    set_empty_status(status, MPI_SUCCESS);
  } else if (*flag != 0) {
    request->operation->set_status(status, MPI_SUCCESS);
  }
  return MPI_SUCCESS;
}

int free_request(MPI_Request* handle) {
  RondoRequest const* const request = find_request(*handle);
  if (request == nullptr) return PMPI_Request_free(handle);
  // MPI forbids to free a request of a collective operation that is used once. Progress would not advance an active
  // operation whose handle is freed.
  if (request->lifetime == Lifetime::once) {
    if (!request->operation->let_go()) return MPI_ERR_REQUEST;
    if (request->operation->active()) {
      *handle = MPI_REQUEST_NULL;
    } else {
      free_handle(handle);
    }
    return MPI_SUCCESS;
  }
  MPI_Request* const found = request->mpi_request();
  if (found == nullptr && request->started) return MPI_ERR_REQUEST;
  if (found != nullptr && !request->operation->ends_without_handle()) return MPI_ERR_REQUEST;
  int const code = found == nullptr ? MPI_SUCCESS : PMPI_Request_free(found);
  free_handle(handle);
  return code;
}

int cancel(MPI_Request* handle) {
  RondoRequest const* const request = find_request(*handle);
#ifdef SMPI_H
  stops_waitall = true;
#endif
  if (request == nullptr) return PMPI_Cancel(handle);
  if (MPI_Request* const found = request->mpi_request()) return PMPI_Cancel(found);
  // The operation of a message has a request of the MPI library. If this is null, the message has arrived, and
  // cancelling it has no effect.
  return request->started && request->operation->mpi_request() != nullptr ? MPI_SUCCESS : request->operation->cancel();
}

}  // namespace rondo::mpi
