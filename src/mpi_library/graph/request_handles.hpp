#pragma once

// Rondo's requests, by the handles that a program has of them. To the MPI library such a handle is a generalized
// request, so that no request of the library has the same value.

#include <mpi.h>

#include <cstdint>
#include <memory>

#include "mpi_library/calls/requested.hpp"

namespace rondo::mpi {

enum class Lifetime : std::uint8_t { once, persistent };

/// Makes a handle for the operation, and starts the operation unless it is persistent. Throws MpiFailure.
MPI_Request handle_for(std::unique_ptr<Requested> operation, Lifetime lifetime);

/// A request of ours.
struct Ours {
  std::unique_ptr<Requested> operation;
  Lifetime lifetime = Lifetime::once;
  bool started = false;  ///< and not yet reported as complete

  bool complete() const { return started && !operation->active(); }
  /// The library's request that has been started for it; null if there is none.
  MPI_Request* under_way() const { return started ? operation->of_library() : nullptr; }
};

/// Whether this program has any such handle. If not, no request is Rondo's.
bool any_handles();

/// Rondo's request behind a handle; null for any other request. Throws MpiFailure.
Ours* ours(MPI_Request request);

/// Reports an operation that is complete or inactive to the function that waited for its handle: sets the status and
/// returns the operation's error. Forgets the operation unless it is persistent. Throws MpiFailure.
int finish(MPI_Request* request, MPI_Status* status);

/// Like finish(), for an operation that the library has carried out and for which it has returned this code. If the
/// code is no error, the operation does the rest of its work. The status is the library's.
int finish_of_library(MPI_Request* request, int code);

/// Frees a request of ours, whose operation is not active, and its handle. Throws MpiFailure.
void forget(MPI_Request* request);

/// Sets the status for an operation that received no data and ended with this error code.
void set_empty(MPI_Status* status, int code);

}  // namespace rondo::mpi
