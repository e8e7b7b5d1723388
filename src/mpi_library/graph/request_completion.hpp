#pragma once

// Starts, completes, frees and cancels requests, for lists in which requests of Rondo stand among those of the MPI
// library (request_handles.hpp).

#include <mpi.h>

#include <span>

namespace rondo::mpi {

/// Each of these functions does what MPI's function of that name does, and returns its error code. Requests that are
/// not Rondo's go to the MPI library. `statuses` and `status` may be MPI's constants to ignore them.
int start(MPI_Request* request);
/// Stops at the first error; the requests after it are not started.
int start_all(std::span<MPI_Request> requests);
int wait(MPI_Request* request, MPI_Status* status);
int wait_all(std::span<MPI_Request> requests, MPI_Status* statuses);
int wait_any(std::span<MPI_Request> requests, int* index, MPI_Status* status);
int wait_some(std::span<MPI_Request> requests, int* complete, int* indices, MPI_Status* statuses);
int test(MPI_Request* request, int* flag, MPI_Status* status);
int test_all(std::span<MPI_Request> requests, int* flag, MPI_Status* statuses);
int test_any(std::span<MPI_Request> requests, int* index, int* flag, MPI_Status* status);
int test_some(std::span<MPI_Request> requests, int* complete, int* indices, MPI_Status* statuses);
/// Does not free the request.
int get_status(MPI_Request request, int* flag, MPI_Status* status);
/// Of Rondo's requests only those that may be started again can be freed. While one is active, it can be freed only if
/// the MPI library carries it out and it ends well without its handle. Otherwise the result is MPI_ERR_REQUEST.
int free_request(MPI_Request* request);
/// Cancels a request that the MPI library carries out. The result for any other collective of Rondo is MPI_ERR_REQUEST.
int cancel(MPI_Request* request);

}  // namespace rondo::mpi
