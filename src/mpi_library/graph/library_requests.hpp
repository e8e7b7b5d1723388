#pragma once

// What the MPI library can complete in lists that mix Rondo's requests with its own, and how SMPI's requests differ
// from those of MPI. Some of Rondo's operations are carried out by a request of the MPI library, which mpi_request()
// returns.

#include <mpi.h>

#include <span>
#include <vector>

#include "mpi_library/graph/request_handles.hpp"

namespace rondo::mpi {

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
