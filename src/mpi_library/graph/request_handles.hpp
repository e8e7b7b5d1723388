#pragma once

// Rondo's requests, by the handles that a program has of them. To the MPI library such a handle is a generalized
// request, so no request of the MPI library has the same value.
// The functions at the end tell which requests the MPI library can complete in lists that mix Rondo's requests with
// its own, and how SMPI's requests differ from those of MPI. Some of Rondo's operations are carried out by a request
// of the MPI library, which mpi_request() returns.

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

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

/// Tells whether a list has a request of Rondo. Without one, the MPI library's function does everything.
bool any_of_rondo(std::span<MPI_Request const> requests);

/// Finds the request that the MPI library can complete: the handle itself if it is not Rondo's, or the request that
/// carries out Rondo's operation. Null if Rondo's Progress advances the operation, or if it is not started.
MPI_Request* mpi_request_of(MPI_Request& handle);

/// Copies the requests that the MPI library can complete. The other places get MPI_REQUEST_NULL.
std::vector<MPI_Request> mpi_requests(std::span<MPI_Request> requests);
/// Copies the requests back, because MPI sets completed ones to null.
void store_mpi_requests(std::span<MPI_Request> requests, std::vector<MPI_Request> const& copies);

/// The memory into which the MPI library writes statuses: the caller's list, or a list of its own if the caller ignores
/// them. Rondo's requests need the statuses in any case.
class Statuses {
 public:
  Statuses(MPI_Status* given, std::size_t number) : own_(given == MPI_STATUSES_IGNORE ? number : 0), given_(given) {}
  MPI_Status* data() { return given_ == MPI_STATUSES_IGNORE ? own_.data() : given_; }

 private:
  std::vector<MPI_Status> own_;
  MPI_Status* given_;
};

/// Whether the MPI library tells the error of a message in the status alone. SMPI does, except in MPI_Wait.
constexpr bool tells_errors_in_statuses() {
#ifdef SMPI_H
  return true;
#else
  return false;
#endif
}

/// The error of a request that the MPI library has completed with this code and this status.
int error_of(int code, MPI_Status const& status);

/// Tells whether an operation of Rondo's is complete or inactive.
bool is_complete(RondoRequest const& request);
/// The same for any request except MPI_REQUEST_NULL. A complete request of SMPI's becomes one of Rondo's, which has its
/// status, because SMPI can tell only by ending the request.
bool is_complete(MPI_Request request);

/// Completes the first of the MPI library's requests that can be completed, in place of an MPI_Testany that has found
/// no active request: SMPI's overlooks buffered sends. Leaves `index` and `flag` unchanged if no request is active.
int test_each(std::span<MPI_Request> requests, int* index, int* flag, MPI_Status* status);

}  // namespace rondo::mpi
