// The C interface of the functions that complete requests, for MPI's requests and Rondo's
// (graph/request_completion.hpp).

#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/calls/request_operation.hpp"
#include "mpi_library/graph/request_completion.hpp"
#include "rondo/topology.h"

namespace {

/// Makes a call with a list of requests, which may be a null pointer if it is empty.
template <typename Call>
int with(int count, MPI_Request requests[], Call const& call) {
  if (count < 0) return MPI_ERR_COUNT;
  if (count > 0 && requests == nullptr) return MPI_ERR_ARG;
  int code = MPI_SUCCESS;
  int const guard = rondo::mpi::guarded([&] { code = call(std::span(requests, static_cast<std::size_t>(count))); });
  return guard != MPI_SUCCESS ? guard : code;
}

template <typename Call>
int with(MPI_Request* request, Call const& call) {
  return with(1, request, [&](std::span<MPI_Request> one) { return call(one.data()); });
}

using Requests = std::span<MPI_Request>;

/// Makes a call that completes one request of a list, or finds that none is active; then its status is empty.
template <typename Call>
int with_any(int count, MPI_Request requests[], int* index, MPI_Status* status, Call const& call) {
  *index = MPI_UNDEFINED;
  return with(count, requests, [&](Requests all) {
    bool any = false;
    for (MPI_Request const request : all) any = any || request != MPI_REQUEST_NULL;
    if (any) return rondo::mpi::keep_error(status, [&] { return call(all); });
    rondo::mpi::set_empty_status(status, MPI_SUCCESS);
    return call(all);
  });
}

/// Makes a call that completes several requests of a list.
template <typename Call>
int with_all(int count, MPI_Request requests[], MPI_Status statuses[], Call const& call) {
  return with(count, requests,
              [&](Requests all) { return rondo::mpi::keep_errors(statuses, all.size(), [&] { return call(all); }); });
}

/// Makes a call that may complete a request. The status of a null request is empty.
template <typename Call>
int with_one(MPI_Request* request, MPI_Status* status, Call const& call) {
  return with(request, [&](MPI_Request* one) {
    if (*one == MPI_REQUEST_NULL) return call(one);
    return rondo::mpi::keep_error(status, [&] { return call(one); });
  });
}

}  // namespace

int Rondo_Start(MPI_Request* request) {
  return with(request, [](MPI_Request* one) { return rondo::mpi::start(one); });
}

int Rondo_Startall(int count, MPI_Request requests[]) {
  return with(count, requests, [](Requests all) { return rondo::mpi::start_all(all); });
}

int Rondo_Wait(MPI_Request* request, MPI_Status* status) {
  return with_one(request, status, [&](MPI_Request* one) { return rondo::mpi::wait(one, status); });
}

int Rondo_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  return with_all(count, requests, statuses, [&](Requests all) { return rondo::mpi::wait_all(all, statuses); });
}

int Rondo_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  return with_any(count, requests, index, status,
                  [&](Requests all) { return rondo::mpi::wait_any(all, index, status); });
}

int Rondo_Waitsome(int incount, MPI_Request requests[], int* outcount, int indices[], MPI_Status statuses[]) {
  return with_all(incount, requests, statuses,
                  [&](Requests all) { return rondo::mpi::wait_some(all, outcount, indices, statuses); });
}

int Rondo_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  return with_one(request, status, [&](MPI_Request* one) { return rondo::mpi::test(one, flag, status); });
}

int Rondo_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  return with_all(count, requests, statuses, [&](Requests all) { return rondo::mpi::test_all(all, flag, statuses); });
}

int Rondo_Testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  return with_any(count, requests, index, status,
                  [&](Requests all) { return rondo::mpi::test_any(all, index, flag, status); });
}

int Rondo_Testsome(int incount, MPI_Request requests[], int* outcount, int indices[], MPI_Status statuses[]) {
  return with_all(incount, requests, statuses,
                  [&](Requests all) { return rondo::mpi::test_some(all, outcount, indices, statuses); });
}

int Rondo_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  return with_one(&request, status, [&](MPI_Request* one) { return rondo::mpi::get_status(*one, flag, status); });
}

int Rondo_Request_free(MPI_Request* request) {
  return with(request, [](MPI_Request* one) { return rondo::mpi::free_request(one); });
}
