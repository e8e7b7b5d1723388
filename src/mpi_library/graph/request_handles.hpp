#pragma once

// Rondo's requests, by the handles that a program has of them. To the MPI library such a handle is a generalized
// request, so no request of the MPI library has the same value.

#include <mpi.h>

#include <cstdint>
#include <memory>

#include "mpi_library/calls/request_operation.hpp"

namespace rondo::mpi {

/// Whether a request is used once or may be started again.
enum class Lifetime : std::uint8_t { once, persistent };

/// Makes a handle for the operation, and starts the operation unless it is persistent. Throws MpiFailure; then there is
/// no handle.
MPI_Request make_handle(std::unique_ptr<RequestOperation> operation, Lifetime lifetime);

/// A generalized request of the MPI library, without work, which PMPI_Grequest_complete ends.
MPI_Request start_generalized();

/// Puts an operation that is complete behind a handle of the MPI library's, which the operation frees when it is
/// destroyed.
void take_over(MPI_Request handle, std::unique_ptr<RequestOperation> operation);

/// A request of Rondo's.
struct RondoRequest {
  std::unique_ptr<RequestOperation> operation;
  Lifetime lifetime = Lifetime::once;
  bool started = false;       ///< and not yet reported as complete
  bool frees_handle = false;  ///< the operation frees what the handle stands for

  bool complete() const { return started && !operation->active(); }
  /// The MPI library's request that has been started for it and has not been completed; null if there is none.
  MPI_Request* mpi_request() const {
    MPI_Request* const found = started ? operation->mpi_request() : nullptr;
    return found == nullptr || *found == MPI_REQUEST_NULL ? nullptr : found;
  }
};

/// Whether this program has any such handle. If not, no request is Rondo's.
bool any_handles();

/// Rondo's request behind a handle; null for any other request. Throws MpiFailure.
RondoRequest* find_request(MPI_Request handle);

/// Reports an operation that is complete or inactive to the function that waited for its handle: sets the status and
/// returns the operation's error. Frees the handle unless it is persistent. Throws MpiFailure.
int finish(MPI_Request* handle, MPI_Status* status);

/// The same for an operation that the MPI library has carried out and for which it has returned this code and this
/// status. If the code is no error, the operation does the rest of its work.
int finish_mpi_request(MPI_Request* handle, MPI_Status const& status, int code);

/// Frees a request of Rondo's, whose operation is not active, and its handle. Throws MpiFailure.
void free_handle(MPI_Request* handle);

}  // namespace rondo::mpi
