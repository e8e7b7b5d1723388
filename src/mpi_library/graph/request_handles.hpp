#pragma once

// Requests of ours by the handles that a program has of them. To the MPI library such a handle is a generalized
// request, so that no request of its own looks the same.

#include <mpi.h>

#include <cstdint>
#include <memory>

#include "mpi_library/calls/requested.hpp"

namespace rondo::mpi {

enum class Lifetime : std::uint8_t { once, persistent };

/// A handle for the operation; one that is not persistent is started. Throws MpiFailure.
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

/// Whether this program has a handle at all: if not, no request is ours.
bool any_handles();

/// Null for a request that is not ours. Throws MpiFailure.
Ours* ours(MPI_Request request);

/// Reports an operation of ours that is complete, or inactive, to whoever waited for its handle: sets the status and
/// returns the operation's error. One that is not persistent is forgotten. Throws MpiFailure.
int finish(MPI_Request* request, MPI_Status* status);

/// As finish(), for an operation that the library has carried out and of which it has returned this code; the operation
/// does what is left if that is no error. The status is the library's.
int finish_of_library(MPI_Request* request, int code);

/// Frees a request of ours, whose operation is not active, and its handle. Throws MpiFailure.
void forget(MPI_Request* request);

/// The status of what brought nothing and ended with this error code.
void set_empty(MPI_Status* status, int code);

}  // namespace rondo::mpi
