#pragma once

// Requests of ours among those of the MPI library: the calls that complete requests, for both kinds. A request of ours
// is a generalized request to the library, so that no request of its own looks the same.

#include <mpi.h>

#include <memory>
#include <span>

#include "mpi/graph/neighbor_request.hpp"

namespace rondo::mpi {

enum class Lifetime : std::uint8_t { once, persistent };

/// A handle for the operation; one that is not persistent is started. Throws MpiFailure.
MPI_Request handle_for(std::unique_ptr<NeighborRequest> operation, Lifetime lifetime);

// As the MPI functions of these names. They return error codes and throw nothing.
int start(MPI_Request* request);
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

}  // namespace rondo::mpi
