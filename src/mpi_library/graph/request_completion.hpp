#pragma once

// MPI's functions that complete requests, for lists in which requests of Rondo stand among those of the MPI library
// (request_handles.hpp).

#include <mpi.h>

#include <span>

namespace rondo::mpi {

// They do what the MPI functions of these names do, return error codes and throw nothing.
int start(MPI_Request* request);
/// Each function has the meaning of MPI's function of that name, and returns an error class.
int start_all(std::span<MPI_Request> requests);
int wait(MPI_Request* request, MPI_Status* status);
int wait_all(std::span<MPI_Request> requests, MPI_Status* statuses);
int wait_any(std::span<MPI_Request> requests, int* index, MPI_Status* status);
int wait_some(std::span<MPI_Request> requests, int* complete, int* indices, MPI_Status* statuses);
int test(MPI_Request* request, int* flag, MPI_Status* status);
int test_all(std::span<MPI_Request> requests, int* flag, MPI_Status* statuses);
int test_any(std::span<MPI_Request> requests, int* index, int* flag, MPI_Status* status);
int test_some(std::span<MPI_Request> requests, int* complete, int* indices, MPI_Status* statuses);
int get_status(MPI_Request request, int* flag, MPI_Status* status);
int free_request(MPI_Request* request);
int cancel(MPI_Request* request);

}  // namespace rondo::mpi
